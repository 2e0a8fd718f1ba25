import { expect, test } from 'vitest'
import { centsOf, typedPrice } from '#lib/cart/typed-price.ts'

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

test.each([
  [1950, 1, '19.50'],
  [2450, 1, '24.50'],
  [1900, 1, '19'],
  [2043, 0.93, '19'],
  [1950, 0.9, '17.55'],
  [1999, 150, '2998'],
])('a price of %i US cents at %d per dollar is filled in as %s, which is not more than it', (cents, rate, typed) => {
  expect(typedPrice(cents, rate)).toBe(typed)
  expect(centsOf(typed, rate)).toBeLessThanOrEqual(cents)
})
