import { and, eq, isNotNull, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { afterAll, expect, test } from 'vitest'
import { removeUnusedOptionSets } from '#server/catalogue/upkeep.ts'
import { transact } from '#server/db/transact.ts'
import { isTransient } from '#server/db/errors.ts'
import { optionSets, products, variants } from '#server/db/schema.ts'
import { listMiscounted } from '#server/operators/data-checks.ts'
import { addShoe, stocksOf } from '#tests/support/catalogue/catalogue.ts'
import { rounds } from '#tests/support/rounds.ts'
import { crowd, patiently } from '#tests/support/provider/crowd.ts'
import { assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const SHOES = 4
const STOCK = 6
/** More than there are units, so that every size sells out. */
const BUYERS = 100

const provider = await startProvider({ limits: 'placeOrder=100000/1m,ordersPerDay=100000/1d,api=100000/1m' })
const { db } = provider
afterAll(provider.close)

test('an option set that a transaction is about to use again is not removed', async () => {
  const shoe = await addShoe(db, { 42: { stock: 1 }, 43: { stock: 1 } })
  const [small] = shoe.variantIds as [string]
  await db.update(variants).set({ stock: 0 }).where(eq(variants.id, small))

  await transact(db, async tx => {
    await tx.update(variants).set({ stock: 1 }).where(eq(variants.id, small))
    await expect(transact(db, removeUnusedOptionSets)).rejects.toSatisfy(isTransient)
  })

  await transact(db, removeUnusedOptionSets)
  expect(await withoutTheirSet()).toEqual([])
})

test('sizes that sell out and come back are right while unused option sets are removed', async () => {
  for (let round = 0; round < rounds(2, 20); round += 1) {
    const shoes = await Promise.all(
      Array.from({ length: SHOES }, () =>
        addShoe(db, { 42: { stock: STOCK }, 43: { stock: STOCK }, 44: { stock: STOCK } }),
      ),
    )
    const units = shoes.flatMap(product => product.variantIds.map(variantId => ({ product, variantId })))
    const buyers = await crowd(provider, BUYERS)
    const end = new AbortController()
    const removing = removeOnAndOn(end.signal)
    const inTurn = pLimit(8)

    const answers = await Promise.allSettled([
      ...buyers.map(({ id, api }, at) => {
        const order = orderOf(id, [units[at % units.length]!])
        return inTurn(() => patiently(() => api.placeOrder(order)))
      }),
      ...shoes.map(({ id }) =>
        inTurn(() =>
          patiently(() =>
            transact(db, tx => tx.update(variants).set({ sku: 'SHOE' }).where(eq(variants.productId, id))),
          ),
        ),
      ),
    ])
    end.abort()
    await removing

    const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    expect(refused.filter(({ message }) => message !== 'Out of stock')).toEqual([])
    const left = await Promise.all(shoes.map(shoe => stocksOf(db, shoe)))
    expect(left.flat()).toEqual(units.map(() => 0))
    await patiently(() => db.update(variants).set({ stock: STOCK }).where(eq(variants.position, 0)))
    await transact(db, removeUnusedOptionSets)
    expect(await withoutTheirSet()).toEqual([])
    expect(await listMiscounted(db)).toEqual([])
  }
  await assertInvariants(db)
})

/** Removes unused sets without a pause, also when an order holds their table for longer than the upkeep waits. */
async function removeOnAndOn(signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await transact(db, removeUnusedOptionSets).catch((error: unknown) => {
      if (!isTransient(error)) throw error
    })
}

function withoutTheirSet() {
  const isThere = sql`exists (select from ${optionSets} where ${optionSets.id} = ${products.optionSet})`
  return db
    .select({ slug: products.slug })
    .from(products)
    .where(and(isNotNull(products.optionSet), sql`not ${isThere}`))
}
