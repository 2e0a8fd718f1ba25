import { atom } from 'nanostores'
import type { Alert } from '#contract/wishlist.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { customerData } from '../customer-data.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

export type AlertsLoad =
  { state: 'loading' } | { state: 'ready'; alerts: Alert[] } | { state: 'failed'; message: string }

/** The customer's alerts, as last loaded. `failed` with providers that have none. */
export const $alerts = atom<AlertsLoad>({ state: 'loading' })

const data = customerData({
  topic: 'alerts',
  $store: $alerts,
  fetch: userId => client.api.getAlerts({ userId }),
  show: ({ alerts }) => $alerts.set({ state: 'ready', alerts }),
  reset: () => $alerts.set({ state: 'loading' }),
})

export const loadAlerts = data.load

interface Wanted {
  productId: string
  variantId?: string | undefined
  name: string
}

/** Sets an alert for a variant that is sold out. A toast shows the provider's message or error. */
export async function addAlert({ productId, variantId, name }: Wanted): Promise<void> {
  await data.change(async () => showMessage(await client.api.addAlert({ productId, variantId })), {
    kind: 'tellWhenBack',
    productId,
    variantId,
    name,
  })
}

/** Sets an alert for a product that should cost less than `belowCents` US cents. Throws `ApiError`. */
export async function addPriceAlert(productId: string, belowCents: number): Promise<void> {
  showMessage(await client.api.addAlert({ productId, belowCents }))
  data.reloadEverywhere()
}

/** Ends an alert, with one click. */
export async function removeAlert(alertId: string): Promise<void> {
  await data.change(async () => showMessage(await client.api.removeAlert({ alertId })))
}

function showMessage({ message }: { message: string }): void {
  toast('success', message)
}

startInBrowser($alerts, () => [$customer.subscribe(() => void data.load()), followChanges('alerts', data.reload)])
