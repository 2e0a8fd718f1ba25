import { expect, test } from 'vitest'
import { discountText } from '#lib/catalogue/discount.ts'

test.each([
  [18_900, 10, '-9%'],
  [20_000, 10, '-10%'],
  [3500, 5, '-2%'],
  [15_900, 25, '-24%'],
  [1999, 12.5, '-10%'],
  [10_000, 100, '-100%'],
])('a price of %i cents at %f %% off says %s, what is really taken off', (priceCents, discount, text) => {
  expect(discountText({ priceCents, discount })).toBe(text)
})

test.each([
  [99, 50],
  [50_000, 0.3],
  [0, 10],
])('a price of %i cents at %f %% off says nothing of it', (priceCents, discount) => {
  expect(discountText({ priceCents, discount })).toBe('')
})
