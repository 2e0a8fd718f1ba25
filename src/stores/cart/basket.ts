import { atom, computed } from 'nanostores'
import type { CartLine } from '#contract/cart.ts'
import { ApiError } from '#lib/api.ts'
import { type BasketLine, basketOf, boughtAtOnce } from '#lib/cart/basket.ts'
import { $cart, type CartLoad, loadCart } from './cart.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { startInBrowser } from '../start.ts'

/** `leftOut` is what stays in the cart because it cannot be bought; `gone` a product that is no longer sold. */
export type BasketLoad =
  | { state: 'loading' }
  | { state: 'ready'; lines: BasketLine[]; leftOut: CartLine[] }
  | { state: 'gone' }
  | { state: 'failed'; message: string }

/** What is bought at once, past the cart; null when the cart is checked out. */
const $bought = atom<BasketLoad | null>(null)

/** What the checkout is about. */
export const $basket = computed([$cart, $bought], (cart, bought): BasketLoad => bought ?? ofCart(cart))

let asked: { slug: string; quantity: number } | null = null

/** Takes what the address of the checkout names: `?buy=SLUG&quantity=N`, or the cart. */
export async function openBasket(search: string): Promise<void> {
  asked = boughtAtOnce(search)
  $bought.set(asked && { state: 'loading' })
  if (asked) await loadProduct(asked)
}

/** Brings the shop's present prices, stock and shipping. */
export async function reloadBasket(): Promise<void> {
  await (asked ? loadProduct(asked) : loadCart())
}

async function loadProduct(wanted: { slug: string; quantity: number }): Promise<void> {
  try {
    const { product } = await client.api.getProduct({ id: wanted.slug })
    if (asked === wanted) $bought.set({ state: 'ready', lines: [{ quantity: wanted.quantity, product }], leftOut: [] })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (asked === wanted) $bought.set(afterFailure(error))
  }
}

function afterFailure({ status, message }: ApiError): BasketLoad | null {
  if (status === 404 || status === 400) return { state: 'gone' }
  // What is shown already is better than a message.
  return $bought.get()?.state === 'ready' ? $bought.get() : { state: 'failed', message }
}

function ofCart(load: CartLoad): BasketLoad {
  if (load.state !== 'ready') return load
  return { state: 'ready', lines: basketOf(load.cart), leftOut: load.cart.outOfStock }
}

startInBrowser($bought, () => {
  void openBasket(location.search)
  return followChanges('cart', () => asked && void loadProduct(asked))
})
