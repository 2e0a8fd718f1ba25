import { afterEach, expect, test, vi } from 'vitest'
import { showCounts } from '#page-scripts/header-counts.ts'
import { $cartCount } from '#stores/cart/cart.ts'
import { $wishlistCount } from '#stores/cart/wishlist.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['cart', $cartCount],
  ['wishlist', $wishlistCount],
])('the badge of the %s shows its count, and is hidden at zero', (name, $count) => {
  const badges = new Map<string, { textContent: string; hidden: boolean }>()
  for (const each of ['cart', 'wishlist']) badges.set(`[data-count="${each}"]`, { textContent: '', hidden: false })
  const addEventListener = () => undefined
  vi.stubGlobal('addEventListener', addEventListener)
  vi.stubGlobal('document', {
    querySelector: (selector: string) => badges.get(selector) ?? null,
    querySelectorAll: () => [],
    addEventListener,
  })
  const badge = badges.get(`[data-count="${name}"]`)

  showCounts()
  expect(badge).toMatchObject({ hidden: true })
  $count.set(3)
  expect(badge).toEqual({ textContent: '3', hidden: false })
  $count.set(0)
  expect(badge).toMatchObject({ hidden: true })
})
