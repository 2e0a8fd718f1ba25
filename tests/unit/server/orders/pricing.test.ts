import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discountedCents, MAX_ORDER_CENTS } from '#contract/rules.ts'
import { mergeLines, PriceChangedError, priceOrder, type SoldVariant } from '#server/orders/pricing.ts'
import { rounds } from '#tests/support/rounds.ts'

const COUNTRY = 'Kenya'
const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31)

const product = fc.record({
  sellerAt: fc.nat(7),
  priceCents: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(0, 1, 99, 100, 1999, 99_999_999)),
  discount: fc.oneof(
    fc.constantFrom(0, 100),
    fc.integer({ min: 0, max: 1_000_000 }).map(steps => steps / 10_000),
  ),
  shipping: fc.integer({ min: 0, max: 10_000 }),
})
const cart = fc
  .array(fc.record({ product, quantities: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 30,
  })
  .map(wishes => {
    const stocked = wishes.map(({ product, quantities }, at) => ({
      ...soldVariant(`variant-${at}`, product),
      quantities,
    }))
    // A variant may appear several times, also in groups of another seller.
    const lines = stocked.flatMap(({ id, quantities }) => quantities.map(quantity => ({ id, quantity })))
    const wanted = lines.map(({ id, quantity }, at) => ({ variantId: id, productId: id, quantity, path: `${at}` }))
    return { stocked, lines, wanted }
  })

function soldVariant(
  id: string,
  { sellerAt, priceCents, discount, shipping }: typeof product extends fc.Arbitrary<infer Value> ? Value : never,
): SoldVariant {
  const sellerId = `seller-${sellerAt}`
  const texts = { slug: id, name: id, category: 'Toys', brand: 'Ada', shopName: sellerId }
  return {
    id,
    productId: id,
    sellerId,
    ...texts,
    options: [],
    sku: '',
    picture: null,
    priceCents,
    discount,
    stock: 1000,
    pictures: [],
    shippingPrices: { [COUNTRY]: shipping },
    handlingDays: null,
    transitDays: {},
    refundsShipping: true,
  }
}

/** The same sums with integers that cannot round. */
function exactly(stocked: SoldVariant[], lines: { id: string; quantity: number }[]) {
  const items = lines.reduce((sum, { id, quantity }) => {
    const found = stocked.find(each => each.id === id)!
    return sum + BigInt(quantity) * BigInt(discountedCents(found))
  }, 0n)
  const shipping = stocked.reduce((sum, each) => sum + BigInt(each.shippingPrices[COUNTRY]!), 0n)
  return { itemsCents: items, shippingCents: shipping, priceCents: items + shipping }
}

describe('an order of any cart', () => {
  test(`adds up to the cent, sellers and shipping too (TEST_SEED=${SEED})`, () => {
    fc.assert(
      fc.property(cart, ({ stocked, lines, wanted: given }) => {
        const exact = exactly(stocked, lines)
        fc.pre(exact.priceCents <= BigInt(MAX_ORDER_CENTS))
        const sold = new Map(stocked.map(each => [each.id, each]))
        const wanted = mergeLines(given)
        const { sums, parts, itemCount } = priceOrder(wanted, sold, {
          country: COUNTRY,
          seenCents: Number(exact.priceCents),
        })

        expect(sums).toEqual({
          itemsCents: Number(exact.itemsCents),
          shippingCents: Number(exact.shippingCents),
          priceCents: Number(exact.priceCents),
        })
        const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
        const ordered = parts.flatMap(part => part.lines)
        expect(total(parts.map(({ priceCents }) => priceCents))).toBe(sums.priceCents)
        expect(total(ordered.map(({ shippingCents }) => shippingCents))).toBe(sums.shippingCents)
        expect(total(ordered.map(({ quantity }) => quantity))).toBe(itemCount)
        for (const part of parts) {
          const own = part.lines.map(line => line.quantity * line.unitCents + line.shippingCents)
          expect(total(own)).toBe(part.priceCents)
          for (const { productId } of part.lines) expect(sold.get(productId)?.sellerId).toBe(part.sellerId)
        }
        expect(new Set(parts.map(({ sellerId }) => sellerId)).size).toBe(parts.length)
        expect(new Set(ordered.map(({ productId }) => productId)).size).toBe(stocked.length)
      }),
      { numRuns: rounds(1000, 10_000), seed: SEED },
    )
  })

  test(`costs what the shop says, whatever the customer says (TEST_SEED=${SEED})`, () => {
    fc.assert(
      fc.property(cart, fc.integer({ min: 0, max: MAX_ORDER_CENTS }), ({ stocked, lines, wanted }, seenCents) => {
        const exact = Number(exactly(stocked, lines).priceCents)
        fc.pre(exact <= MAX_ORDER_CENTS && exact !== seenCents)
        const sold = new Map(stocked.map(each => [each.id, each]))
        expect(() => priceOrder(mergeLines(wanted), sold, { country: COUNTRY, seenCents })).toThrow(PriceChangedError)
      }),
      { numRuns: rounds(1000, 10_000), seed: SEED },
    )
  })

  test('is rejected when it is larger than any payment', () => {
    const dear = soldVariant('dear', { sellerAt: 0, priceCents: 99_999_999, discount: 0, shipping: 0 })
    const wanted = [{ variantId: 'dear', productId: 'dear', quantity: 101, path: '0' }]
    const terms = { country: COUNTRY, seenCents: 101 * 99_999_999 }
    expect(() => priceOrder(mergeLines(wanted), new Map([['dear', dear]]), terms)).toThrow('This order is too large')
  })
})
