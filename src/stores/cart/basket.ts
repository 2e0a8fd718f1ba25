import { atom, computed } from 'nanostores'
import type { CartLine } from '#contract/cart.ts'
import { ApiError } from '#lib/api.ts'
import { type BasketLine, basketOf, boughtAtOnce, type Purchase, purchasedLine } from '#lib/cart/basket.ts'
import { $cart, type CartLoad, loadCart } from './cart.ts'
import { client } from '../client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { startInBrowser } from '../start.ts'

/** `leftOut` are cart lines that cannot be bought. `gone`: the product to buy without the cart is no longer sold. */
export type BasketLoad =
  | { state: 'loading' }
  | { state: 'ready'; lines: BasketLine[]; leftOut: CartLine[] }
  | { state: 'gone' }
  | { state: 'failed'; message: string }

/** The product that is bought without the cart; null when the customer checks out the cart. */
const $bought = atom<BasketLoad | null>(null)

/** The lines in the checkout: of the cart, or one product bought without it. */
export const $basket = computed([$cart, $bought], (cart, bought): BasketLoad => bought ?? ofCart(cart))

let asked: Purchase | null = null

/** Reads from the checkout's query what to buy: `?buy=SLUG&variant=ID&quantity=N`, or the cart if there is no `buy`. */
export async function openBasket(search: string): Promise<void> {
  asked = boughtAtOnce(search)
  $bought.set(asked && { state: 'loading' })
  if (asked) await loadProduct(asked)
}

/** Reloads the current prices, stock and shipping. */
export async function reloadBasket(): Promise<void> {
  await (asked ? loadProduct(asked) : loadCart())
}

async function loadProduct(wanted: Purchase): Promise<void> {
  try {
    const { product } = await client.api.getProduct({ id: wanted.slug })
    if (asked !== wanted) return
    const line = purchasedLine(product, wanted)
    $bought.set(line ? { state: 'ready', lines: [line], leftOut: [] } : { state: 'gone' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (asked === wanted) $bought.set(afterFailure(error))
  }
}

function afterFailure({ status, message }: ApiError): BasketLoad | null {
  if (status === 404 || status === 400) return { state: 'gone' }
  // Keep showing the loaded product instead of the error.
  return $bought.get()?.state === 'ready' ? $bought.get() : { state: 'failed', message }
}

function ofCart(load: CartLoad): BasketLoad {
  if (load.state !== 'ready') return load
  return { state: 'ready', lines: basketOf(load.cart), leftOut: load.cart.outOfStock }
}

startInBrowser($bought, () => {
  void openBasket(location.search)
  return [followChanges('cart', () => asked && void loadProduct(asked))]
})
