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

/** What the customer has put aside from the cart, as last loaded. Other providers may not have such a list: failed. */
export const $savedLines = atom<SavedLinesLoad>({ state: 'loading' })

const data = customerData({
  topic: 'cart',
  $store: $savedLines,
  fetch: userId => client.api.getSavedLines({ userId }),
  show: ({ lines }) => $savedLines.set({ state: 'ready', lines }),
  reset: () => $savedLines.set({ state: 'loading' }),
})

/** Moves a line out of the cart, with the quantity that is shown. Returns whether the provider accepted it. */
export async function saveForLater(lineId: string): Promise<boolean> {
  await settled()
  return change(() => client.api.saveForLater({ lineId }))
}

/** Moves a saved line to the cart; the provider's message says if units are missing. */
export async function moveToCart(savedId: string): Promise<boolean> {
  await settled()
  return change(() => client.api.moveToCart({ savedId }))
}

export function removeSavedLine(savedId: string): Promise<boolean> {
  return change(() => client.api.removeSavedLine({ savedId }))
}

async function change(send: () => Promise<{ message: string }>): Promise<boolean> {
  const isTaken = await data.change(async () => {
    const { message } = await send()
    toast('success', message)
  })
  reloadCart()
  return isTaken
}

startInBrowser($savedLines, () => [$customer.subscribe(() => void data.load()), followChanges('cart', data.reload)])
