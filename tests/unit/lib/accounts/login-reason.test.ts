import { expect, test } from 'vitest'
import { loginReason } from '#lib/accounts/login-reason.ts'

test('a visitor reads what they log in for', () => {
  const cart = { kind: 'addToCart', productId: 'p1', quantity: 1 } as const
  expect(loginReason({ ...cart, name: 'Cirrus Running Shoes' }, '/products')).toBe(
    'Log in to add Cirrus Running Shoes to your cart: it will be there when you return.',
  )
  expect(loginReason(cart, '/products')).toBe(
    'Log in to add this product to your cart: it will be there when you return.',
  )
  expect(loginReason(null, '/shipping?buy=kite')).toBe('Log in to check out: your items will be waiting.')
  expect(loginReason(null, '/dashboard/my-wishlist')).toBe('Log in to see your wishlist.')
  expect(loginReason(null, '/dashboard/my-orders')).toBe('Log in to see your orders and your account.')
  expect(loginReason(null, '/product/details/kite#reviews')).toBe(
    'Log in to write a review, or to mark one as helpful.',
  )
  expect(loginReason(null, '/products')).toBeNull()
})
