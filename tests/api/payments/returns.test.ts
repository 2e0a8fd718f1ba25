import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { customerOrderHandlers } from '#server/operators/cli/customer-order-handlers.ts'
import type { Terminal } from '#server/operators/cli/app-context.ts'
import { auditEvents, paymentAttempts, paymentEvents } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { shipOrder } from '#server/orders/deliveries.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import type { Payable } from '#tests/support/fakes/fake-payments.ts'
import { type FakeStripe, startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'
import { stockOf } from '#tests/support/catalogue/catalogue.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const PRICE_CENTS = 2499
let shop: Awaited<ReturnType<typeof startPayingShop>>
afterEach(() => assertInvariants(shop.db, shop))

async function paid() {
  const order = await shop.waiting()
  const attempt = await order.start()
  shop.fake.pay(attempt)
  expect(await order.confirm()).toMatchObject({ paymentStatus: 'paid' })
  const becomes = (what: Partial<Awaited<ReturnType<typeof order.read>>>) =>
    vi.waitFor(async () => expect(await order.read()).toMatchObject(what), PATIENCE)
  return { ...order, attempt, becomes }
}

/** Delivers a webhook and waits until the shop has applied all events of the payment. */
async function tell(attempt: Payable, event: string) {
  expect((await shop.deliver(attempt, event)).status).toBe(200)
  await vi.waitFor(async () => {
    const events = await shop.db.select().from(paymentEvents)
    const own = events.filter(({ reference }) => reference === attempt.reference)
    expect(own.length).toBeGreaterThan(0)
    expect(own.every(({ appliedAt }) => appliedAt)).toBe(true)
  }, PATIENCE)
}

/** Returns the text of the operator’s `order show` command. */
async function showOrder(id: string): Promise<string> {
  let said = ''
  const terminal = { out: async (text: string) => void (said += text) } as unknown as Terminal
  await customerOrderHandlers['order show']({ name: 'order show', id }, shop, terminal)
  return said
}

const auditOf = async (event: string, orderId: string) => {
  const rows = await shop.db.select().from(auditEvents).where(eq(auditEvents.event, event))
  return rows.filter(({ details }) => details['orderId'] === orderId)
}

describe.each([
  ['flutterwave', startFlutterwave],
  ['stripe', startStripe],
] as const)('a refund made by the operator at %s', (_, startFake) => {
  beforeAll(async () => {
    shop = await startPayingShop(startFake)
  })
  afterAll(() => shop.close())

  test('cancels the order, marks it as refunded only once and notifies the customer', async () => {
    const { attempt, becomes, orderId, product, ledger, steps, mails } = await paid()
    shop.fake.refunds.set(attempt.reference, [PRICE_CENTS])

    await tell(attempt, 'charge.refunded')
    await shop.deliver(attempt, 'charge.refunded')
    await tell(attempt, 'refund.updated')

    await becomes({ status: 'cancelled', paymentStatus: 'refunded' })
    expect(await stockOf(shop.db, product)).toBe(product.stock)
    expect(await ledger()).toEqual([
      { kind: 'charge', amountCents: PRICE_CENTS },
      { kind: 'refund', amountCents: PRICE_CENTS },
    ])
    expect(await steps()).toEqual(['placed', 'paid', 'returned', 'cancelled', 'refund_pending', 'refunded'])
    const told = expect.arrayContaining(['Your order is cancelled', 'We have refunded your payment']) as string[]
    await vi.waitFor(() => expect(mails()).toEqual(told), PATIENCE)
    expect(await showOrder(orderId)).toMatch(/Refunded at the payment provider$/m)
    expect(await auditOf('payment_returned', orderId)).toHaveLength(1)
    await expect(shipOrder(shop.db, shop.jobs, orderId)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('in more parts than the provider lists at once cancels the order', async () => {
    const { attempt, becomes } = await paid()
    const parts = Array.from({ length: 119 }, () => PRICE_CENTS / 119)
    shop.fake.refunds.set(attempt.reference, parts)

    await tell(attempt, 'charge.refunded')

    await becomes({ status: 'cancelled', paymentStatus: 'refunded' })
    expect(shop.fake.refunds.get(attempt.reference)).toEqual(parts)
  })

  test('is found without a webhook before anything is shipped', async () => {
    const { attempt, becomes } = await paid()
    shop.fake.refunds.set(attempt.reference, [PRICE_CENTS])

    await shop.reconcileNow()

    await becomes({ status: 'cancelled', paymentStatus: 'refunded' })
    expect(shop.fake.refunds.get(attempt.reference)).toEqual([PRICE_CENTS])
  })

  test.each([
    ['an hour for two days', 1, 1, false],
    ['a day for a month', 49, 24, false],
    ['a day on the last day of the month', 29.9 * 24, 24, false],
    ['a day once it is shipped', 1, 24, true],
  ])('is looked up once %s', async (_, ageHours, restHours, isShipped) => {
    const { attempt, becomes, orderId, read } = await paid()
    if (isShipped) await shipOrder(shop.db, shop.jobs, orderId)
    const ago = (hours: number) => new Date(Date.now() - hours * 3600_000)
    const asked = (hours: number) =>
      shop.db
        .update(paymentAttempts)
        .set({ createdAt: ago(ageHours), lookedUpAt: ago(hours) })
        .where(eq(paymentAttempts.reference, attempt.reference))
    shop.fake.refunds.set(attempt.reference, [PRICE_CENTS])

    await asked(restHours - 0.1)
    await reconcile(shop.paymentContext)
    expect(await read()).toMatchObject({ paymentStatus: 'paid' })
    await asked(restHours + 0.1)
    await reconcile(shop.paymentContext)

    await becomes({ paymentStatus: 'refunded' })
  })

  test('is no longer looked up a month after the payment', async () => {
    const { attempt, attempts } = await paid()
    const ago = (hours: number) => new Date(Date.now() - hours * 3600_000)
    const lookedUpAt = ago(25)
    await shop.db
      .update(paymentAttempts)
      .set({ createdAt: ago(30.1 * 24), lookedUpAt })
      .where(eq(paymentAttempts.reference, attempt.reference))

    await reconcile(shop.paymentContext)

    expect(await attempts()).toMatchObject([{ lookedUpAt }])
  })

  test('is found later if the provider cannot be reached at first', async () => {
    const { attempt, becomes, read } = await paid()
    shop.fake.refunds.set(attempt.reference, [PRICE_CENTS])
    shop.fake.misbehave(attempt, 'error')
    await shop.reconcileNow()
    expect(await read()).toMatchObject({ paymentStatus: 'paid' })
    shop.fake.misbehave(attempt, null)

    await reconcile(shop.paymentContext)

    await becomes({ paymentStatus: 'refunded' })
  })

  test('counts, and leaves the order paid while only a part of the payment is refunded', async () => {
    const { attempt, becomes, read, steps, mails } = await paid()
    shop.fake.refunds.set(attempt.reference, [1000])

    await tell(attempt, 'charge.refunded')
    await shop.reconcileNow()

    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid', refundedCents: 1000 })
    expect(await steps()).toEqual(['placed', 'paid', 'part_returned'])
    await vi.waitFor(() => expect(mails()).toContain('We have refunded your payment'), PATIENCE)
    shop.fake.refunds.set(attempt.reference, [1000, PRICE_CENTS - 1000])
    await tell(attempt, 'charge.refunded.again')
    await becomes({ status: 'cancelled', paymentStatus: 'refunded' })
  })

  test('of a shipped order changes only the payment status', async () => {
    const { attempt, becomes, orderId, product } = await paid()
    await shipOrder(shop.db, shop.jobs, orderId)
    shop.fake.refunds.set(attempt.reference, [PRICE_CENTS])

    await tell(attempt, 'charge.refunded')

    await becomes({ status: 'placed', paymentStatus: 'refunded' })
    expect(await stockOf(shop.db, product)).toBe(product.stock - 1)
  })

  test('is applied even if the shop did not know that the order was paid', async () => {
    const order = await shop.waiting()
    const attempt = await order.start()
    shop.fake.pay(attempt)
    shop.fake.refunds.set(attempt.reference, [PRICE_CENTS])

    await tell(attempt, 'charge.refunded')
    await tell(attempt, 'payment_intent.succeeded')

    await vi.waitFor(async () => expect(await order.read()).toMatchObject({ paymentStatus: 'refunded' }), PATIENCE)
    expect((await order.ledger()).map(({ kind }) => kind)).toEqual(['charge', 'refund'])
    expect(await stockOf(shop.db, order.product)).toBe(order.product.stock)
  })

  test('is not assumed when a payment fails after it succeeded; the log warns about it', async () => {
    const { attempt, read, ledger } = await paid()
    const warn = vi.spyOn(shop.paymentContext.log, 'warn').mockImplementation(() => undefined)
    onTestFinished(() => warn.mockRestore())
    shop.fake.pay(attempt, { status: 'failed' })

    await tell(attempt, 'charge.failed')

    // Jobs of other tests may still warn.
    expect(warn.mock.calls).toContainEqual([
      expect.objectContaining({ reference: attempt.reference }),
      'a payment that was made has failed since: look it up at its provider before its order is shipped',
    ])
    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect(await ledger()).toHaveLength(1)
  })

  test('of the overpaid part leaves the order paid', async () => {
    const { orderId, start, confirm, read } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt, { amountCents: PRICE_CENTS + 500 })
    await confirm()
    expect(await showOrder(orderId)).toMatch(/ of \$24\.99 by \w+, charged 29\.99 USD: succeeded$/m)
    shop.fake.refunds.set(attempt.reference, [500])

    await tell(attempt, 'charge.refunded')

    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
  })
})

describe('a Stripe dispute', () => {
  let stripe: FakeStripe
  beforeAll(async () => {
    shop = await startPayingShop(async () => (stripe = await startStripe()))
  })
  afterAll(() => shop.close())

  test('leaves the order paid while it is open, and is shown to the operator', async () => {
    const { attempt, orderId, read } = await paid()
    stripe.dispute(attempt, 'needs_response')

    await tell(attempt, 'charge.dispute.created')
    await tell(attempt, 'charge.dispute.updated')

    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect(await showOrder(orderId)).toMatch(/Disputed at the customer’s bank$/m)
    expect(await auditOf('payment_disputed', orderId)).toHaveLength(1)
    stripe.dispute(attempt, 'won')
    await tell(attempt, 'charge.dispute.closed')
    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
  })

  test('that is lost cancels the order without another refund', async () => {
    const { attempt, becomes, ledger } = await paid()
    stripe.dispute(attempt, 'lost')

    await tell(attempt, 'charge.dispute.closed')

    await becomes({ status: 'cancelled', paymentStatus: 'refunded' })
    expect(stripe.refunds.get(attempt.reference)).toBeUndefined()
    expect((await ledger()).map(({ kind }) => kind)).toEqual(['charge', 'refund'])
  })

  test.each<['won' | 'lost', number[] | undefined]>([
    ['lost', undefined],
    ['won', [PRICE_CENTS]],
  ])('delays the refund of an order until the dispute is %s', async (end, refunds) => {
    const { attempt, becomes, orderId, read } = await paid()
    stripe.dispute(attempt, 'under_review')
    const again = () => shop.db.update(paymentAttempts).set({ refundAskedAt: null })
    await refundOrder(shop.db, shop.jobs, orderId)
    await payRefunds(shop.paymentContext)
    expect(await read()).toMatchObject({ paymentStatus: 'refund_pending' })

    stripe.dispute(attempt, end)
    await again()
    await payRefunds(shop.paymentContext)

    await becomes({ paymentStatus: 'refunded' })
    expect(stripe.refunds.get(attempt.reference)).toEqual(refunds)
  })

  test('about a payment that is not this shop’s is ignored', async () => {
    const { attempt } = await paid()
    const { headers, body } = shop.fake.webhook({ ...attempt, reference: 'f'.repeat(32) }, 'charge.dispute.created')
    const typed = { 'content-type': 'application/json', ...headers }

    const path = '/api/payment/webhook/stripe'
    expect((await shop.request(path, { method: 'POST', headers: typed, body })).status).toBe(200)
    expect(await shop.db.select().from(paymentEvents)).not.toContainEqual(
      expect.objectContaining({ eventId: expect.stringContaining('f'.repeat(32)) as string }),
    )
  })
})
