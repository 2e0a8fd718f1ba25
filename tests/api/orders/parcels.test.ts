import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { daysAfter } from '#contract/delivery.ts'
import { orders, parcels, sellerOrders, sellers } from '#server/db/schema.ts'
import { assumeArrivals } from '#server/orders/arrivals.ts'
import { cancelByOperator, refundOrder } from '#server/orders/cancelling.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { notifyOfLateParcels } from '#server/orders/late-parcels.ts'
import { addSeller, stockOf } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { lettersSent, subjectOf } from '#tests/support/provider/letters.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, assertInvariants, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const provider = await startProvider({ limits: 'placeOrder=1000/1m' })
const { db, jobs, customer, letters } = provider
const initialStock = new Map<string, number>()
afterAll(provider.close)
afterEach(() => assertInvariants(db, { initialStock }))

const market = operatorOf(provider)

/** A paid order of three mugs and a bowl from one shop. */
async function paid() {
  const ada = await customer('Ada Customer')
  const mug = await addShippable(db, { shopName: 'Clay', name: 'Mug' })
  const bowl = await addShippable(db, { shopName: 'Clay', name: 'Bowl', sellerId: mug.sellerId })
  for (const { variantId, stock } of [mug, bowl]) initialStock.set(variantId, stock)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }, bowl]))
  const read = () => ada.api.getOrder({ orderId })
  await payOrder(db, jobs, (await read()).order)
  const part = async () => (await read()).sellerOrders[0]!
  return { ada, orderId, read, part, mug, bowl, mailed: () => letters.filter(({ to }) => to === ada.email) }
}

const namesOf = (products: { quantity: number; productInfo: { name: string } }[]) =>
  products.map(({ quantity, productInfo }) => `${quantity} ${productInfo.name}`)

describe('a shop’s part of an order', () => {
  test('is sent in several parcels, and is Shipped or Delivered only once all of them are', async () => {
    const { orderId, part, read, mug } = await paid()

    const first = await market(
      'order',
      'ship',
      orderId,
      '--carrier',
      'dhl',
      '--tracking',
      'JD 01',
      '--items',
      `${mug.slug}=2`,
    )
    expect(first).toEqual({ code: 0, out: `${orderId} is shipped by Clay; 2 units left to send\n`, err: '' })
    const partly = await part()
    expect(partly.deliveryStatus).toBe('Processing')
    expect(namesOf(partly.unsent)).toEqual(['1 Mug', '1 Bowl'])
    expect(partly.parcels).toMatchObject([{ number: 1, status: 'sent', carrier: 'DHL', trackingNumber: 'JD 01' }])
    expect(namesOf(partly.parcels[0]!.products)).toEqual(['2 Mug'])
    expect((await market('order', 'show', orderId)).out).toContain('Left to send: 1 × Mug, 1 × Bowl')

    await market('order', 'ship', orderId)
    expect(await part()).toMatchObject({ deliveryStatus: 'Shipped', unsent: [], parcels: [{}, { number: 2 }] })

    const second = await market('order', 'deliver', orderId, '--parcel', '2')
    expect(second.out).toBe(`Parcel 2 of ${orderId} has arrived\n`)
    expect(await part()).toMatchObject({
      deliveryStatus: 'Shipped',
      parcels: [{ status: 'sent' }, { status: 'arrived' }],
    })
    expect((await market('order', 'deliver', orderId)).out).toBe(`${orderId} is delivered by Clay\n`)
    expect((await part()).deliveryStatus).toBe('Delivered')
    const texts = (await read()).order.timeline.map(({ text }) => text)
    expect(texts.slice(2)).toEqual([
      'Partly shipped by Clay',
      'Shipped by Clay',
      'A parcel from Clay has arrived',
      'Delivered from Clay',
    ])
    expect((await market('order', 'deliver', orderId)).err).toBe('Nothing of this order is Shipped\n')
  })

  test('tells the customer of each parcel by mail and notification, with the tracking link', async () => {
    const { ada, orderId, mug, mailed } = await paid()
    const items = [{ name: mug.slug }]
    await shipOrder(db, jobs, orderId, { shop: 'Clay', carrier: 'UPS', trackingNumber: '1Z9', items })
    await shipOrder(db, jobs, orderId)

    const subjects = () => mailed().map(subjectOf)
    await vi.waitFor(() => expect(subjects()).toContain('Clay has shipped part of your order'), PATIENCE)
    const letter = mailed().find(({ subject }) => subject.startsWith('Clay has shipped part of your order'))!
    expect(letter.text).toContain('3 × Mug')
    expect(letter.text).not.toContain('Bowl')
    expect(letter.text).toContain('Follow the parcel: https://www.ups.com/track?tracknum=1Z9')
    expect(letter.html).toMatch(/href="https:\/\/www.ups.com\/track\?tracknum=1Z9"\s.*\s*>Follow the parcel</)
    expect(letter.html).toContain('Sent with UPS, tracking number 1Z9')
    const { notifications } = await ada.api.getNotifications({})
    expect(notifications.slice(0, 2).map(({ message }) => message)).toEqual([
      'Clay has shipped Bowl.',
      'Clay has shipped Mug with UPS, tracking number 1Z9. The rest follows in another parcel.',
    ])
  })

  test('rejects a parcel with an item that it does not have, or with more units than are left', async () => {
    const { orderId, part, mug, bowl } = await paid()
    const ship = (...items: { name: string; quantity?: number }[]) =>
      shipOrder(db, jobs, orderId, { shop: 'Clay', items })

    await expect(ship({ name: 'spoon' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(ship({ name: mug.slug, quantity: 4 })).rejects.toThrow('Mug: 3 left to send')
    await expect(ship({ name: '2' }, { name: bowl.slug, quantity: 1 })).rejects.toThrow('Bowl: 0 left to send')
    expect((await part()).parcels).toEqual([])
    await ship({ name: '2' })
    expect(namesOf((await part()).unsent)).toEqual(['3 Mug'])
  })

  test('is refunded as a whole when a parcel has left, and only the unsent units return to the stock', async () => {
    const { orderId, part, mug, bowl } = await paid()
    await shipOrder(db, jobs, orderId, { shop: 'Clay', items: [{ name: mug.slug, quantity: 1 }] })
    await expect(cancelByOperator(db, jobs, orderId)).rejects.toThrow('Clay has shipped its part already')

    expect(await refundOrder(db, jobs, orderId)).toBe('refund_pending')

    expect(await part()).toMatchObject({ deliveryStatus: 'Shipped', unsent: [] })
    expect(namesOf((await part()).cancelled)).toEqual(['2 Mug', '1 Bowl'])
    expect([await stockOf(db, mug), await stockOf(db, bowl)]).toEqual([4, 5])
    await deliverOrder(db, orderId)
    expect((await part()).deliveryStatus).toBe('Delivered')
  })

  test('has its own steps in the timeline', async () => {
    const { orderId, read, part, mug } = await paid()
    await shipOrder(db, jobs, orderId, { items: [{ name: mug.slug, quantity: 1 }] })
    await deliverOrder(db, orderId)
    const { _id } = await part()

    expect((await read()).order.timeline.map(({ text, sellerOrderId }) => [text, sellerOrderId])).toEqual([
      ['Order received', undefined],
      ['Payment received', undefined],
      ['Partly shipped by Clay', _id],
      ['A parcel from Clay has arrived', _id],
    ])
  })

  test('needs its shop’s name if the parcel could be another shop’s', async () => {
    const ada = await customer()
    const gift = { priceCents: 0, shippingPrices: { Kenya: 0 } }
    const wishes = [
      await addShippable(db, { shopName: 'Clay', ...gift }),
      await addShippable(db, { shopName: 'Yarn', ...gift }),
    ]
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, wishes))

    await expect(shipOrder(db, jobs, orderId, { carrier: 'DHL' })).rejects.toThrow(
      'Name the shop: the parcel could be of Clay or Yarn',
    )
  })
})

describe('the delivery time that a shop promises', () => {
  test('is shown with a product and in the cart, by country, in days from the payment', async () => {
    const { id, api } = await customer()
    const seller = await addSeller(db, { handlingDays: [1, 2], transitDays: { Kenya: [3, 6], Ghana: [5, 5] } })
    const { id: productId, slug } = await addShippable(db, { sellerId: seller.id, shopName: 'Quick' })
    await api.addToCart({ userId: id, productId, quantity: 1 })
    const days = { Kenya: [4, 8], Ghana: [6, 7] }

    expect((await api.getProduct({ id: slug })).product.deliveryDays).toEqual(days)
    expect((await api.getCart({ userId: id })).groups[0]!.products[0]!.product.deliveryDays).toEqual(days)
    await db.update(sellers).set({ handlingDays: null }).where(eq(sellers.id, seller.id))
    expect((await api.getProduct({ id: slug })).product.deliveryDays).toBeUndefined()
  })
})

describe('a parcel', () => {
  test('is expected within the days that its shop promised when it was ordered', async () => {
    const ada = await customer()
    const gift = await addShippable(db, { shopName: 'Quick', priceCents: 0, shippingPrices: { Kenya: 0 } })
    const [seller] = await db.select().from(sellers).where(eq(sellers.id, gift.sellerId))
    const { out } = await market('seller', 'shipping', seller!.key, 'Kenya=0', '--handling', '1-2', '--days', '3-6')
    expect(out).toContain('parcels leave in 1-2 days and travel to Kenya in 3-6')
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [gift]))
    await market('seller', 'shipping', seller!.key, '--handling', '20-30')

    await db
      .update(orders)
      .set({ paidAt: new Date(Date.now() - 3 * 86_400_000) })
      .where(eq(orders.id, orderId))
    const waits = 'WAITING 1 order waits at a shop for longer than it promised\n'
    const listed = new RegExp(`^ +PZ-\\w+: of Quick, paid on [\\d-]+$`, 'm')
    expect((await market('doctor', '--list')).out).toMatch(listed)
    expect((await market('doctor')).out).toContain(waits)
    await db.update(orders).set({ paidAt: new Date() }).where(eq(orders.id, orderId))
    expect((await market('doctor')).out).toMatch(/^ok {6}0 orders wait at a shop/m)

    await shipOrder(db, jobs, orderId)

    const [parcel] = (await ada.api.getOrder({ orderId })).sellerOrders[0]!.parcels
    const days = (Date.parse(parcel!.expectedAt) - Date.parse(parcel!.sentAt)) / 86_400_000
    expect(Math.round(days)).toBe(8)
  })

  test('has arrived when its customer says so, once and without a notification', async () => {
    const { ada, orderId, part } = await paid()
    await shipOrder(db, jobs, orderId)
    const [parcel] = (await part()).parcels
    const before = (await ada.api.getNotifications({})).notifications.length

    await ada.api.receiveParcel({ parcelId: parcel!._id })
    await ada.api.receiveParcel({ parcelId: parcel!._id })

    expect(await part()).toMatchObject({ deliveryStatus: 'Delivered', parcels: [{ reportedBy: 'customer' }] })
    expect((await ada.api.getNotifications({})).notifications).toHaveLength(before)
  })

  test('that is late is reported once to its customer, by notification and mail, and to the operator', async () => {
    const { ada, orderId, part, read, mailed } = await paid()
    await shipOrder(db, jobs, orderId, { carrier: 'DHL', trackingNumber: 'JD0123' })
    const expectedAt = Date.parse((await part()).parcels[0]!.expectedAt)
    const told = async () =>
      (await ada.api.getNotifications({})).notifications.filter(({ title }) => title === 'Your parcel is late')

    await notifyOfLateParcels(db, jobs, daysAfter(expectedAt, -1))
    expect(await told()).toEqual([])
    await Promise.all([1, 1, 2, 3].map(days => notifyOfLateParcels(db, jobs, daysAfter(expectedAt, days))))
    await lettersSent(db)

    expect(await told()).toMatchObject([
      {
        message: expect.stringMatching(/^Mug and 1 more from Clay should have arrived by \d+ \w+\. If/) as string,
        link: `/dashboard/order/details/${orderId}`,
      },
    ])
    const letters = mailed().filter(({ subject }) => subject.startsWith('Your parcel from Clay is late'))
    expect(letters).toHaveLength(1)
    expect(letters[0]!.text).toContain('Sent with DHL, tracking number JD0123')
    await db
      .update(parcels)
      .set({ expectedAt: new Date('2026-01-02') })
      .where(eq(parcels.sellerOrderId, (await part())._id))
    const { number } = (await read()).order
    const listed = `${number}: parcel 1 of Clay, expected by 2026-01-02, DHL JD0123`
    expect((await market('doctor', '--list')).out).toContain(listed)
    expect((await market('doctor')).out).toMatch(/^WAITING 1 parcel is late$/m)
  })

  test('of the demo causes no mail when it is late, because its customer’s address belongs to nobody', async () => {
    const { ada, orderId, part, mailed } = await paid()
    await shipOrder(db, jobs, orderId)
    await db.update(orders).set({ isDemo: true }).where(eq(orders.id, orderId))

    await notifyOfLateParcels(db, jobs, daysAfter(Date.parse((await part()).parcels[0]!.expectedAt), 1))
    await lettersSent(db)

    expect((await ada.api.getNotifications({})).notifications[0]).toMatchObject({ title: 'Your parcel is late' })
    expect(mailed().filter(({ subject }) => subject.includes('late'))).toEqual([])
  })

  test('that has arrived, or whose order was refunded, is not late', async () => {
    const received = await paid()
    const refunded = await paid()
    for (const { orderId } of [received, refunded]) await shipOrder(db, jobs, orderId)
    const { expectedAt, _id: parcelId } = (await received.part()).parcels[0]!
    await received.ada.api.receiveParcel({ parcelId })
    await refundOrder(db, jobs, refunded.orderId)

    await notifyOfLateParcels(db, jobs, daysAfter(Date.parse(expectedAt), 1))
    await lettersSent(db)

    for (const { mailed } of [received, refunded])
      expect(mailed().filter(({ subject }) => subject.includes('late'))).toEqual([])
  })

  test('counts as arrived two weeks after it was expected', async () => {
    const { orderId, part } = await paid()
    await shipOrder(db, jobs, orderId)
    const expectedAt = Date.parse((await part()).parcels[0]!.expectedAt)

    await assumeArrivals(db, daysAfter(expectedAt, 13))
    expect((await part()).deliveryStatus).toBe('Shipped')
    await assumeArrivals(db, daysAfter(expectedAt, 15))

    expect(await part()).toMatchObject({ deliveryStatus: 'Delivered', parcels: [{ reportedBy: 'time' }] })
    expect(await assumeArrivals(db, daysAfter(expectedAt, 15))).toBe(0)
  })

  test('is added for a part that an older version has shipped', async () => {
    const { orderId, part } = await paid()
    await db.update(sellerOrders).set({ deliveryStatus: 'Shipped' }).where(eq(sellerOrders.orderId, orderId))

    await deliverOrder(db, orderId)

    const { deliveryStatus, parcels: sent, _id } = await part()
    expect(deliveryStatus).toBe('Delivered')
    expect(namesOf(sent[0]!.products)).toEqual(['3 Mug', '1 Bowl'])
    expect(await db.$count(parcels, eq(parcels.sellerOrderId, _id))).toBe(1)
  })
})
