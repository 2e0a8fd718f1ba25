import { expect, test } from 'vitest'
import { $wishlistCount } from '#stores/wishlist.ts'

test('a wishlist that was not loaded counts nothing, and the badge hides', () => {
  expect($wishlistCount.get()).toBe(0)
})
