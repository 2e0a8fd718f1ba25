import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { orders, users } from '#server/db/schema.ts'
import { readHoldLimits } from '#server/orders/hold-limits.ts'
import { addShippable, assertInvariants, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, jobs, customer, newcomer, close } = await startProvider({
  limits: 'placeOrder=1000/1m',
  holdLimits: readHoldLimits('units=20,value=1000,unconfirmedUnits=5,unconfirmedValue=200'),
})
afterAll(close)
afterEach(() => assertInvariants(db))

const NOT_CONFIRMED = { status: 422, message: 'Please confirm your email address', code: 'EMAIL_NOT_CONFIRMED' }

type Wishes = Parameters<typeof orderOf>[1]
const place = ({ api, id }: Customer, ...wishes: Wishes) => api.placeOrder(orderOf(id, wishes))
const stocked = (change = {}) => addShippable(db, { stock: 1000, priceCents: 100, ...change })

describe('a customer with an unconfirmed email', () => {
  test('can order again after paying the first order', async () => {
    const ada = await newcomer()
    const kite = await stocked()
    const { orderId } = await place(ada, kite)
    await payOrder(db, jobs, (await ada.api.getOrder({ orderId })).order)

    await expect(place(ada, kite)).resolves.toHaveProperty('orderId')
  })

  test('can have only one unpaid order until the email is confirmed', async () => {
    const ada = await newcomer()
    const kite = await stocked()
    const { orderId } = await place(ada, kite)
    await expect(place(ada, kite)).rejects.toMatchObject(NOT_CONFIRMED)

    await ada.api.cancelOrder({ orderId })
    await place(ada, kite)
    await expect(place(ada, kite)).rejects.toMatchObject(NOT_CONFIRMED)

    await db.update(users).set({ emailConfirmedAt: new Date() }).where(eq(users.id, ada.id))
    await expect(place(ada, kite)).resolves.toHaveProperty('orderId')
    expect(await stockOf(db, kite)).toBe(998)
  })

  test('can have only few units of a product and a small total in an unpaid order', async () => {
    const ada = await newcomer()
    const [kite, safe] = [await stocked({ name: 'Red kite' }), await stocked({ priceCents: 10_000 })]
    await expect(place(ada, { product: kite, quantity: 6 })).rejects.toMatchObject({
      ...NOT_CONFIRMED,
      fields: { 'products.0.products.0': 'Unpaid orders can have at most 5 of Red kite' },
    })
    await expect(place(ada, { product: safe, quantity: 2 })).rejects.toMatchObject({
      ...NOT_CONFIRMED,
      fields: { price: 'Unpaid orders can come to at most $200.00' },
    })
    expect([await stockOf(db, kite), await stockOf(db, safe)]).toEqual([1000, 1000])

    await expect(place(ada, { product: kite, quantity: 5 })).resolves.toHaveProperty('orderId')
  })
})

describe('a customer with a confirmed email', () => {
  test('can have a limited number of units of one product in all unpaid orders together', async () => {
    const ada = await customer()
    const [kite, train] = [await stocked({ name: 'Red kite' }), await stocked()]
    await place(ada, { product: kite, quantity: 8 })
    const { orderId } = await place(ada, { product: kite, quantity: 8 }, { product: train, quantity: 20 })

    const refused = { status: 422, message: 'Unpaid orders can have at most 20 of Red kite' }
    await expect(place(ada, { product: kite, quantity: 5 })).rejects.toMatchObject(refused)
    await expect(place(ada, { product: kite, quantity: 4 })).resolves.toHaveProperty('orderId')
    await expect(place(ada, kite)).rejects.toMatchObject(refused)
    await ada.api.cancelOrder({ orderId })
    await expect(place(ada, { product: kite, quantity: 8 })).resolves.toHaveProperty('orderId')
  })

  test('can have a limited total in all unpaid orders together, and can order again once they are cancelled', async () => {
    const ada = await customer()
    const safe = await stocked({ priceCents: 40_000 })
    await place(ada, safe)
    await place(ada, safe)

    const refused = { status: 422, message: 'Unpaid orders can come to at most $1,000.00' }
    await expect(place(ada, safe)).rejects.toMatchObject(refused)

    for (const { _id: orderId } of (await ada.api.getOrders({ userId: ada.id, status: 'pending' })).orders)
      await ada.api.cancelOrder({ orderId })
    await expect(place(ada, safe)).resolves.toHaveProperty('orderId')
    expect(await db.$count(orders, eq(orders.userId, ada.id))).toBe(3)
  })
})
