import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { prunePrices } from '#server/catalogue/price-history.ts'
import { transact } from '#server/db/transact.ts'
import { variantPrices, variants } from '#server/db/schema.ts'
import { addProduct } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, close } = await startProvider()
afterAll(close)

/** A product without options, and the id of its only variant. */
async function addPlain(priceCents: number) {
  const { id } = await addProduct(db, { priceCents })
  const [variant] = await db.select({ id: variants.id }).from(variants).where(eq(variants.productId, id))
  return { id, variantId: variant!.id }
}

const change = (variantId: string, priceCents: number, discount = 0) =>
  db.update(variants).set({ priceCents, discount }).where(eq(variants.id, variantId))

/** Makes all prices stored so far `days` days older. */
const waitDays = (variantId: string, days: number) =>
  db
    .update(variantPrices)
    .set({ since: sql`${variantPrices.since} - make_interval(days => ${days})` })
    .where(eq(variantPrices.variantId, variantId))

const lowestOf = async (id: string) => (await api.getProduct({ id })).product.lowestCents
const pricesOf = async (variantId: string) =>
  (
    await db
      .select({ cents: variantPrices.finalCents })
      .from(variantPrices)
      .where(eq(variantPrices.variantId, variantId))
      .orderBy(variantPrices.since)
  ).map(({ cents }) => cents)

test('a discount stands beside the lowest price of the 30 days before it', async () => {
  const { id, variantId } = await addPlain(10_000)
  await waitDays(variantId, 20)
  await change(variantId, 7000)
  await waitDays(variantId, 10)
  await change(variantId, 9000)
  await waitDays(variantId, 5)

  await change(variantId, 10_000, 20)

  expect(await lowestOf(id)).toBe(7000)
})

test('a price that ended more than 30 days before the discount does not count', async () => {
  const { id, variantId } = await addPlain(5000)
  await waitDays(variantId, 10)
  await change(variantId, 9000)
  await waitDays(variantId, 31)

  await change(variantId, 10_000, 20)

  expect(await lowestOf(id)).toBe(9000)
})

test('a long discount keeps the price of the days before it', async () => {
  const { id, variantId } = await addPlain(9000)
  await waitDays(variantId, 10)
  await change(variantId, 9000, 20)
  await waitDays(variantId, 200)
  await prunePrices(db)

  expect(await lowestOf(id)).toBe(9000)
})

test('a discount from a raised price that leaves what shoppers pay stands beside the price before it', async () => {
  const { id, variantId } = await addPlain(10_000)
  await waitDays(variantId, 40)

  await change(variantId, 15_000, 33.3334)
  expect(await lowestOf(id)).toBe(10_000)

  await waitDays(variantId, 5)
  await change(variantId, 20_000, 50)
  expect(await lowestOf(id)).toBe(10_000)
})

test('a new discount at an old price counts the days before itself', async () => {
  const { id, variantId } = await addPlain(7000)
  await waitDays(variantId, 10)
  await change(variantId, 9000)
  await waitDays(variantId, 40)

  await change(variantId, 12_000, 25)

  expect(await lowestOf(id)).toBe(9000)
})

test('without a discount, or without an earlier price, there is none', async () => {
  const { id, variantId } = await addPlain(9000)
  await waitDays(variantId, 10)
  await change(variantId, 8000)
  expect(await lowestOf(id)).toBeUndefined()

  const discounted = await addProduct(db, { priceCents: 9000, discount: 20 })
  expect(await lowestOf(discounted.id)).toBeUndefined()
})

test('each change of a variant’s price is stored once, and a sale of units is not one', async () => {
  const { variantId } = await addPlain(9000)
  await waitDays(variantId, 1)
  await db.update(variants).set({ stock: 3 }).where(eq(variants.id, variantId))
  await change(variantId, 9000)
  await transact(db, async tx => {
    await tx.update(variants).set({ priceCents: 8000 }).where(eq(variants.id, variantId))
    await tx.update(variants).set({ priceCents: 7000 }).where(eq(variants.id, variantId))
  })

  expect(await pricesOf(variantId)).toEqual([9000, 7000])
})

test('the daily upkeep deletes prices that no page can show', async () => {
  const { variantId } = await addPlain(5000)
  await waitDays(variantId, 10)
  await change(variantId, 6000)
  await waitDays(variantId, 31)
  await change(variantId, 7000)

  await prunePrices(db)

  expect(await pricesOf(variantId)).toEqual([6000, 7000])
})
