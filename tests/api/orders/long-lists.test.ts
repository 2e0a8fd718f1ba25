import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { MAX_CART_LINES } from '#contract/rules.ts'
import { ordersOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

/** Stores cancelled orders of as many products as an order can have, each a day older than the one before. */
async function addLargeOrders(userId: string, count: number): Promise<void> {
  await db.execute(sql`
    with placed as (
      insert into orders (id, user_id, price_cents, status, created_at)
      select ${userId} || at, ${userId}, 0, 'cancelled', now() - at * interval '1 day'
      from generate_series(1, ${count}::int) at returning id
    ), parts as (
      insert into seller_orders (id, order_id, seller_id, shop_name, price_cents, delivery_status)
      select id, id, 'shop', 'Toy Town', 0, 'Cancelled' from placed returning id
    )
    insert into order_lines (id, seller_order_id, product_id, variant_id, quantity, unit_cents, seen)
    select id || '-' || line, id, 'toy', 'toy' || line, 1, 0, jsonb_build_object('name', 'Toy ' || line)
    from parts, generate_series(1, ${MAX_CART_LINES}::int) line
  `)
}

test('a customer with many large orders sees the newest of them, each with all of its products', async () => {
  const ada = await customer()
  await addLargeOrders(ada.id, 60)

  const orders = await ordersOf(ada)

  expect(orders).toHaveLength(50)
  expect(orders[0]!._id).toBe(`${ada.id}1`)
  for (const { parts } of orders) expect(parts.flatMap(({ products }) => products)).toHaveLength(MAX_CART_LINES)
})

test('an order whose products are unknown is listed, too', async () => {
  const ada = await customer()
  await db.execute(sql`insert into orders (id, user_id, price_cents) values (${ada.id}, ${ada.id}, 0)`)

  expect(await ordersOf(ada)).toMatchObject([{ _id: ada.id, parts: [] }])
})
