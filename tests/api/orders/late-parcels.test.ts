import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { ASSUMED_ARRIVAL_DAYS, daysAfter } from '#contract/delivery.ts'
import { orderPath } from '#contract/page-urls.ts'
import { parcels } from '#server/db/schema.ts'
import { assumeArrivals } from '#server/orders/arrivals.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { notifyOfLateParcels } from '#server/orders/late-parcels.ts'
import { askForReviews } from '#server/orders/review-requests.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { addShippable, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const shop = await startProvider({ limits: 'placeOrder=1000/1m' })
const { db, jobs, api, customer, letters, close } = shop
afterAll(close)
const market = operatorOf(shop)

/** A paid order of mugs and a bowl, which one shop has sent in two parcels. */
async function sentInTwo() {
  const ada = await customer()
  const mug = await addShippable(db, { shopName: 'Clay', name: 'Mug' })
  const bowl = await addShippable(db, { shopName: 'Clay', name: 'Bowl', sellerId: mug.sellerId })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product: mug, quantity: 3 }, bowl]))
  const read = () => ada.api.getOrder({ orderId })
  await payOrder(db, jobs, (await read()).order)
  await shipOrder(db, jobs, orderId, { items: [{ name: mug.slug, quantity: 3 }] })
  await shipOrder(db, jobs, orderId)
  const part = async () => (await read()).sellerOrders[0]!
  const { parcels: sent } = await part()
  const notified = async () => (await ada.api.getNotifications({})).notifications.map(({ message }) => message)
  return { ada, orderId, sellerId: mug.sellerId, sent, part, notified }
}

const LOST = 'from Clay should have arrived two weeks ago. If it has not, please tell the shop.'

test.each([
  ['first', 0, 'Mug'],
  ['second', 1, 'Bowl'],
])('the customer learns that the lost %s of two parcels now counts as arrived', async (_, lostAt, goods) => {
  const { ada, sent, notified } = await sentInTwo()
  await ada.api.receiveParcel({ parcelId: sent[1 - lostAt]!._id })

  await assumeArrivals(db, daysAfter(Date.parse(sent[lostAt]!.expectedAt), ASSUMED_ARRIVAL_DAYS + 1))

  expect((await notified())[0]).toBe(`${goods} ${LOST}`)
})

test('the customer is asked, not told, whether parcels have arrived whose arrival nobody reported', async () => {
  const { ada, orderId, sent, part } = await sentInTwo()

  await assumeArrivals(db, daysAfter(Date.parse(sent[1]!.expectedAt), ASSUMED_ARRIVAL_DAYS + 1))

  const { notifications } = await ada.api.getNotifications({})
  const titles = notifications.map(({ title }) => title)
  expect(titles.slice(0, 2)).toEqual(['Has your order arrived?', 'Has part of your order arrived?'])
  const { timeline } = (await ada.api.getOrder({ orderId })).order
  expect(timeline.map(({ text }) => text).slice(-2)).toEqual([
    'A parcel from Clay counts as arrived',
    'Counts as arrived from Clay',
  ])
  await lettersSent(db)
  const mailed = letters.find(({ to, text }) => to === ada.email && text.includes('/track-order'))
  const token = new URL(/\S+\/track-order\S+/.exec(mailed!.text)![0]).searchParams.get('token')!
  expect((await api.trackOrder({ token })).parts[0]!.parcels).toMatchObject([
    { status: 'arrived', reportedBy: 'time' },
    { status: 'arrived', reportedBy: 'time' },
  ])
  expect((await part()).deliveryStatus).toBe('Delivered')
})

test('the request for a review does not say that an order has arrived whose arrival nobody reported', async () => {
  const { ada, orderId, sent } = await sentInTwo()
  await assumeArrivals(db, daysAfter(Date.parse(sent[1]!.expectedAt), ASSUMED_ARRIVAL_DAYS + 1))

  await askForReviews(db, jobs, daysAfter(Date.now(), 8))

  await lettersSent(db)
  const { text } = letters.find(({ to, subject }) => to === ada.email && subject.startsWith('How do you like'))!
  expect(text).toContain('We think that your order from Clay has arrived by now.')
  expect(text).not.toContain('arrived a week ago')
  expect(text).toContain(orderPath(orderId))
})

test('a parcel of a refunded order does not count as arrived, because it may be lost', async () => {
  const { orderId, sent, part, notified } = await sentInTwo()
  await refundOrder(db, jobs, orderId)

  await assumeArrivals(db, daysAfter(Date.parse(sent[1]!.expectedAt), ASSUMED_ARRIVAL_DAYS + 1))

  expect(await part()).toMatchObject({ deliveryStatus: 'Shipped', parcels: [{ status: 'sent' }, { status: 'sent' }] })
  expect((await notified()).filter(message => message.includes('arrived'))).toEqual([])
})

test('a parcel counts as arrived also if a part of the payment was refunded', async () => {
  const { orderId, sent, part } = await sentInTwo()
  await refundPart(db, jobs, orderId, 100)

  await assumeArrivals(db, daysAfter(Date.parse(sent[1]!.expectedAt), ASSUMED_ARRIVAL_DAYS + 1))

  expect((await part()).deliveryStatus).toBe('Delivered')
})

test('a parcel is late from the day after the one by which it was expected', async () => {
  const { sent, notified } = await sentInTwo()
  const expectedAt = new Date('2026-12-03T00:30:00Z')
  await db.update(parcels).set({ expectedAt }).where(eq(parcels.id, sent[0]!._id))
  const told = async (now: string) => {
    await notifyOfLateParcels(db, jobs, Date.parse(now))
    return (await notified()).filter(message => message.startsWith('Mug from Clay should have arrived by 3 December.'))
  }

  expect(await told('2026-12-03T23:59:59Z')).toEqual([])
  expect(await told('2026-12-04T00:00:00Z')).toHaveLength(1)
})

test('a late parcel’s customer is told to ask the shop, or the marketplace if the shop was removed', async () => {
  const { ada, sellerId, sent, notified } = await sentInTwo()
  const [first, second] = sent.map(({ _id }) => eq(parcels.id, _id))
  const mails = async () => {
    await lettersSent(db)
    return letters.filter(({ to, subject }) => to === ada.email && subject.includes('late')).map(({ text }) => text)
  }
  await db
    .update(parcels)
    .set({ expectedAt: new Date('2026-11-01') })
    .where(first)
  await notifyOfLateParcels(db, jobs, Date.parse('2026-11-03'))
  expect((await notified())[0]).toMatch(/by 1 November\. If it has not, ask the shop where it is\.$/)
  expect((await mails())[0]).toContain('If not, you can ask the shop about it there.')

  await market('seller', 'remove', sellerId, '--yes')
  await db
    .update(parcels)
    .set({ expectedAt: new Date('2026-11-01') })
    .where(second)
  await notifyOfLateParcels(db, jobs, Date.parse('2026-11-03'))

  const askUs = 'please write to our address at the foot of the page: Clay no longer sells here.'
  expect((await notified())[0]).toMatch(new RegExp(`by 1 November\\. If it has not, ${askUs}$`))
  const { 1: mail } = await mails()
  expect(mail).toContain('If not, reply to this email: Clay no longer sells here.')
  expect(mail).not.toContain('ask the shop')

  await assumeArrivals(db, daysAfter(Date.parse('2026-11-01'), ASSUMED_ARRIVAL_DAYS + 1))
  expect((await notified())[0]).toBe(`Bowl from Clay should have arrived two weeks ago. If it has not, ${askUs}`)
})
