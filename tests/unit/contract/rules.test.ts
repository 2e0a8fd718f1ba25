import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discountedCents, discountFor, MAX_PRICE_CENTS, shopSlug } from '#contract/rules.ts'

const cents = fc.oneof(fc.integer({ min: 0, max: MAX_PRICE_CENTS }), fc.integer({ min: 0, max: 20_000 }))

describe('the discounted price', () => {
  test.each([
    [1999, 10, 1899],
    [1999, 0, 1999],
    [1999, 4.9, 1999],
    [10_000, 29, 7100],
    [10_000, 100, 0],
    [999, 100, 99],
    [0, 50, 0],
    [9999, 33.3333, 6699],
  ])('of %d cents at %d %% is %d cents', (priceCents, discount, paid) => {
    expect(discountedCents({ priceCents, discount })).toBe(paid)
  })

  test('is the price minus whole dollars, never below zero', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 1_000_000 }), (priceCents, steps) => {
        const paid = discountedCents({ priceCents, discount: steps / 10_000 })

        expect(paid).toBeGreaterThanOrEqual(0)
        expect((priceCents - paid) % 100).toBe(0)
        // The exact integer arithmetic.
        expect(paid).toBe(priceCents - Number((BigInt(priceCents) * BigInt(steps)) / 100_000_000n) * 100)
      }),
    )
  })
})

describe('the discount for a target price', () => {
  test('gives exactly that price', () => {
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        const [paid, compared] = [Math.min(one, other), Math.max(one, other)]
        const terms = discountFor(paid, compared)

        expect(discountedCents(terms)).toBe(paid)
        expect(terms.discount).toBeLessThanOrEqual(100)
        expect(terms.discount * 10_000).toBeCloseTo(Math.round(terms.discount * 10_000), 3)
        expect(compared - terms.priceCents).toBeLessThan(100)
      }),
      { numRuns: 5000 },
    )
  })

  test.each([
    [1999, 2098, { priceCents: 1999, discount: 0 }],
    [1999, 1999, { priceCents: 1999, discount: 0 }],
    [1999, 1000, { priceCents: 1999, discount: 0 }],
    [1000, 2000, { priceCents: 2000, discount: 50 }],
    [0, 10_000, { priceCents: 10_000, discount: 100 }],
  ])('of %d cents compared with %d cents', (paid, compared, terms) => {
    expect(discountFor(paid, compared)).toEqual(terms)
  })
})

describe('the slug of a shop name', () => {
  test.each([
    ['Ada Shop', 'ada-shop'],
    ['  Café & Crème! ', 'cafe-creme'],
    ['東京 ストア', '東京-ストア'],
    ['💡', 'shop'],
    ['../..', 'shop'],
  ])('%j is %s', (name, slug) => {
    expect(shopSlug(name)).toBe(slug)
  })
})
