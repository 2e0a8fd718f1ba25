import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { getOrders } from '#contract/orders.ts'
import { auditEvents, cartLines, products } from '#server/db/schema.ts'
import { addSeller, picture, stockOf, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { addShippable, KENYA, orderOf, ordersOf, SHIPPING_CENTS } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, request, close } = await startProvider({ limits: 'placeOrder=1000/1m' })
afterAll(close)

/** Returns the ids of the customer’s cart lines, by product. */
async function cartOf({ api, id }: Customer) {
  const { groups } = await api.getCart({ userId: id })
  const lines = groups.flatMap(group => group.products)
  return new Map(lines.map(line => [line.product._id, line._id]))
}

describe('an order', () => {
  test('is split by seller, with product prices and shipping', async () => {
    const ada = await customer()
    const { id: sellerId } = await addSeller(db, { shopName: 'Toy Town', shippingRates: { Kenya: 300 } })
    const train = await addShippable(db, { sellerId, shopName: 'Toy Town', priceCents: 1999, discount: 10, stock: 5 })
    const lamp = await addShippable(db, { shopName: 'Lights', priceCents: 500 })

    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: train, quantity: 3 }, lamp]))

    const { order, sellerOrders } = await ada.api.getOrder({ orderId })
    expect(order).toMatchObject({
      _id: orderId,
      userId: ada.id,
      status: 'pending',
      paymentStatus: 'unpaid',
      priceCents: 3 * 1899 + 500 + 2 * SHIPPING_CENTS,
      shippingCents: 2 * SHIPPING_CENTS,
      items: 4,
      shippingInfo: KENYA,
      timeline: [{ text: 'Order received' }],
    })
    expect(sellerOrders).toMatchObject([
      {
        sellerId,
        shopName: 'Toy Town',
        priceCents: 3 * 1899 + SHIPPING_CENTS,
        deliveryStatus: 'Pending',
        products: [{ quantity: 3, productInfo: { _id: train.id, slug: train.slug, priceCents: 1999, discount: 10 } }],
      },
      { shopName: 'Lights', priceCents: 500 + SHIPPING_CENTS, products: [{ quantity: 1 }] },
    ])
    expect(order.groups.map(({ priceCents }) => priceCents)).toEqual(sellerOrders.map(({ priceCents }) => priceCents))
    expect(await stockOf(db, train)).toBe(2)
  })

  test('is recorded in the audit log with its sum', async () => {
    const ada = await customer()

    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db, { priceCents: 1999 })]))

    const written = await db.select().from(auditEvents).where(eq(auditEvents.actorId, ada.id))
    const details = { orderId, priceCents: 1999 + SHIPPING_CENTS }
    expect(written.filter(({ event }) => event === 'order')).toMatchObject([{ outcome: 'ok', details }])
  })

  test('uses the seller’s shipping rate where the product has none', async () => {
    const ada = await customer()
    const { id: sellerId } = await addSeller(db, { shippingRates: { Kenya: 300, Ghana: 900 } })
    const train = await addShippable(db, { sellerId, priceCents: 1000, shippingPrices: { Ghana: 100 } })

    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [train], { priceCents: 1300 }))
    const abroad = { priceCents: 1100, shippingInfo: { ...KENYA, country: 'Ghana' } }
    const other = await ada.api.placeOrder(orderOf(ada.id, [train], abroad))

    expect((await ada.api.getOrder({ orderId })).order).toMatchObject({ shippingCents: 300 })
    expect((await ada.api.getOrder({ orderId: other.orderId })).order).toMatchObject({ shippingCents: 100 })
  })

  test('shows each product’s picture', async () => {
    const ada = await customer()
    const [blue, red] = [picture('blue'), picture('red')]
    const train = await addShippable(db, { pictures: [blue, red] })
    const kite = await addShippable(db, { pictures: [blue, red], variants: [{ picture: red }] })

    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [train, kite]))

    const { sellerOrders } = await ada.api.getOrder({ orderId })
    const images = sellerOrders.map(({ products }) => products[0]!.productInfo.images)
    expect(images).toEqual([blue, red].map(({ hash }) => [`/media/${hash}/640.webp`]))
  })

  test('promises no day of arrival for a country to which its shop knows no time of travel', async () => {
    const ada = await customer()
    const { id: sellerId } = await addSeller(db, { handlingDays: [1, 2], transitDays: { Ghana: [3, 6] } })
    const train = await addShippable(db, { sellerId, shippingPrices: { Kenya: 500, Ghana: 500 } })

    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [train]))
    const abroad = { shippingInfo: { ...KENYA, country: 'Ghana' } }
    const other = await ada.api.placeOrder(orderOf(ada.id, [train], abroad))

    expect((await ada.api.getOrder({ orderId })).order.groups[0]!.deliveryDays).toBeUndefined()
    expect((await ada.api.getOrder(other)).order.groups[0]!.deliveryDays).toEqual([4, 8])
  })

  test('stays unchanged when its product is changed or deleted', async () => {
    const ada = await customer()
    const train = await addShippable(db, { name: 'Blue train', priceCents: 1000 })
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [train]))
    const before = await ada.api.getOrder({ orderId })

    await db.update(products).set({ name: 'Red train' }).where(eq(products.id, train.id))
    await setVariants(db, train, { priceCents: 2000 })
    expect(await ada.api.getOrder({ orderId })).toEqual(before)
    await db.delete(products).where(eq(products.id, train.id))
    expect(await ada.api.getOrder({ orderId })).toEqual(before)
    expect(before.order.groups[0]?.products[0]?.productInfo).toMatchObject({ name: 'Blue train', priceCents: 1000 })
  })

  test('adds up the units of a product that is listed twice, and charges shipping once', async () => {
    const ada = await customer()
    const train = await addShippable(db, { priceCents: 1000, stock: 5 })
    const twice = (first: number, second: number) =>
      orderOf(
        ada.id,
        [
          { product: train, quantity: first },
          { product: train, quantity: second },
        ],
        {
          priceCents: (first + second) * 1000 + SHIPPING_CENTS,
        },
      )

    await expect(ada.api.placeOrder(twice(3, 3))).rejects.toMatchObject({ status: 422, message: 'Out of stock' })
    expect(await stockOf(db, train)).toBe(5)
    const { orderId } = await ada.api.placeOrder(twice(3, 2))

    const { sellerOrders } = await ada.api.getOrder({ orderId })
    expect(sellerOrders).toMatchObject([{ products: [{ quantity: 5 }] }])
    expect(await stockOf(db, train)).toBe(0)
  })

  test('is paid at once when it costs nothing', async () => {
    const ada = await customer()
    const gift = await addShippable(db, { priceCents: 0, shippingPrices: { Kenya: 0 } })

    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [gift]))

    const { order, sellerOrders } = await ada.api.getOrder({ orderId })
    expect(order).toMatchObject({ priceCents: 0, status: 'placed', paymentStatus: 'paid' })
    expect(sellerOrders).toMatchObject([{ deliveryStatus: 'Processing' }])
  })
})

describe('the cart after an order', () => {
  test('loses the ordered lines and no others', async () => {
    const ada = await customer()
    const [train, kite, lamp] = [await addShippable(db), await addShippable(db), await addShippable(db)]
    for (const { id: productId } of [train, kite, lamp])
      await ada.api.addToCart({ userId: ada.id, productId, quantity: 1 })
    const own = await cartOf(ada)

    await ada.api.placeOrder(
      orderOf(ada.id, [
        { product: train, lineId: own.get(train.id)! },
        // The line of a product that is not in the order.
        { product: await addShippable(db), lineId: own.get(lamp.id)! },
      ]),
    )

    expect([...(await cartOf(ada)).keys()].toSorted()).toEqual([kite.id, lamp.id].toSorted())
  })

  test('keeps lines of another customer: an order that names one fails as with an unknown line', async () => {
    const [ada, grace] = [await customer(), await customer()]
    const kite = await addShippable(db)
    await grace.api.addToCart({ userId: grace.id, productId: kite.id, quantity: 1 })
    const hers = await cartOf(grace)

    const [others, missing] = await Promise.all(
      [hers.get(kite.id)!, 'no-such-line'].map(lineId =>
        ada.api.placeOrder(orderOf(ada.id, [{ product: kite, lineId }])).catch((error: unknown) => error),
      ),
    )

    expect(others).toMatchObject({ status: 422, message: 'Your cart has changed in the meantime' })
    expect(others).toEqual(missing)
    expect(await cartOf(grace)).toEqual(hers)
    expect(await stockOf(db, kite)).toBe(5)
  })

  test('is unchanged when the order is rejected', async () => {
    const ada = await customer()
    const [train, kite] = [await addShippable(db), await addShippable(db, { stock: 1 })]
    await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 2 })
    const before = await cartOf(ada)

    const order = orderOf(ada.id, [
      { product: train, lineId: before.get(train.id)! },
      { product: kite, quantity: 2 },
    ])
    await expect(ada.api.placeOrder(order)).rejects.toMatchObject({ status: 422 })

    expect(await cartOf(ada)).toEqual(before)
    expect([await stockOf(db, train), await stockOf(db, kite)]).toEqual([5, 1])
    expect(await ordersOf(ada)).toEqual([])
  })

  test('cannot be ordered again from another tab', async () => {
    const ada = await customer()
    const train = await addShippable(db)
    await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 1 })
    const lineId = (await cartOf(ada)).get(train.id)!

    const tabs = [1, 2, 3].map(() => ada.api.placeOrder(orderOf(ada.id, [{ product: train, lineId }])))
    const answers = await Promise.allSettled(tabs)

    const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as object] : []))
    const refusal = { status: 422, message: 'Your cart has changed in the meantime' }
    expect(refused).toMatchObject([refusal, refusal])
    expect(await ordersOf(ada)).toHaveLength(1)
    expect(await stockOf(db, train)).toBe(4)
  })

  test('keeps a line whose quantity another device has changed, or which it has removed: the order is rejected', async () => {
    const ada = await customer()
    const train = await addShippable(db)
    await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 1 })
    const lineId = (await cartOf(ada)).get(train.id)!
    const place = () => ada.api.placeOrder(orderOf(ada.id, [{ product: train, quantity: 1, lineId }]))
    const refusal = { status: 422, message: 'Your cart has changed in the meantime' }

    await ada.api.setQuantity({ lineId, quantity: 3 })
    await expect(place()).rejects.toMatchObject(refusal)
    await ada.api.setQuantity({ lineId, quantity: 1 })
    await ada.api.removeCartLine({ lineId })
    await expect(place()).rejects.toMatchObject(refusal)
    await ada.api.restoreCartLine({ lineId })

    await place()
    expect(await cartOf(ada)).toEqual(new Map())
    expect(await stockOf(db, train)).toBe(4)
  })

  test('cannot get an ordered line back', async () => {
    const ada = await customer()
    const train = await addShippable(db)
    await ada.api.addToCart({ userId: ada.id, productId: train.id, quantity: 1 })
    const lineId = (await cartOf(ada)).get(train.id)!
    await ada.api.placeOrder(orderOf(ada.id, [{ product: train, lineId }]))

    await expect(ada.api.restoreCartLine({ lineId })).rejects.toMatchObject({ status: 404 })
    expect(await db.select().from(cartLines).where(eq(cartLines.userId, ada.id))).toEqual([])
  })
})

describe('a customer’s orders', () => {
  test('are listed newest first, by status, and counted on the dashboard', async () => {
    const ada = await customer()
    const train = await addShippable(db, { stock: 100 })
    const placed: string[] = []
    for (let at = 0; at < 7; at += 1) placed.push((await ada.api.placeOrder(orderOf(ada.id, [train]))).orderId)
    await ada.api.cancelOrder({ orderId: placed[0]! })
    await ada.api.cancelOrder({ orderId: placed[6]! })

    const idsOf = async (status: 'all' | 'placed' | 'pending' | 'cancelled') =>
      (await ada.api.getOrders({ userId: ada.id, status })).orders.map(({ _id }) => _id)
    expect(await idsOf('all')).toEqual(placed.toReversed())
    expect(await idsOf('pending')).toEqual(placed.slice(1, 6).toReversed())
    expect(await idsOf('cancelled')).toEqual([placed[6], placed[0]])
    expect(await idsOf('placed')).toEqual([])

    const headers = { authorization: `Bearer ${ada.token}` }
    for (const status of ['warehouse', 'Pending', 'toString', '%00', 'x'.repeat(2000)]) {
      const answer = await request(`/api${getOrders.path.replace(':customerId', ada.id).replace(':status', status)}`, {
        headers,
      })
      expect([status, answer.status, await answer.json()]).toEqual([status, 200, { orders: [] }])
    }

    const dashboard = await ada.api.getDashboard({ userId: ada.id })
    expect(dashboard).toMatchObject({ orderCount: 7, pendingCount: 5, cancelledCount: 2 })
    expect(dashboard.recentOrders.map(({ _id }) => _id)).toEqual(placed.toReversed().slice(0, 5))
  })

  test('are empty for a new customer', async () => {
    const ada = await customer()
    expect(await ordersOf(ada)).toEqual([])
    expect(await ada.api.getDashboard({ userId: ada.id })).toEqual({
      orderCount: 0,
      pendingCount: 0,
      cancelledCount: 0,
      recentOrders: [],
    })
  })
})
