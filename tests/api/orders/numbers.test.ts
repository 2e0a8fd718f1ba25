import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { getOrder } from '#contract/orders.ts'
import { order as plainOrder } from '#tests/support/contract/plain-answers.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, orderOf, ordersOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider()
const { db, customer, close } = shop
const market = operatorOf(shop)
afterAll(close)

describe('an order’s number', () => {
  test('is short and has no letters that look alike, and is the same in lists, on the dashboard and in the order', async () => {
    const ada = await customer()
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))

    const [{ number } = { number: '' }] = await ordersOf(ada)
    expect(number).toMatch(/^PZ-[2-9CDFGHJKMNPQRTWXY]{6}$/)
    expect((await ada.api.getDashboard({ userId: ada.id })).recentOrders).toMatchObject([{ number }])
    expect((await ada.api.getOrder({ orderId })).order).toMatchObject({ _id: orderId, number })
  })

  test('is drawn again when another order has it already', async () => {
    const ada = await customer()
    const product = await addShippable(db)
    await db.execute(sql`create sequence draws`)
    await db.execute(sql`create or replace function random_order_number() returns text language sql as
      $$ select case when nextval('draws') < 4 then 'PZ-222222' else 'PZ-333333' end $$`)
    for (const key of ['first', 'second']) await ada.api.placeOrder(orderOf(ada.id, [product], { key }))

    expect((await ordersOf(ada)).map(({ number }) => number)).toEqual(['PZ-333333', 'PZ-222222'])
  })

  test('is drawn again when another order takes it at the same moment', async () => {
    const ada = await customer()
    const product = await addShippable(db)
    await db.execute(sql`create sequence races`)
    await db.execute(sql`create or replace function new_order_number() returns text language sql as
      $$ select case when nextval('races') < 3 then 'PZ-444444' else 'PZ-555555' end $$`)
    for (const key of ['first', 'second']) await ada.api.placeOrder(orderOf(ada.id, [product], { key }))

    expect((await ordersOf(ada)).map(({ number }) => number)).toEqual(['PZ-555555', 'PZ-444444'])
  })

  test('is the id at providers that do not number their orders', () => {
    const { number, ...order } = { ...plainOrder, number: undefined }
    expect(number).toBeUndefined()
    expect(getOrder.output.parse({ order, sellerOrders: [] }).order.number).toBe('o1')
  })

  test('names the order in the operator’s commands, in any case, as its id does', async () => {
    const ada = await customer()
    await db.execute(
      sql`create or replace function new_order_number() returns text language sql as $$ select 'PZ-777777' $$`,
    )
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))

    for (const name of ['PZ-777777', 'pz-777777', orderId])
      expect((await market('order', 'show', name)).out).toContain(`PZ-777777 (${orderId}): pending, unpaid`)
    expect((await market('order', 'cancel', 'pz-777777')).out).toBe('pz-777777 is cancelled; its payment is unpaid\n')
    expect(await market('order', 'show', 'PZ-888888')).toMatchObject({ code: 1, err: 'There is no such order\n' })
  })
})
