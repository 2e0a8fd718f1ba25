import { expect, test } from 'vitest'
import { loginPath } from '#lib/navigate.ts'

test('the way to the login page remembers where the shopper was', () => {
  expect(loginPath('/products?category=Toys & Games')).toBe('/login?next=%2Fproducts%3Fcategory%3DToys%20%26%20Games')
})
