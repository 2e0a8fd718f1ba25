import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { auditEvents, paymentAttempts } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { checkCharge } from '#server/payments/charges.ts'
import type { PaymentContext } from '#server/payments/context.ts'
import { findBounced } from '#server/payments/doubtful-payments.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { type FakeStripe, startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { assertInvariants, withoutJobs } from '#tests/support/provider/ordering.ts'
import { LONG_AGO, startPayingShop } from '#tests/support/provider/paying-shop.ts'

const PRICE_CENTS = 2499
let stripe!: FakeStripe
const shop = await startPayingShop(async () => (stripe = await startStripe()))
afterAll(shop.close)
afterEach(() => assertInvariants(shop.db, shop))

async function paid() {
  const order = await shop.waiting()
  const payable = await order.start()
  stripe.pay(payable)
  expect(await order.confirm()).toMatchObject({ paymentStatus: 'paid' })
  const [attempt] = await order.attempts()
  if (!attempt) throw new Error('The order has no attempt')
  // A log of its own: jobs of other tests may still warn.
  const warn = vi.fn<PaymentContext['log']['warn']>()
  const auditOf = async (event: string) => {
    const rows = await shop.db.select().from(auditEvents).where(eq(auditEvents.event, event)).orderBy(auditEvents.id)
    return rows.filter(({ details }) => details['orderId'] === order.orderId)
  }
  const about = { orderId: order.orderId, attemptId: attempt.id, provider: 'stripe', reference: attempt.reference }
  const check = () => checkCharge({ ...shop.paymentContext, log: { warn } }, attempt.id)
  const refunded = (cents: number) =>
    vi.waitFor(async () => expect((await order.read()).refundedCents).toBe(cents), PATIENCE)
  return { ...order, attempt, about, auditOf, warn, check, refunded }
}

test('an order can be paid after Stripe failed once, although Stripe repeats its response to the same request', async () => {
  const order = await shop.waiting()
  stripe.failIntent()
  await expect(order.start()).rejects.toMatchObject({ status: 503 })

  stripe.pay(await order.start())

  expect(await order.confirm()).toMatchObject({ paymentStatus: 'paid' })
})

test('a payment that is started twice at once is one payment, although Stripe rejects the second request meanwhile', async () => {
  const order = await shop.waiting()
  stripe.slowIntent()

  const [first, second] = await Promise.all([order.start(), order.start()])

  expect(second).toEqual(first)
  expect(await order.attempts()).toMatchObject([{ status: 'open', reference: first.reference }])
})

test('a charge that was returned at the provider is named in the log once', async () => {
  const { attempt, about, check, read, warn } = await paid()
  stripe.refunds.set(attempt.reference, [PRICE_CENTS])

  await check()
  await check()

  expect(await read()).toMatchObject({ status: 'cancelled' })
  expect(warn.mock.calls).toEqual([
    [about, 'a payment was refunded at its provider: the unshipped part of its order is cancelled'],
  ])
})

test('a part that was returned at the provider is audited with its amount, once and only what was not known', async () => {
  const { attempt, auditOf, check, read, ledger, warn } = await paid()
  stripe.refunds.set(attempt.reference, [1000])
  await check()
  await check()
  stripe.refunds.set(attempt.reference, [1000, 499])

  await check()

  expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid', refundedCents: 1499 })
  const kept = await auditOf('payment_part_returned')
  expect(kept.map(({ outcome, details }) => [outcome, details['attemptId'], details['amountCents']])).toEqual([
    ['ok', attempt.id, 1000],
    ['ok', attempt.id, 499],
  ])
  expect((await ledger()).map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ['charge', PRICE_CENTS],
    ['refund', 1000],
    ['refund', 499],
  ])
  expect(warn.mock.calls).toEqual([])
})

test('a charge without any returned money is neither audited nor logged', async () => {
  const { auditOf, check, steps, ledger, warn } = await paid()

  await check()

  expect(await steps()).toEqual(['placed', 'paid'])
  expect(await ledger()).toHaveLength(1)
  expect(await auditOf('payment_part_returned')).toEqual([])
  expect(warn.mock.calls).toEqual([])
})

test('a disputed charge is named in the log and audited once', async () => {
  const { attempt, about, auditOf, check, warn } = await paid()
  stripe.dispute(attempt, 'needs_response')

  await check()
  await check()

  expect(await auditOf('payment_disputed')).toMatchObject([{ outcome: 'ok', details: { attemptId: attempt.id } }])
  expect(warn.mock.calls).toEqual([
    [about, 'a payment is disputed at the customer’s bank: answer at its provider, and ship or refund the order'],
  ])
})

test('a refund that the customer’s bank sends back is on the order, named in the log and audited once', async () => {
  const { attempt, about, auditOf, check, orderId, read, refunded, hoursLater, warn } = await paid()
  await refundPart(shop.db, shop.jobs, orderId, 1000)
  await refunded(1000)
  await hoursLater()
  await check()
  expect(warn.mock.calls).toEqual([])
  stripe.bounceRefunds(attempt)

  await check()
  await check()

  expect((await read()).timeline.at(-1)).toMatchObject({ text: 'Refund returned by your bank' })
  expect(await auditOf('refund_bounced')).toMatchObject([{ outcome: 'ok', details: { attemptId: attempt.id } }])
  expect(warn.mock.calls).toEqual([
    [about, 'a refund was returned by the customer’s bank: look it up at its provider, and pay it in another way'],
  ])
})

test('a later refund of the same payment that comes back, too, is also named and audited', async () => {
  const { auditOf, attempt, check, orderId, read, refunded, hoursLater, warn } = await paid()
  for (const upToCents of [1000, 1500]) {
    await refundPart(shop.db, shop.jobs, orderId, upToCents - (await read()).refundedCents)
    await refunded(upToCents)
    await hoursLater()
    await check()
    stripe.bounceRefunds(attempt)
    await check()
    await check()
  }

  const returned = (await read()).timeline.filter(({ text }) => text === 'Refund returned by your bank')
  expect(returned).toHaveLength(2)
  expect(await auditOf('refund_bounced')).toHaveLength(2)
  expect(warn).toHaveBeenCalledTimes(2)
  const named = (await findBounced(shop.db)).filter(({ reference }) => reference === attempt.reference)
  expect(named).toHaveLength(1)
})

test('a refund of a whole order that the customer’s bank sends back is noticed, too', async () => {
  const { attempt, auditOf, orderId, read, refunded, hoursLater } = await paid()
  await refundOrder(shop.db, shop.jobs, orderId)
  await shop.reconcileNow()
  await refunded(PRICE_CENTS)
  await hoursLater()
  stripe.bounceRefunds(attempt)

  await shop.reconcileNow()

  expect(await auditOf('refund_bounced')).toHaveLength(1)
  expect(await read()).toMatchObject({ paymentStatus: 'refunded', status: 'cancelled' })
})

test('a refund of the last hour is not taken for one that came back: the provider’s list may lack it', async () => {
  const { attempt, auditOf, check, orderId, refunded, warn } = await paid()
  await refundPart(shop.db, shop.jobs, orderId, 1000)
  await refunded(1000)
  stripe.bounceRefunds(attempt)

  await check()

  expect(await auditOf('refund_bounced')).toEqual([])
  expect(warn.mock.calls).toEqual([])
})

test('a refund that the provider’s list lacks is not reported as returned if no refund has failed', async () => {
  const { attempt, auditOf, check, orderId, refunded, hoursLater, warn } = await paid()
  await refundPart(shop.db, shop.jobs, orderId, 1000)
  await refunded(1000)
  await hoursLater()
  stripe.refunds.delete(attempt.reference)

  await check()

  expect(await auditOf('refund_bounced')).toEqual([])
  expect(warn.mock.calls).toEqual([])
})

test('a refund that failed at first and was paid later is not reported as returned', async () => {
  const { attempt, auditOf, check, orderId, read, hoursLater, warn } = await paid()
  stripe.failRefund(attempt)
  await refundPart(shop.db, shop.jobs, orderId, 1000)
  await vi.waitFor(async () => {
    await shop.db.update(paymentAttempts).set({ refundAskedAt: null }).where(eq(paymentAttempts.id, attempt.id))
    await payRefunds(shop.paymentContext)
    expect(await read()).toMatchObject({ refundedCents: 1000 })
  }, PATIENCE)
  await hoursLater()

  await check()

  expect(await auditOf('refund_bounced')).toEqual([])
  expect(warn.mock.calls).toEqual([])
})

test('money that was returned at the provider counts towards a refund that the shop has not paid yet', async () => {
  const { attempt, check, ledger, orderId, read } = await paid()
  await refundPart(shop.db, withoutJobs(shop.jobs), orderId, 700)
  stripe.refunds.set(attempt.reference, [300])

  await check()

  expect(await ledger()).toHaveLength(1)
  await payRefunds(shop.paymentContext)
  expect(stripe.refunds.get(attempt.reference)).toEqual([300, 400])
  expect(await read()).toMatchObject({ paymentStatus: 'paid', refundedCents: 700 })
})

test('a charge that was just checked does not keep another one from being checked', async () => {
  const looked = await paid()
  const returned = await paid()
  await shop.db.update(paymentAttempts).set({ lookedUpAt: LONG_AGO })
  stripe.refunds.set(returned.attempt.reference, [PRICE_CENTS])

  await looked.check()
  await reconcile(shop.paymentContext)

  expect(await returned.read()).toMatchObject({ status: 'cancelled' })
  expect(await looked.read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
})

test('a charge is not checked if it is another provider’s, or the shop has no provider', async () => {
  const { attempt, check, read } = await paid()
  stripe.refunds.set(attempt.reference, [PRICE_CENTS])
  await checkCharge({ ...shop.paymentContext, provider: null }, attempt.id)
  const isIt = eq(paymentAttempts.id, attempt.id)
  await shop.db.update(paymentAttempts).set({ provider: 'flutterwave' }).where(isIt)

  await check()

  expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
  await shop.db.update(paymentAttempts).set({ provider: 'stripe' }).where(isIt)
})
