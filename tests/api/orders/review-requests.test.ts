import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { sellerOrders } from '#server/db/schema.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import { openUnsubscribeLinks } from '#server/mail/unsubscribe-links.ts'
import { askForReviews, mailReviewRequest } from '#server/orders/review-requests.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const DAY_MS = 24 * 3600_000
const shop = await startProvider()
const { db, jobs, customer, newcomer, letters, close } = shop
afterAll(close)

/** Delivered products of two shops: a mug and a bowl of one, a kite of the other. */
async function delivered(ada: Customer) {
  const { id: sellerId, shopName } = await addSeller(db, { shopName: 'Clay & Kiln' })
  const free = { priceCents: 0, shippingPrices: { Kenya: 0 } }
  const mug = await addShippable(db, { ...free, sellerId, shopName, name: 'Mug' })
  const bowl = await addShippable(db, { ...free, sellerId, shopName, name: 'Bowl' })
  const kite = await addShippable(db, { ...free, name: 'Kite' })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [mug, bowl, kite]))
  await shipOrder(db, jobs, orderId)
  await deliverOrder(db, orderId)
  return { orderId, mug, bowl, kite }
}

const askAfter = (days: number) => askForReviews(db, jobs, Date.now() + days * DAY_MS)

async function asked({ api, email }: Customer) {
  await lettersSent(db)
  const { notifications } = await api.getNotifications({})
  return {
    notified: notifications.filter(({ title }) => title.startsWith('How do you like')).map(({ message }) => message),
    mailed: letters.filter(({ to, subject }) => to === email && subject.startsWith('How do you like')),
  }
}

test('customers are asked for reviews of each shop a week after its delivery, once', async () => {
  const ada = await customer()
  const { mug, bowl, kite } = await delivered(ada)
  await ada.api.submitReview({ productId: bowl.id, rating: 5, review: 'Deep.', name: 'Ada' })
  await askAfter(6)
  expect(await asked(ada)).toEqual({ notified: [], mailed: [] })

  await Promise.all([askAfter(8), askAfter(8)])
  await askAfter(9)

  const { notified, mailed } = await asked(ada)
  expect(notified.toSorted()).toEqual([
    'Write a review of Kite: it helps other shoppers choose.',
    'Write a review of Mug: it helps other shoppers choose.',
  ])
  expect(mailed).toHaveLength(2)
  const texts = mailed.map(({ text }) => text).join('\n')
  for (const { slug } of [mug, kite]) expect(texts).toContain(`/product/details/${slug}?write#reviews`)
  expect(texts).not.toContain(bowl.slug)
})

test('no review is requested for products that are returned, were reviewed, or were delivered long ago', async () => {
  const ada = await customer()
  const { orderId, bowl, kite } = await delivered(ada)
  const { available } = await ada.api.getReturns({ orderId })
  const part = available.find(({ shopName }) => shopName === 'Clay & Kiln')!
  const mugLine = part.lines.find(({ name }) => name.startsWith('Mug'))!
  await ada.api.requestReturn({
    orderId,
    sellerOrderId: part.sellerOrderId,
    kind: 'return',
    reason: 'changed_mind',
    words: '',
    lines: [{ lineId: mugLine.lineId, quantity: 1 }],
  })
  for (const { id } of [bowl, kite])
    await ada.api.submitReview({ productId: id, rating: 4, review: 'Good.', name: 'Ada' })
  const grace = await customer()
  await delivered(grace)
  await askAfter(29)

  await askAfter(8)

  expect(await asked(ada)).toEqual({ notified: [], mailed: [] })
  expect((await asked(grace)).mailed).toHaveLength(2)
})

test('an unconfirmed address gets no mail, only the notification', async () => {
  const stranger = await newcomer()
  await delivered(stranger)
  await askAfter(8)
  const { notified, mailed } = await asked(stranger)
  expect([notified.length, mailed.length]).toEqual([2, 0])
})

test('are asked about all parts that are due, however many were delivered on one day', async () => {
  const ada = await customer()
  const { orderId } = await delivered(ada)
  await db.execute(sql`
    insert into ${sellerOrders}
    select (jsonb_populate_record(part, jsonb_build_object('id', part.id || number, 'seller_id', part.seller_id || number))).*
    from ${sellerOrders} part, generate_series(1, 1001) number where part.order_id = ${orderId}
  `)

  await askAfter(8)

  const isLeft = and(eq(sellerOrders.orderId, orderId), isNull(sellerOrders.reviewAskedAt))
  expect(await db.$count(sellerOrders, isLeft)).toBe(0)
})

/** A customer who has been asked for reviews, with the first mail. */
async function askedByMail() {
  const ada = await customer()
  await delivered(ada)
  await askAfter(8)
  const { mailed } = await asked(ada)
  return { ada, letter: mailed[0]! }
}

/** How often the customer was asked, after another order was delivered. */
async function askedAgain(ada: Customer) {
  const { orderId } = await delivered(ada)
  await askAfter(8)
  const { notified, mailed } = await asked(ada)
  return { orderId, counts: [notified.length, mailed.length] }
}

test('the link of the mail ends such requests without a login, and nothing else', async () => {
  const { ada, letter } = await askedByMail()
  await ada.api.addAlert({ productId: (await addProduct(db, { stock: 0 })).id })
  const [, link = ''] = /Do not ask me for reviews again: (\S+)/.exec(letter.text) ?? []
  const token = new URL(link).searchParams.get('token')!

  for (let click = 0; click < 2; click += 1)
    expect(await shop.api.endAlerts({ token })).toEqual({ message: 'We will not ask you for reviews again' })

  expect((await askedAgain(ada)).counts).toEqual([2, 2])
  expect((await ada.api.getAlerts({ userId: ada.id })).alerts).toHaveLength(1)
})

test('the unsubscribe button of mail programs ends such requests, also mails that are waiting', async () => {
  const { ada, letter } = await askedByMail()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' }

  const pressed = await shop.fetch(
    new Request(letter.unsubscribeUrl ?? '', { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' }),
  )

  expect(pressed.status).toBe(200)
  const { orderId, counts } = await askedAgain(ada)
  expect(counts).toEqual([2, 2])
  const mail = { send: async (sent: (typeof letters)[number]) => void letters.push(sent) }
  const unsubscribeLinks = openUnsubscribeLinks(shop)
  const parts = await db.select().from(sellerOrders).where(eq(sellerOrders.orderId, orderId))
  for (const { id } of parts) await mailReviewRequest({ ...shop, mail, publicUrl: '', unsubscribeLinks }, id)
  expect((await asked(ada)).mailed).toHaveLength(2)
})
