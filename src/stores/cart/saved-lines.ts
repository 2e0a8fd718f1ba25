import { orNull } from '#lib/api.ts'
import { client } from '../client.ts'
import { customerStore } from '../customer-store.ts'
import { toast } from '../ui/toasts.ts'
import { reloadCart } from './cart.ts'
import { settled } from './lines.ts'

const data = customerStore('cart', async userId => (await orNull(client.api.getSavedLines({ userId })))?.lines ?? [])

/** The lines saved for later, as last loaded; none with providers that have no such list. */
export const $savedLines = data.$store

/** Loads them. Returns false on failure. */
export const loadSavedLines = data.load

/** Moves a line out of the cart with its displayed quantity. Returns whether the provider accepted it. */
export async function saveForLater(lineId: string): Promise<boolean> {
  await settled()
  return changeLines(() => client.api.saveForLater({ lineId }))
}

/** Moves a saved line to the cart. The provider's message says so if there are not enough units. */
export async function moveToCart(savedId: string): Promise<boolean> {
  await settled()
  return changeLines(() => client.api.moveToCart({ savedId }))
}

export function removeSavedLine(savedId: string): Promise<boolean> {
  return changeLines(() => client.api.removeSavedLine({ savedId }))
}

async function changeLines(send: () => Promise<{ message: string }>): Promise<boolean> {
  const isAccepted = await data.change(async () => {
    const { message } = await send()
    toast('success', message)
  })
  reloadCart()
  return isAccepted
}
