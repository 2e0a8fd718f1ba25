import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { discountedCents, discountFor, MAX_PRICE_CENTS } from '#contract/rules.ts'
import { products, variants } from '#server/db/schema.ts'
import { addCategory, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

const MANY = 2000
const price = fc.oneof(fc.integer({ min: 0, max: MAX_PRICE_CENTS }), fc.integer({ min: 0, max: 20_000 }))
const percent = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 1_000_000 }).map(steps => steps / 10_000),
)

async function finalCentsInDatabase(terms: { priceCents: number; discount: number }[]): Promise<number[]> {
  const category = await addCategory(db)
  const { id: sellerId } = await addSeller(db)
  const texts = { sellerId, category, name: 'Train', brand: 'Ada', shopName: 'Ada Shop' }
  await db.insert(products).values({ ...texts, id: 'train', handle: 'train', slug: 'train' })
  const rows = terms.map((row, position) => ({ ...row, productId: 'train', position }))
  for (let at = 0; at < rows.length; at += 500) await db.insert(variants).values(rows.slice(at, at + 500))
  const stored = await db.select({ finalCents: variants.finalCents }).from(variants).orderBy(variants.position)
  return stored.map(({ finalCents }) => finalCents)
}

describe('the final price in the database', () => {
  test('equals the discounted price that the contract computes', async () => {
    const odd = fc.sample(fc.record({ priceCents: price, discount: percent }), MANY)
    const paid = fc
      .sample(fc.tuple(price, price), MANY)
      .map(([one, other]) => discountFor(Math.min(one, other), Math.max(one, other)))
    const edges = [
      { priceCents: 1999, discount: 10 },
      { priceCents: 10_000, discount: 29 },
      { priceCents: 0, discount: 100 },
      { priceCents: MAX_PRICE_CENTS, discount: 99.9999 },
      { priceCents: MAX_PRICE_CENTS, discount: 100 },
    ]
    const terms = [...edges, ...odd, ...paid]

    expect(await finalCentsInDatabase(terms)).toEqual(terms.map(discountedCents))
  })
})
