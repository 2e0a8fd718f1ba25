import type { Alert } from '#contract/wishlist.ts'
import { client } from '../client.ts'
import { customerStore } from '../customer-store.ts'
import { toast } from '../ui/toasts.ts'

const data = customerStore('alerts', async userId => (await client.api.getAlerts({ userId })).alerts)

/** The customer's alerts, as last loaded. `failed` with providers that have none. */
export const $alerts = data.$store

interface SoldOut {
  productId: string
  /** Undefined for a product without options. */
  variantId?: string | undefined
}

type Wanted = SoldOut & { name: string }

/** Sets an alert for a variant that is sold out. A toast shows the provider's message or error. */
export async function addAlert({ productId, variantId, name }: Wanted): Promise<void> {
  await data.change(async () => showMessage(await client.api.addAlert({ productId, variantId })), {
    kind: 'tellWhenBack',
    productId,
    variantId,
    name,
  })
}

/** Sets an alert for a variant that is sold out, or ends it. */
export async function toggleAlert(wanted: Wanted): Promise<void> {
  const alert = alertOf(wanted)
  await (alert ? removeAlert(alert._id) : addAlert(wanted))
}

/** Tells `show` whether there is an alert for a variant, now and after each change. Returns a function to stop. */
export function followAlert(wanted: SoldOut, show: (isSet: boolean) => void): () => void {
  return $alerts.subscribe(() => show(alertOf(wanted) !== undefined))
}

function alertOf({ productId, variantId }: SoldOut): Alert | undefined {
  const load = $alerts.get()
  if (load.state !== 'ready') return undefined
  return load.value.find(
    each =>
      each.productId === productId && each.variantId !== undefined && (!variantId || each.variantId === variantId),
  )
}

/** Sets an alert for a product that should cost less than `belowCents` US cents. Throws `ApiError`. */
export async function addPriceAlert(productId: string, belowCents: number): Promise<void> {
  showMessage(await client.api.addAlert({ productId, belowCents }))
  data.reloadEverywhere()
}

/** Ends an alert, with one click. Returns whether the provider accepted it. */
export async function removeAlert(alertId: string): Promise<boolean> {
  return data.change(async () => showMessage(await client.api.removeAlert({ alertId })))
}

function showMessage({ message }: { message: string }): void {
  toast('success', message)
}
