import { expect, test } from 'vitest'
import { centsOf } from '#lib/cart/typed-price.ts'

test.each([
  ['12', 1, 1200],
  ['$1,299.50', 1, 129_950],
  ['1.299,5', 1, 129_950],
  ['1,299', 1, 129_900],
  [' 0.5 ', 1, 50],
  ['.5', 1, 50],
  ['1 299,50', 1, 129_950],
  ['12,-', 1, 1200],
  ['12 USD', 1, 1200],
  ['KSh500', 1, 50_000],
  ['Rs.50', 1, 5000],
  ['18', 0.9, 2000],
  ['100000', 130, 76_923],
])('a typed price of %s at %d per dollar is %d US cents', (typed, rate, cents) => {
  expect(centsOf(typed, rate)).toBe(cents)
})

test.each(['', '0', 'cheap', '-', ',', '0.00', '-5', '10-20', '1e3'])('%j is not a price', typed => {
  expect(centsOf(typed, 1)).toBeUndefined()
})
