import type { ReadableAtom } from 'nanostores'
import { $cartCount } from '#stores/cart.ts'
import { $wishlistCount } from '#stores/wishlist.ts'

/** Keeps the header's badges equal to the stores; a badge is hidden at zero. */
export function showCounts(): void {
  follow($cartCount, 'cart')
  follow($wishlistCount, 'wishlist')
}

function follow($count: ReadableAtom<number>, name: string): void {
  const badge = document.querySelector<HTMLElement>(`[data-count="${name}"]`)
  $count.subscribe(count => {
    if (!badge) return
    badge.textContent = String(count)
    badge.hidden = count === 0
  })
}
