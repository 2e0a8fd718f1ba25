import { expect, test } from 'vitest'
import { deliveryTime, freeShipping, inDays } from '#lib/catalogue/shipping.ts'

test.each([
  [{ Kenya: 500, Ghana: 900 }, 'nowhere'],
  [{ Kenya: 0, Ghana: 900 }, 'somewhere'],
  [{ Kenya: 0, Ghana: 0 }, 'everywhere'],
  [{ Kenya: 0 }, 'everywhere'],
])('shipping for %o is free %s', (prices, where) => {
  expect(freeShipping(prices)).toBe(where)
})

test.each([
  [{ Kenya: 500, Ghana: 900 }, '3 to 15 days'],
  [{ Kenya: 500 }, '3 to 6 days'],
  [{ France: 500 }, undefined],
])('with shipping to %o a product arrives in %s', (prices, time) => {
  const days = deliveryTime(prices, { Kenya: [3, 6], Ghana: [5, 15], Oman: [9, 99] })
  expect(days && inDays(days, ' to ')).toBe(time)
})

test('a range of a single day shows the day once', () => {
  expect([inDays([1, 1], '–'), inDays([5, 5], '–'), inDays([1, 5], '–')]).toEqual(['1 day', '5 days', '1–5 days'])
})
