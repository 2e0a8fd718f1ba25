import type { ReadableAtom } from 'nanostores'
import { showAccount } from '#page-scripts/accounts/account.ts'
import { $cartCount } from '#stores/cart/cart.ts'
import { $customer } from '#stores/accounts/session.ts'
import { $wishlistCount } from '#stores/cart/wishlist.ts'
import { showSaved } from './cart/saved-marks.ts'

/** Keeps the header's badges and name up to date with the stores. A badge is hidden at zero. */
export function showCounts(): void {
  follow($cartCount, 'cart')
  follow($wishlistCount, 'wishlist')
  showSaved()
  // Covers a session that ends in this tab; storage events cover the other tabs.
  $customer.listen(() => showAccount())
}

function follow($count: ReadableAtom<number>, name: string): void {
  const badge = document.querySelector<HTMLElement>(`[data-count="${name}"]`)
  $count.subscribe(count => {
    if (!badge) return
    badge.textContent = String(count)
    badge.hidden = count === 0
  })
}
