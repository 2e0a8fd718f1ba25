import { expect, test } from 'vitest'
import { freeShipping } from '#lib/catalogue/shipping.ts'

test.each([
  [{ Kenya: 500, Ghana: 900 }, 'nowhere'],
  [{ Kenya: 0, Ghana: 900 }, 'somewhere'],
  [{ Kenya: 0, Ghana: 0 }, 'everywhere'],
  [{ Kenya: 0 }, 'everywhere'],
])('shipping for %o is free %s', (prices, where) => {
  expect(freeShipping(prices)).toBe(where)
})
