import { and, eq, like } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HOLD_MINUTES, PROCESSING_HOLD_HOURS } from '#contract/rules.ts'
import { auditEvents, orders, orderSteps, payments } from '#server/db/schema.ts'
import { cancelByOperator, releaseExpired } from '#server/orders/cancelling.ts'
import { settleRefund } from '#server/payments/refund-settling.ts'
import type { ProviderPayment } from '#server/payments/providers/payment-provider.ts'
import { settle } from '#server/payments/settling.ts'
import { addAttempt, addShippable, assertInvariants, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'

const { db, jobs, customer, close } = await startProvider({ limits: 'placeOrder=1000/1m' })
afterAll(close)
afterEach(() => assertInvariants(db))

const STOCK = 5
const LATE = new Date(Date.now() + (PROCESSING_HOLD_HOURS + 1) * 3600_000)

/** Creates a customer with an order of two units. */
async function placed() {
  const ada = await customer()
  const product = await addShippable(db, { stock: STOCK })
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [{ product, quantity: 2 }]))
  const read = () => ada.api.getOrder({ orderId })
  const { order } = await read()
  return {
    orderId,
    ada,
    product,
    read,
    attempt: () => addAttempt(db, order),
    texts: async () => (await read()).order.timeline.map(({ text }) => text),
    ledger: async () => {
      const rows = await db.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(payments.id)
      return rows.map(({ kind, amountCents, currency }) => [kind, amountCents, currency])
    },
    stock: () => stockOf(db, product),
    audited: async () => {
      const rows = await db
        .select()
        .from(auditEvents)
        .where(like(auditEvents.event, 'payment%'))
        .orderBy(auditEvents.id)
      const own = rows.filter(({ details }) => details['orderId'] === orderId)
      return own.map(({ event, outcome, details }) => ({ event, outcome, ...details }))
    },
    heldMinutes: async () => {
      const [row] = await db.select().from(orders).where(eq(orders.id, orderId))
      return row?.heldUntil && Math.round((row.heldUntil.getTime() - Date.now()) / 60_000)
    },
  }
}

type Attempt = Awaited<ReturnType<typeof addAttempt>>
const say = (attempt: Attempt, change?: Partial<ProviderPayment>) =>
  settle(db, jobs, attempt.id, reportOf(attempt, change))

describe('a successful payment', () => {
  test('marks the order as paid and as processing at its sellers', async () => {
    const { attempt, read, ledger, stock, texts } = await placed()

    expect(await say(await attempt())).toMatchObject({
      outcome: 'paid',
      paymentStatus: 'paid',
      attemptStatus: 'succeeded',
    })

    const { order, sellerOrders } = await read()
    expect(order).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect(sellerOrders).toMatchObject([{ deliveryStatus: 'Processing' }])
    expect(await ledger()).toEqual([['charge', order.priceCents, 'USD']])
    expect(await texts()).toEqual(['Order received', 'Payment received'])
    expect(await stock()).toBe(STOCK - 2)
  })

  test('is applied once, even if it is reported repeatedly or out of order', async () => {
    const { attempt, read, ledger, texts, audited } = await placed()
    const own = await attempt()
    const statuses: ProviderPayment['status'][] = ['succeeded', 'processing', 'failed']

    const reports = Array.from({ length: 30 }, (_, at) =>
      say(own, { status: at === 0 ? 'succeeded' : statuses[at % 3]! }),
    )
    const outcomes = (await Promise.all(reports)).map(({ outcome }) => outcome)
    await say(own, { status: 'failed' })
    await say(own, { status: 'processing' })

    expect(outcomes.filter(outcome => outcome === 'paid')).toHaveLength(1)
    expect((await read()).order).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect(await ledger()).toHaveLength(1)
    // Another report may have been first.
    const ofPayment = (await audited()).filter(entry => 'effect' in entry && entry.effect === 'paid')
    expect(ofPayment).toMatchObject([{ event: 'payment', outcome: 'ok', attemptId: own.id }])
    expect((await texts()).filter(text => text === 'Payment received')).toHaveLength(1)
  })

  test.each<[string, (attempt: Attempt) => Partial<ProviderPayment>]>([
    ['another reference', () => ({ reference: 'somebody else’s' })],
    ['no amount at all', () => ({ amountCents: NaN })],
    ['another reference, failed', () => ({ reference: 'somebody else’s', status: 'failed' })],
    ['one cent less, on its way', ({ amountCents }) => ({ amountCents: amountCents - 1, status: 'processing' })],
  ])('with %s changes nothing and is audited once', async (_, wrong) => {
    const { attempt, read, ledger, heldMinutes, audited } = await placed()
    const own = await attempt()
    const before = await read()

    expect(await say(own, wrong(own))).toMatchObject({
      outcome: 'mismatch',
      attemptStatus: 'open',
      paymentStatus: 'unpaid',
    })

    expect(await say(own, wrong(own))).toMatchObject({ outcome: 'unchanged' })
    expect(await read()).toEqual(before)
    expect(await ledger()).toEqual([])
    expect(await heldMinutes()).toBe(HOLD_MINUTES)
    const { status, reference } = reportOf(own, wrong(own))
    expect(await audited()).toMatchObject([
      { event: 'payment', outcome: 'refused', effect: 'mismatch', attemptId: own.id, status, reference },
    ])
  })

  test.each<[string, (attempt: Attempt) => Partial<ProviderPayment>]>([
    ['one cent less', ({ amountCents }) => ({ amountCents: amountCents - 1 })],
    ['another currency', () => ({ currency: 'NGN' })],
  ])('of %s is refunded, and the order can be paid again', async (_, wrong) => {
    const { attempt, read, ledger, stock, texts, heldMinutes } = await placed()
    const own = await attempt()
    const { amountCents, currency } = reportOf(own, wrong(own))
    await say(own, { status: 'processing' })

    expect(await say(own, wrong(own))).toMatchObject({ outcome: 'refund', attemptStatus: 'refund_pending' })
    expect(await say(own, wrong(own))).toMatchObject({ outcome: 'unchanged', paymentStatus: 'unpaid' })

    expect(await ledger()).toEqual([['charge', amountCents, currency]])
    expect(await heldMinutes()).toBe(HOLD_MINUTES)
    await settleRefund(db, jobs, own.id)
    expect(await texts()).toEqual([
      'Order received',
      'Payment on its way',
      'Paid with a different amount or currency',
      'Refund on its way',
      'Refunded',
    ])
    expect((await read()).order).toMatchObject({ status: 'pending', paymentStatus: 'unpaid' })
    expect(await say(await attempt())).toMatchObject({ outcome: 'paid' })
    expect(await stock()).toBe(STOCK - 2)
  })

  test('above the price counts as payment', async () => {
    const { attempt, ledger, orderId, audited } = await placed()
    const own = await attempt()
    const amountCents = own.amountCents + 100
    expect(await say(own, { amountCents })).toMatchObject({ outcome: 'paid' })
    expect(await ledger()).toEqual([['charge', amountCents, 'USD']])
    const about = { outcome: 'ok', orderId, attemptId: own.id, amountCents, currency: 'USD' }
    expect(await audited()).toEqual([
      { ...about, event: 'payment', effect: 'paid', status: 'succeeded', reference: own.reference },
      { ...about, event: 'payment_overpaid', wantedCents: own.amountCents },
    ])
  })

  test('through a second attempt is refunded, and the order stays paid', async () => {
    const { attempt, read, ledger, texts } = await placed()
    const [first, second] = [await attempt(), await attempt()]
    const outcomes = await Promise.all([say(first), say(second)])
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['paid', 'refund'])
    expect((await read()).order.paymentStatus).toBe('paid')

    const [owed] = [first, second].filter((_, at) => outcomes[at]?.outcome === 'refund')
    expect(await Promise.all([1, 2, 3].map(() => settleRefund(db, jobs, owed!.id)))).toEqual(
      expect.arrayContaining([true, false, false]),
    )

    expect((await read()).order).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect((await ledger()).map(([kind]) => kind)).toEqual(['charge', 'charge', 'refund'])
    expect((await texts()).slice(2)).toEqual(['Paid a second time', 'Refund on its way', 'Refunded'])
  })
})

describe('a payment that is still processing', () => {
  test('extends the hold to a day from the first such attempt', async () => {
    const { attempt, read, heldMinutes, ada, orderId } = await placed()
    const own = await attempt()
    await say(own, { status: 'processing' })

    expect((await read()).order).toMatchObject({ status: 'pending', paymentStatus: 'processing' })
    expect(await heldMinutes()).toBe(PROCESSING_HOLD_HOURS * 60)
    await expect(ada.api.cancelOrder({ orderId })).rejects.toMatchObject({
      status: 422,
      message: 'A payment for this order is on its way',
    })

    await say(own, { status: 'failed' })
    expect((await read()).order.paymentStatus).toBe('unpaid')
    expect(await heldMinutes()).toBe(HOLD_MINUTES)

    const second = await attempt()
    await say(second, { status: 'processing' })
    expect((await read()).order.paymentStatus).toBe('processing')
    expect(await heldMinutes()).toBe(PROCESSING_HOLD_HOURS * 60)

    await say(second, { status: 'failed' })
    await db
      .update(orderSteps)
      .set({ at: new Date(Date.now() - (PROCESSING_HOLD_HOURS - 2) * 3600_000) })
      .where(and(eq(orderSteps.orderId, orderId), eq(orderSteps.step, { kind: 'processing' })))
    await say(await attempt(), { status: 'processing' })
    expect(await heldMinutes()).toBe(2 * 60)
  })

  test('keeps the order in processing when another attempt fails', async () => {
    const { attempt, read } = await placed()
    const [first, second] = [await attempt(), await attempt()]
    for (const own of [first, second]) await say(own, { status: 'processing' })

    await say(first, { status: 'failed' })
    expect((await read()).order.paymentStatus).toBe('processing')
    await say(second)
    expect((await read()).order.paymentStatus).toBe('paid')
  })

  test('leaves the order unpaid when it fails', async () => {
    const { attempt, read, texts } = await placed()
    await say(await attempt(), { status: 'failed', amountCents: 0 })
    expect((await read()).order).toMatchObject({ status: 'pending', paymentStatus: 'unpaid' })
    await say(await attempt())
    expect(await texts()).toEqual(['Order received', 'Payment did not go through', 'Payment received'])
  })
})

describe('a payment after the hold has ended', () => {
  test('restores the order while the units are in stock', async () => {
    const { attempt, read, stock, texts } = await placed()
    const own = await attempt()
    await releaseExpired(db, jobs, LATE)
    expect(await stock()).toBe(STOCK)

    expect(await say(own)).toMatchObject({ outcome: 'paid' })

    expect(await stock()).toBe(STOCK - 2)
    const { order, sellerOrders } = await read()
    expect(order).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect(sellerOrders).toMatchObject([{ deliveryStatus: 'Processing' }])
    expect((await texts()).slice(1)).toEqual([
      'Cancelled: it was not paid in time',
      'Reopened: the payment arrived after the deadline',
      'Payment received',
    ])
  })

  test('is refunded when the units are sold', async () => {
    const { attempt, read, stock, product, ledger, orderId } = await placed()
    const own = await attempt()
    await releaseExpired(db, jobs, LATE)
    const other = await customer()
    await other.api.placeOrder(orderOf(other.id, [{ product, quantity: 4 }]))

    expect(await say(own)).toMatchObject({ outcome: 'refund', orderId, paymentStatus: 'refund_pending' })
    expect(await stock()).toBe(1)
    expect((await read()).order).toMatchObject({ status: 'cancelled', paymentStatus: 'refund_pending' })

    await settleRefund(db, jobs, own.id)
    expect((await read()).order).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded' })
    expect((await ledger()).map(([kind]) => kind)).toEqual(['charge', 'refund'])
  })

  test.each([
    ['restores the order if just its units are left', 'paid', 0, [0, 0]],
    ['is refunded if one of the products has too few, and takes no unit of the others', 'refund', 1, [2, 1]],
  ] as const)('%s', async (_, outcome, soldCount, stocks) => {
    const ada = await customer()
    const products = [await addShippable(db, { stock: 2 }), await addShippable(db, { stock: 2 })] as const
    const wishes = products.map(product => ({ product, quantity: 2 }))
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, wishes))
    const own = await addAttempt(db, (await ada.api.getOrder({ orderId })).order)
    await releaseExpired(db, jobs, LATE)
    if (soldCount > 0) await ada.api.placeOrder(orderOf(ada.id, [{ product: products[1], quantity: soldCount }]))

    expect(await say(own)).toMatchObject({ outcome })

    expect([await stockOf(db, products[0]), await stockOf(db, products[1])]).toEqual(stocks)
  })

  test.each(['customer', 'operator'])('is refunded when the %s has cancelled the order', async who => {
    const { attempt, read, stock, ada, orderId } = await placed()
    const own = await attempt()
    await (who === 'customer' ? ada.api.cancelOrder({ orderId }) : cancelByOperator(db, jobs, orderId))

    expect(await say(own)).toMatchObject({ outcome: 'refund' })
    expect((await read()).order).toMatchObject({ status: 'cancelled', paymentStatus: 'refund_pending' })
    expect(await stock()).toBe(STOCK)
  })
})
