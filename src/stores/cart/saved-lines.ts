import { atom } from 'nanostores'
import type { CartLine } from '#contract/cart.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { customerData } from '../customer-data.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'
import { reloadCart, settled } from './cart.ts'

export type SavedLinesLoad =
  { state: 'loading' } | { state: 'ready'; lines: CartLine[] } | { state: 'failed'; message: string }

/** The lines saved for later, as last loaded. `failed` with providers that have no such list. */
export const $savedLines = atom<SavedLinesLoad>({ state: 'loading' })

const data = customerData({
  topic: 'cart',
  $store: $savedLines,
  fetch: userId => client.api.getSavedLines({ userId }),
  show: ({ lines }) => $savedLines.set({ state: 'ready', lines }),
  reset: () => $savedLines.set({ state: 'loading' }),
})

/** Moves a line out of the cart with its displayed quantity. Returns whether the provider accepted it. */
export async function saveForLater(lineId: string): Promise<boolean> {
  await settled()
  return change(() => client.api.saveForLater({ lineId }))
}

/** Moves a saved line to the cart. The provider's message says so if there are not enough units. */
export async function moveToCart(savedId: string): Promise<boolean> {
  await settled()
  return change(() => client.api.moveToCart({ savedId }))
}

export function removeSavedLine(savedId: string): Promise<boolean> {
  return change(() => client.api.removeSavedLine({ savedId }))
}

async function change(send: () => Promise<{ message: string }>): Promise<boolean> {
  const isAccepted = await data.change(async () => {
    const { message } = await send()
    toast('success', message)
  })
  reloadCart()
  return isAccepted
}

startInBrowser($savedLines, () => [$customer.subscribe(() => void data.load()), followChanges('cart', data.reload)])
