import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { orders } from '#server/db/schema.ts'
import type { Letter } from '#server/mail/mailer.ts'
import { cancelByOperator, releaseExpired } from '#server/orders/cancelling.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { mailOrder } from '#server/orders/mail.ts'
import type { OrderMail } from '#server/platform/job-data.ts'
import { settleRefund } from '#server/payments/refund-settling.ts'
import { lettersSent, subjectOf } from '#tests/support/provider/letters.ts'
import { addShippable, assertInvariants, KENYA, orderOf, payOrder } from '#tests/support/provider/ordering.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const ADVERT = 'Visit evil.example for cheap pills'

const { db, jobs, limits, customer, newcomer, letters, close } = await startProvider({
  limits: 'placeOrder=1000/1m,orderMail=6/1d,paymentMail=4/1d',
})
afterAll(close)
afterEach(() => assertInvariants(db))

/** Places an order whose delivery address is an advertisement. */
async function place({ api, id }: Customer, priceCents = 1999): Promise<string> {
  const shippingPrices = { Kenya: priceCents === 0 ? 0 : 500 }
  const product = await addShippable(db, { priceCents, shippingPrices, name: 'Red kite', shopName: 'Toy Town' })
  const shippingInfo = { ...KENYA, name: ADVERT, address: ADVERT, area: ADVERT, city: ADVERT }
  return (await api.placeOrder(orderOf(id, [product], { shippingInfo }))).orderId
}

/** Places an order and cancels it once the mail about it is sent. */
async function placeAndCancel(ada: Customer) {
  const orderId = await place(ada)
  await lettersSent(db)
  await ada.api.cancelOrder({ orderId })
}

async function pay(orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  return payOrder(db, jobs, { _id: orderId, priceCents: order!.priceCents })
}

const mailOptions = {
  db,
  publicUrl: 'https://shop.example',
  trackingLinks: { pathTo: async () => '/track-order' },
  limits,
}

/** The mails to the customer about orders, oldest first. */
async function mailed({ email }: Customer) {
  await lettersSent(db)
  return letters.filter(({ to, subject }) => to === email && subject !== 'Confirm your email address')
}
const subjects = async (ada: Customer) => (await mailed(ada)).map(subjectOf)

describe('an unconfirmed email address', () => {
  test('gets no mails about unpaid orders', async () => {
    const stranger = await newcomer('Cheap Pills')
    for (let at = 0; at < 5; at += 1) await stranger.api.cancelOrder({ orderId: await place(stranger) })
    const orderId = await place(stranger)
    await db
      .update(orders)
      .set({ heldUntil: new Date(0) })
      .where(eq(orders.id, orderId))
    await releaseExpired(db, jobs)
    await cancelByOperator(db, jobs, await place(stranger))

    expect(await subjects(stranger)).toEqual([])
  })

  test('gets no mails about free orders', async () => {
    const stranger = await newcomer()
    const orderId = await place(stranger, 0)
    await shipOrder(db, jobs, orderId)

    expect(await subjects(stranger)).toEqual([])
  })

  test('gets mails about paid orders without the customer’s name and address', async () => {
    const stranger = await newcomer('Cheap Pills')
    const shipped = await place(stranger)
    await pay(shipped)
    await shipOrder(db, jobs, shipped)
    const cancelled = await place(stranger)
    const attempt = await pay(cancelled)
    await lettersSent(db)
    await cancelByOperator(db, jobs, cancelled)
    await settleRefund(db, jobs, attempt.id)

    expect((await subjects(stranger)).toSorted()).toEqual([
      'Toy Town has shipped your order',
      'We have refunded your payment',
      'Your order is cancelled',
      'Your order is paid',
      'Your order is paid',
    ])
    const all = JSON.stringify(await mailed(stranger))
    expect(all).toContain('1 × Red kite')
    expect(all).not.toMatch(/pills/i)
    expect(all).not.toContain(KENYA.phone)
  })
})

describe('a confirmed email address', () => {
  test('gets mails whose subjects say which order they are about', async () => {
    const ada = await customer()
    for (let at = 0; at < 2; at += 1) await placeAndCancel(ada)

    const { orders: placed } = await ada.api.getOrders({ userId: ada.id, status: 'all' })
    expect((await mailed(ada)).map(({ subject }) => subject).toSorted()).toEqual(
      placed
        .flatMap(({ number }) => [`We have received your order (${number})`, `Your order is cancelled (${number})`])
        .toSorted(),
    )
  })

  test('gets mails with name and delivery address, but only a limited number per day', async () => {
    const ada = await customer('Ada Lovelace')
    for (let at = 0; at < 5; at += 1) await placeAndCancel(ada)

    const told = await mailed(ada)
    expect(told).toHaveLength(6)
    const received = told.find(({ subject }) => subject.startsWith('We have received your order'))
    expect(received?.text).toContain('Hello Ada Lovelace,')
    expect(received?.text).toContain(ADVERT)
    const { notifications } = await ada.api.getNotifications({})
    expect(notifications.filter(({ title }) => title === 'Your order is cancelled')).toHaveLength(5)
  })

  test('gets mails about payments even when the day’s limit of other mails is used up', async () => {
    const ada = await customer()
    for (let at = 0; at < 5; at += 1) await placeAndCancel(ada)
    const before = (await subjects(ada)).length
    const orderId = await place(ada)
    const attempt = await pay(orderId)
    await lettersSent(db)
    await cancelByOperator(db, jobs, orderId)
    await settleRefund(db, jobs, attempt.id)

    expect((await subjects(ada)).slice(before).toSorted()).toEqual([
      'We have refunded your payment',
      'Your order is cancelled',
      'Your order is paid',
    ])
  })

  test('gets only a limited number of mails about payments per day', async () => {
    const ada = await customer()
    for (let at = 0; at < 5; at += 1) await pay(await place(ada))
    expect((await subjects(ada)).filter(subject => subject === 'Your order is paid')).toHaveLength(4)
  })

  test('keeps its daily limit when the mail server is unreachable', async () => {
    const ada = await customer()
    const orderId = await place(ada)
    const away = { send: () => Promise.reject(new Error('connect ECONNREFUSED')) }
    for (let at = 0; at < 6; at += 1)
      await expect(mailOrder({ ...mailOptions, mail: away }, { kind: 'received', orderId })).rejects.toThrow(
        'ECONNREFUSED',
      )
    await ada.api.cancelOrder({ orderId })

    expect(await subjects(ada)).toContain('Your order is cancelled')
  })
})

describe('a mail about a parcel', () => {
  const OTHERS = 'Products from other shops come in separate parcels.'
  const shippedMail = async (ada: Customer, shop: string) =>
    (await mailed(ada)).find(letter => subjectOf(letter) === `${shop} has shipped your order`)

  test('mentions parcels of other shops only if there are any', async () => {
    const ada = await customer()
    const toy = await addShippable(db, { shopName: 'Toy Town' })
    const lamp = await addShippable(db, { shopName: 'Lights' })
    const { orderId: both } = await ada.api.placeOrder(orderOf(ada.id, [toy, lamp]))
    await pay(both)
    await shipOrder(db, jobs, both, { shop: lamp.sellerId })
    expect((await shippedMail(ada, 'Lights'))?.text).toContain(OTHERS)

    const { orderId: alone } = await ada.api.placeOrder(orderOf(ada.id, [toy]))
    await pay(alone)
    await shipOrder(db, jobs, alone)
    expect((await shippedMail(ada, 'Toy Town'))?.text).not.toContain('other shops')
  })

  test('does not mention other shops whose products were cancelled', async () => {
    const ada = await customer()
    const toy = await addShippable(db, { shopName: 'Toy Town' })
    const lamp = await addShippable(db, { shopName: 'Lights' })
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [toy, lamp]))
    await pay(orderId)
    const { available } = await ada.api.getReturns({ orderId })
    const { sellerOrderId, lines } = available.find(({ shopName }) => shopName === 'Lights')!
    const about = { sellerOrderId, lines: [{ lineId: lines[0]!.lineId, quantity: 1 }] }
    await ada.api.requestReturn({ orderId, kind: 'cancellation', reason: 'mistake', words: '', ...about })
    await shipOrder(db, jobs, orderId)

    expect((await shippedMail(ada, 'Toy Town'))?.text).not.toContain('other shops')
  })
})

describe('a mail that waited', () => {
  /** Runs the delayed jobs in `waiting`. Returns the subjects of the mails that are still sent. */
  async function sentLate(orderId: string, waiting: Omit<OrderMail, 'orderId'>[]) {
    const sent: string[] = []
    const mail = { send: async (letter: Letter) => void sent.push(subjectOf(letter)) }
    for (const about of waiting) await mailOrder({ ...mailOptions, mail }, { ...about, orderId })
    return sent
  }
  const progress = [{ kind: 'received' }, { kind: 'paid' }, { kind: 'cancelled' }] as const

  test('does not ask to pay an order that is cancelled', async () => {
    const ada = await customer()
    const orderId = await place(ada)
    expect(await sentLate(orderId, [{ kind: 'received' }])).toEqual(['We have received your order'])
    await ada.api.cancelOrder({ orderId })

    expect(await sentLate(orderId, [...progress])).toEqual(['Your order is cancelled'])
  })

  test('does not say that a cancelled order is being prepared', async () => {
    const orderId = await place(await customer())
    await pay(orderId)
    await cancelByOperator(db, jobs, orderId)

    expect(await sentLate(orderId, [...progress])).toEqual(['Your order is cancelled'])
  })

  test('does not ask to pay an order that is paid', async () => {
    const orderId = await place(await customer())
    await pay(orderId)

    expect(await sentLate(orderId, [...progress])).toEqual(['Your order is paid'])
  })

  test('says that a free order is received', async () => {
    const orderId = await place(await customer(), 0)

    expect(await sentLate(orderId, [...progress])).toEqual(['We have received your order', 'Your order is paid'])
  })

  test('does not call a parcel late that has arrived', async () => {
    const ada = await customer()
    const orderId = await place(ada)
    await pay(orderId)
    await shipOrder(db, jobs, orderId)
    const [part] = (await ada.api.getOrder({ orderId })).sellerOrders
    const parcelId = part!.parcels[0]!._id
    const late = { kind: 'late', sellerOrderId: part!._id, parcelId } as const
    expect(await sentLate(orderId, [late])).toEqual(['Your parcel from Toy Town is late'])
    await ada.api.receiveParcel({ parcelId })

    expect(await sentLate(orderId, [late])).toEqual([])
  })
})
