import type { Wish } from '#contract/wishlist.ts'
import type { CardAct } from '#lib/accounts/intent.ts'
import { addToCart, loadCart } from '#stores/cart/cart.ts'
import { addToWishlist, removeFromWishlist } from '#stores/cart/wishlist.ts'
import { orSayUnavailable } from './unavailable.ts'

/** Runs an action that a customer clicked now or before the login. The stores show the outcome. */
export async function runIntent(intent: CardAct): Promise<void> {
  if (intent.kind === 'addToCart') await addToCart(intent.productId, intent.quantity, intent.variantId)
  else if (intent.kind === 'addToWishlist') await addToWishlist(wishOf(intent))
  else if (intent.kind === 'tellWhenBack') {
    const { addAlert } = await orSayUnavailable(import('#stores/cart/alerts.ts'))
    await addAlert(intent)
  } else if (intent.kind === 'changeQuantity') {
    const { repeatSteps } = await orSayUnavailable(import('#stores/cart/lines.ts'))
    await repeatSteps(intent.lineId, intent.by)
  } else if (intent.kind === 'setQuantity') {
    const { setQuantity } = await orSayUnavailable(import('#stores/cart/lines.ts'))
    await loadCart()
    setQuantity(intent.lineId, intent.quantity)
  } else if (intent.kind === 'voteReview') {
    // Another click on a button that shows an earlier vote would remove it.
    document.querySelector<HTMLElement>(`[data-review="${intent.reviewId}"][aria-pressed=false]`)?.click()
  } else await removeFromWishlist(intent.productId)
}

function wishOf(intent: Extract<CardAct, { kind: 'addToWishlist' }>): Wish {
  const { kind, ...wish } = intent
  return wish
}
