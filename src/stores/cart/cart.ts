import { atom } from 'nanostores'
import type { Cart } from '#contract/cart.ts'
import { client } from '../page-client.ts'
import { followChanges } from '../cross-tab-sync.ts'
import { customerData, persistentCount } from '../customer-data.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'
import { unconfirmedByLine } from './unconfirmed.ts'

export type CartLoad = { state: 'loading' } | { state: 'ready'; cart: Cart } | { state: 'failed'; message: string }

/** The customer's cart as last loaded, with the customer's changes since. */
export const $cart = atom<CartLoad>({ state: 'loading' })

/** Units of all lines. */
export const $cartCount = persistentCount('cartCount', $cart)

/** Additions to the cart that are being sent. */
const adding = new Set<{ userId: string; quantity: number }>()

/** Whether changes of quantities are being sent. A cart loaded meanwhile is outdated; it is loaded again afterwards. */
export const $isSending = atom(false)

/** Loads the cart, and reloads it after changes. */
export const cartData = customerData({
  topic: 'cart',
  $store: $cart,
  fetch: userId => client.api.getCart({ userId }),
  show(cart) {
    if ($isSending.get()) return
    $cart.set({ state: 'ready', cart })
    $cartCount.set(cart.count + addingCount())
  },
  reset,
})

/** Loads the cart; concurrent calls share one request. Failures are shown through `$cart`. */
export const loadCart = cartData.load

/** Loads the cart again after a change that another store has made. */
export const reloadCart = cartData.reload

/** Runs another store's change of the cart: shows its error in a toast, then loads the cart again in all tabs. */
export const changeCart = cartData.change

function reset(): void {
  // Changes that are being sent are removed when their responses arrive.
  if (!$isSending.get()) unconfirmedByLine.clear()
  $cart.set({ state: 'loading' })
  $cartCount.set(0)
}

/**
 * Adds units of a product to the cart. The badge counts them at once, and takes them back if the provider rejects them.
 * A toast shows the outcome. Does nothing for visitors. A product with several variants needs `variantId`. Returns
 * whether the provider accepted it.
 */
export async function addToCart(productId: string, quantity = 1, variantId?: string): Promise<boolean> {
  const customer = $customer.get()
  if (!customer) return false
  const added = { userId: customer.id, quantity }
  adding.add(added)
  $cartCount.set($cartCount.get() + quantity)
  let isAccepted = false
  try {
    isAccepted = await cartData.change(
      async () => {
        const { message } = await client.api.addToCart({ userId: customer.id, productId, variantId, quantity })
        toast('success', message, isCartShown() ? {} : { link: { text: 'View cart', href: '/cart' } })
      },
      { kind: 'addToCart', productId, variantId, quantity },
    )
  } finally {
    adding.delete(added)
    if (!isAccepted && $customer.get()?.id === customer.id) $cartCount.set(Math.max(0, $cartCount.get() - quantity))
  }
  return isAccepted
}

/** Units whose addition is being sent. The badge counts them already. */
export function addingCount(): number {
  const userId = $customer.get()?.id
  return [...adding].reduce((sum, each) => (each.userId === userId ? sum + each.quantity : sum), 0)
}

function isCartShown(): boolean {
  return globalThis.location?.pathname.toLowerCase() === '/cart'
}

startInBrowser($cart, () => [$customer.subscribe(() => void loadCart()), followChanges('cart', cartData.reload)])
