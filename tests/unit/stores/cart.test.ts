import { expect, test } from 'vitest'
import { $cartCount } from '#stores/cart.ts'

test('a cart that was not loaded counts nothing, and the badge hides', () => {
  expect($cartCount.get()).toBe(0)
})
