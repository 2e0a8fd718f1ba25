import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { placeOrder } from '#contract/orders.ts'
import { HOLD_MINUTES, MAX_UNPAID_ORDERS } from '#contract/rules.ts'
import { orderRequests } from '#server/db/schema.ts'
import { openOrderPlacing } from '#server/orders/placing.ts'
import { addShippable, KENYA, orderOf, ordersOf, SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { stockOf, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, jobs, config, customer, request, close } = await startProvider({ limits: 'placeOrder=1000/1m' })
afterAll(close)

describe('an order is rejected', () => {
  test('for a country that a product does not ship to, with the product’s name', async () => {
    const ada = await customer()
    const [train, kite] = [await addShippable(db), await addShippable(db, { name: 'Kite', shippingPrices: {} })]

    for (const country of ['Kenya', 'Ghana']) {
      const shippingInfo = { ...KENYA, country }
      await expect(ada.api.placeOrder(orderOf(ada.id, [train, kite], { shippingInfo }))).rejects.toMatchObject({
        status: 422,
        message: `This product does not ship to ${country}. Please remove it from your cart to continue.`,
        fields: { 'products.1.products.0': 'Kite' },
      })
    }
    expect(await stockOf(db, train)).toBe(5)
  })

  test('when products are out of stock, hidden or deleted, with a message for each', async () => {
    const ada = await customer()
    const few = await addShippable(db, { name: 'Kite', stock: 2 })
    const none = await addShippable(db, { name: 'Lamp', stock: 0 })
    const hidden = await addShippable(db, { isHidden: true })
    const gone = { ...few, id: 'gone' }

    const order = orderOf(ada.id, [{ product: few, quantity: 3 }, none, hidden, gone])
    await expect(ada.api.placeOrder(order)).rejects.toMatchObject({
      status: 422,
      message: 'Out of stock',
      fields: {
        'products.0.products.0': 'Only 2 left of Kite',
        'products.1.products.0': 'Lamp is out of stock',
        'products.2.products.0': 'This product is no longer sold',
        'products.3.products.0': 'This product is no longer sold',
      },
    })
  })

  test('when the price has changed, with the current totals', async () => {
    const ada = await customer()
    const train = await addShippable(db, { priceCents: 1000 })
    const order = orderOf(ada.id, [{ product: train, quantity: 2 }])
    await setVariants(db, train, { priceCents: 1250 })

    const summary = { itemsCents: 2500, shippingCents: SHIPPING_CENTS, priceCents: 2500 + SHIPPING_CENTS }
    await expect(ada.api.placeOrder(order)).rejects.toMatchObject({
      status: 422,
      code: 'PRICE_CHANGED',
      message: 'The price has changed',
      summary,
    })

    // The key of a rejected request can be used again.
    const { orderId } = await ada.api.placeOrder({ ...order, priceCents: summary.priceCents })
    expect((await ada.api.getOrder({ orderId })).order).toMatchObject({ priceCents: summary.priceCents })
  })

  test('when the customer has reached the limit of unpaid orders', async () => {
    const ada = await customer()
    const train = await addShippable(db, { stock: 100 })
    const placing = Array.from({ length: MAX_UNPAID_ORDERS }, () => ada.api.placeOrder(orderOf(ada.id, [train])))
    const [first] = await Promise.all(placing)

    const more = () => Promise.allSettled([1, 2, 3].map(() => ada.api.placeOrder(orderOf(ada.id, [train]))))
    const refused = { status: 'rejected', reason: { status: 422, message: expect.stringContaining('unpaid orders') } }
    expect(await more()).toMatchObject([refused, refused, refused])
    await ada.api.cancelOrder(first!)

    expect((await more()).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stockOf(db, train)).toBe(100 - MAX_UNPAID_ORDERS)
  })
})

test('an order keeps its units for half an hour', async () => {
  const ada = await customer()
  await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))

  const [order] = (await ada.api.getUnpaidOrders({ userId: ada.id })).orders

  expect(order!.secondsLeft).toBeGreaterThan((HOLD_MINUTES - 3) * 60)
  expect(order!.secondsLeft).toBeLessThanOrEqual(HOLD_MINUTES * 60)
})

describe('an order request that is repeated', () => {
  test('returns the same order, even when many arrive at once', async () => {
    const ada = await customer()
    const train = await addShippable(db, { stock: 100 })
    const order = orderOf(ada.id, [train])

    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.api.placeOrder(order)))
    const later = await ada.api.placeOrder(order)

    expect(new Set([...answers, later].map(({ orderId }) => orderId)).size).toBe(1)
    expect(await ordersOf(ada)).toHaveLength(1)
    expect(await stockOf(db, train)).toBe(99)
  })

  test('that reaches two processes at once places one order', async () => {
    const ada = await customer()
    const train = await addShippable(db)
    const order = orderOf(ada.id, [train])
    const processes = [1, 2].map(() => openOrderPlacing({ db, jobs, holdLimits: config.holdLimits }))

    const [first, second] = await Promise.all(processes.map(place => place(ada.id, order)))

    expect(second).toBe(first)
    expect(await ordersOf(ada)).toHaveLength(1)
    expect(await stockOf(db, train)).toBe(4)
  })

  test('counts once in the rate limit', async () => {
    const { db, customer, close } = await startProvider({ limits: 'placeOrder=2/1m' })
    const ada = await customer()
    const train = await addShippable(db)
    const order = orderOf(ada.id, [train])

    await Promise.all(Array.from({ length: 10 }, () => ada.api.placeOrder(order)))
    await ada.api.placeOrder(orderOf(ada.id, [train]))

    await expect(ada.api.placeOrder(orderOf(ada.id, [train]))).rejects.toMatchObject({ status: 429 })
    await ada.api.placeOrder(order)
    await close()
  })

  test('is recognised by its key; a different order with the same key is rejected', async () => {
    const ada = await customer()
    const [train, kite] = [await addShippable(db), await addShippable(db)]
    const key = 'one key'
    await ada.api.placeOrder(orderOf(ada.id, [train], { key }))

    const refusal = { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' }
    await expect(ada.api.placeOrder(orderOf(ada.id, [kite], { key }))).rejects.toMatchObject(refusal)
    await expect(
      ada.api.placeOrder(orderOf(ada.id, [train], { key, shippingInfo: { ...KENYA, area: 'Karen' } })),
    ).rejects.toMatchObject(refusal)
    expect(await stockOf(db, kite)).toBe(5)

    // Keys belong to one customer.
    const grace = await customer()
    await grace.api.placeOrder(orderOf(grace.id, [kite], { key }))
    expect(await ordersOf(ada)).toHaveLength(1)
  })

  test('without a key is recognised by its content for ten seconds', async () => {
    const ada = await customer()
    const train = await addShippable(db)
    const order = orderOf(ada.id, [train], { key: undefined })

    const first = await ada.api.placeOrder(order)
    expect(await ada.api.placeOrder(order)).toEqual(first)
    await db
      .update(orderRequests)
      .set({ createdAt: new Date(Date.now() - 11_000) })
      .where(eq(orderRequests.userId, ada.id))
    const second = await ada.api.placeOrder(order)

    expect(second).not.toEqual(first)
    expect(await ada.api.placeOrder(order)).toEqual(second)
    expect(await ordersOf(ada)).toHaveLength(2)
  })
})

describe('an order request from a browser', () => {
  async function send(ada: Customer, change: object) {
    const product = await addShippable(db, { priceCents: 1000, stock: 5 })
    const body = {
      userId: ada.id,
      price: 15,
      items: 1,
      products: [
        { sellerId: 'x', shopName: 'x', price: 1, products: [{ quantity: 1, productInfo: { _id: product.id } }] },
      ],
      shippingInfo: KENYA,
    }
    const quantity = (given: unknown) => [{ products: [{ quantity: given, productInfo: { _id: product.id } }] }]
    const changed = 'quantity' in change ? { products: quantity(change.quantity) } : change
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` }
    const answer = await request(`/api${placeOrder.path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, ...changed }),
    })
    return { status: answer.status, body: (await answer.json()) as { error?: string; orderId?: string }, product }
  }

  test.each<[string, object, number]>([
    ['a price of nothing', { price: 0 }, 422],
    ['a price of one cent less', { price: 14.99 }, 422],
    ['a huge price', { price: 1e9 }, 422],
    ['a negative price', { price: -1 }, 400],
    ['a price that is text', { price: '15' }, 400],
    ['no price', { price: null }, 400],
    ['no units', { quantity: 0 }, 400],
    ['fewer than no units', { quantity: -1 }, 400],
    ['half a unit', { quantity: 1.5 }, 400],
    ['more units than there can be', { quantity: 1e10 }, 400],
    ['more units than there are', { quantity: 1e9 }, 422],
    ['no products', { products: [] }, 400],
    ['a group without products', { products: [{ products: [] }] }, 400],
    ['a country that is none', { shippingInfo: { ...KENYA, country: '__proto__' } }, 400],
    ['a country that objects have', { shippingInfo: { ...KENYA, country: 'constructor' } }, 400],
    ['a blank field', { shippingInfo: { ...KENYA, city: ' ' } }, 400],
    ['a field of which nothing is seen', { shippingInfo: { ...KENYA, name: '\u200b' } }, 400],
    ['no address', { shippingInfo: undefined }, 400],
  ])('with %s is rejected and orders nothing', async (_, change, status) => {
    const ada = await customer()
    const answer = await send(ada, change)

    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
    expect(await ordersOf(ada)).toEqual([])
    expect(await stockOf(db, answer.product)).toBe(5)
  })

  test('cannot change prices, discounts or sellers', async () => {
    const ada = await customer()
    const { status, body } = await send(ada, {})
    expect(status).toBe(201)
    const { order } = await ada.api.getOrder({ orderId: body.orderId! })
    expect(order).toMatchObject({ priceCents: 1500, groups: [{ shopName: 'Ada Shop', priceCents: 1500 }] })
  })

  test('may name the postal code as a saved address does', async () => {
    const ada = await customer()
    const { post, ...rest } = KENYA
    const { status, body } = await send(ada, { shippingInfo: { ...rest, postal: post } })
    expect(status).toBe(201)
    expect((await ada.api.getOrder({ orderId: body.orderId! })).order.shippingInfo).toEqual(KENYA)
  })
})
