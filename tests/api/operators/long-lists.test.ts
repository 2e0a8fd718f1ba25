import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readPicturesOf } from '#server/catalogue/review-pictures.ts'
import { findShopsWithRates } from '#server/catalogue/shipping.ts'
import { openOperatedShop } from '#tests/support/provider/operated-shop.ts'

/** One more than a statement can have parameters. */
const MANY = 65_536

const { db, database, market, customer, openShop, place } = await openOperatedShop()

test('all returns of a large shop can be listed at once', async () => {
  const { product } = await openShop('clay', 'Clay')
  const orderId = await place(await customer(), product)
  await database.unhurried(unlimitedDb =>
    unlimitedDb.execute(sql`
      insert into returns (id, order_id, seller_order_id, kind, reason, status)
      select 'return-' || at, order_id, id, 'return', 'damaged', 'refunded'
      from seller_orders, generate_series(1, ${MANY}::int) at where order_id = ${orderId}`),
  )

  const { code, out } = await market('return', 'list', '--all')

  expect(code).toBe(0)
  expect(out.match(/return-\d+ /g)).toHaveLength(MANY)
})

test('a file of the catalogue may have any number of shops', async () => {
  const keys = Array.from({ length: MANY }, (_, at) => `shop-${at}`)

  expect(await findShopsWithRates(db, keys)).toEqual([])
})

test('any number of reviews can be listed with their pictures', async () => {
  const ids = Array.from({ length: MANY }, (_, at) => `review-${at}`)

  expect(await readPicturesOf(db, ids)).toEqual(new Map())
})
