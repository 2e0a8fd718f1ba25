import { afterEach, expect, test, vi } from 'vitest'
import { showSaved } from '#page-scripts/cart/saved-marks.ts'
import { $wishlist } from '#stores/cart/wishlist.ts'

afterEach(() => vi.unstubAllGlobals())

/** The parts of an element that the marks use. */
function heart(dataset: Record<string, string>, label: string) {
  const attributes = new Map([['aria-label', label]])
  return {
    dataset,
    attributes,
    toggleAttribute: (name: string, isOn: boolean) => (isOn ? attributes.set(name, '') : attributes.delete(name)),
    getAttribute: (name: string) => attributes.get(name),
    setAttribute: (name: string, value: string) => attributes.set(name, value),
    closest: () => null,
  }
}

test('hearts on cards and on the product page have the right label, whatever the product’s name', () => {
  const card = heart({ addToWishlist: 'p1' }, 'Add Add to wishlist to wishlist')
  const other = heart({ addToWishlist: 'p2' }, 'Add Red kite to wishlist')
  const product = heart({ wish: 'p1' }, 'Add to wishlist')
  const addEventListener = () => undefined
  vi.stubGlobal('addEventListener', addEventListener)
  vi.stubGlobal('document', { querySelectorAll: () => [card, other, product], addEventListener })
  const labels = () => [card, other, product].map(({ attributes }) => attributes.get('aria-label'))

  showSaved()
  $wishlist.set({ state: 'ready', items: [{ _id: 'w1', productId: 'p1' }] as never })
  expect(labels()).toEqual(['Remove Add to wishlist from wishlist', 'Add Red kite to wishlist', 'Remove from wishlist'])
  expect(product.attributes.has('data-saved')).toBe(true)
  expect(other.attributes.has('data-saved')).toBe(false)

  $wishlist.set({ state: 'ready', items: [] })
  expect(labels()).toEqual(['Add Add to wishlist to wishlist', 'Add Red kite to wishlist', 'Add to wishlist'])
  expect(card.attributes.has('data-saved')).toBe(false)
})
