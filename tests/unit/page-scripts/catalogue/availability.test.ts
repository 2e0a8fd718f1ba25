import { describe, expect, test } from 'vitest'
import { MAX_STOCK } from '#contract/rules.ts'
import { availability, unitsOf } from '#page-scripts/catalogue/availability.ts'

describe('the availability that a product’s page shows', () => {
  test.each([
    [0, 'Out of Stock'],
    [3, 'In Stock(3)'],
    [MAX_STOCK - 1, 'In Stock(999999999)'],
    [MAX_STOCK, 'In Stock'],
  ])('of %i units is %s', (stock, text) => {
    expect(availability(stock)).toBe(text)
  })

  test('is that of the chosen variant, and none for a variant that is gone', () => {
    const live = { stock: 5, variants: [{ _id: 'small', stock: 2 }] }

    expect([unitsOf(live, 'small'), unitsOf(live, 'gone')]).toEqual([2, 0])
    expect(unitsOf({ stock: 5, variants: [] }, undefined)).toBe(5)
  })
})
