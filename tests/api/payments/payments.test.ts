import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { auditEvents, paymentAttempts } from '#server/db/schema.ts'
import { releaseExpired } from '#server/orders/cancelling.ts'
import { confirmOrder } from '#server/payments/attempts.ts'
import { receiveWebhook } from '#server/payments/events.ts'
import { settleRefund } from '#server/payments/refund-settling.ts'
import { startPayment } from '#server/payments/starting.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import type { Misbehaviour, ReportedPayment } from '#tests/support/fakes/fake-payments.ts'
import { startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'
import { setVariants } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const PRICE_CENTS = 2499

describe.each([
  ['flutterwave', startFlutterwave],
  ['stripe', startStripe],
])('with %s', (name, startFake) => {
  let shop: Awaited<ReturnType<typeof startPayingShop>>
  beforeAll(async () => {
    shop = await startPayingShop(startFake)
  })
  afterEach(() => assertInvariants(shop.db, shop))
  afterAll(() => shop.close())

  test('an attempt has the order’s amount and its own reference, and starting again returns the same attempt', async () => {
    const { ada, orderId, start, attempts } = await shop.waiting()

    const attempt = await start()

    expect(attempt).toMatchObject({
      provider: name,
      amountCents: PRICE_CENTS,
      currency: 'USD',
      options: 'card, mobilemoney, ussd',
      title: 'Payment for Order',
      customer: { email: ada.email, name: ada.name, phone_number: '+254 700 000000' },
      movesMoney: true,
    })
    expect(attempt.reference).toMatch(/^[0-9a-f]{32}$/)
    expect(await start()).toEqual(attempt)
    expect(await attempts()).toMatchObject([{ orderId, reference: attempt.reference, status: 'open' }])
    expect(await ada.api.getPayment({ clientSecret: attempt.clientSecret })).toEqual({ status: 'open', orderId })
  })

  test('the payment window gets what its provider needs to know about this payment and this customer', async () => {
    const { ada, orderId, start } = await shop.waiting()

    const attempt = await start()

    const about = { orderId, reference: attempt.reference, amountCents: PRICE_CENTS, currency: 'USD', email: ada.email }
    const { addsSecret, ...options } = shop.paymentContext.provider!.checkoutOptions(about)
    expect(attempt).toMatchObject(options)
    expect(attempt.redirectUrl.includes(attempt.clientSecret)).toBe(!addsSecret)
  })

  test('a successful payment marks the order as paid when it is confirmed', async () => {
    const { ada, orderId, start, confirm, read, ledger, mails } = await shop.waiting()
    await vi.waitFor(() => expect(mails()).toHaveLength(1), PATIENCE)
    const attempt = await start()
    expect(await confirm()).toEqual({ message: 'Your order is not paid yet', paymentStatus: 'unpaid' })

    shop.fake.pay(attempt)

    expect(await confirm()).toEqual({ message: 'Your order is paid', paymentStatus: 'paid' })
    expect(await ada.api.confirmOrderAgain({ orderId })).toMatchObject({ paymentStatus: 'paid' })
    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
    expect(await ledger()).toEqual([{ kind: 'charge', amountCents: PRICE_CENTS }])
    expect(await ada.api.getPayment({ clientSecret: attempt.clientSecret })).toEqual({ status: 'succeeded', orderId })
    await expect(start()).rejects.toMatchObject({ status: 422, message: 'This order is already paid' })
    await vi.waitFor(() => expect(mails()).toHaveLength(2), PATIENCE)
  })

  test('a customer can try again after a declined payment', async () => {
    const { start, confirm, ledger, steps } = await shop.waiting()
    const first = await start()
    shop.fake.pay(first, { status: 'failed' })
    expect(await confirm()).toMatchObject({ paymentStatus: 'unpaid' })

    const second = await start()
    expect(second.reference).not.toBe(first.reference)
    shop.fake.pay(second)

    expect(await confirm()).toMatchObject({ paymentStatus: 'paid' })
    expect(await ledger()).toEqual([{ kind: 'charge', amountCents: PRICE_CENTS }])
    expect(await steps()).toEqual(['placed', 'failed', 'paid'])
  })

  test('an order that was paid in another tab cannot be paid again', async () => {
    const { start } = await shop.waiting()
    shop.fake.pay(await start())

    await expect(start()).rejects.toMatchObject({ status: 422, message: 'This order is already paid' })
  })

  describe('a slow payment', () => {
    async function processing() {
      const order = await shop.waiting()
      const attempt = await order.start()
      shop.fake.pay(attempt, { status: 'processing' })
      expect(await order.confirm()).toMatchObject({ paymentStatus: 'processing' })
      return { ...order, attempt }
    }

    test('cannot be restarted or cancelled, and is settled by a webhook', async () => {
      const { ada, orderId, start, read, attempt } = await processing()
      await expect(start()).rejects.toMatchObject({ status: 422, message: 'A payment for this order is on its way' })
      await expect(ada.api.cancelOrder({ orderId })).rejects.toMatchObject({ status: 422 })

      shop.fake.pay(attempt)
      const answer = await shop.deliver(attempt)

      expect([answer.status, await answer.json()]).toEqual([200, { received: true }])
      await vi.waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'paid' }), PATIENCE)
    })

    test('is settled when the customer asks for its status', async () => {
      const { ada, orderId, attempt, read } = await processing()
      await shop.reconcileNow()
      shop.fake.pay(attempt)

      const ask = () => ada.api.getPayment({ clientSecret: attempt.clientSecret })

      await vi.waitFor(async () => expect(await ask()).toEqual({ status: 'succeeded', orderId }), PATIENCE)
      expect(await read()).toMatchObject({ paymentStatus: 'paid' })
    })

    test('is settled by the reconciler when no webhook comes', async () => {
      const { attempt, read } = await processing()
      shop.fake.pay(attempt)
      await shop.reconcileNow()
      expect(await read()).toMatchObject({ paymentStatus: 'paid' })
    })

    test('leaves the order unpaid when it fails', async () => {
      const { attempt, read, start } = await processing()
      shop.fake.pay(attempt, { status: 'failed' })
      await shop.reconcileNow()
      expect(await read()).toMatchObject({ status: 'pending', paymentStatus: 'unpaid' })
      expect((await start()).reference).not.toBe(attempt.reference)
    })
  })

  test.each<[string, Partial<ReportedPayment>]>([
    ['a reference of nobody’s', { reference: 'f'.repeat(32) }],
    ['a payment that is on its way', { status: 'processing' }],
  ])('%s does not mark the order as paid', async (_, said) => {
    const { start, confirm, read, ledger, attempts } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt, said)

    expect((await confirm()).paymentStatus).not.toBe('paid')
    await shop.reconcileNow()
    expect((await read()).status).toBe('pending')
    expect(await ledger()).toEqual([])

    shop.fake.pay(attempt)
    await confirm()
    expect(await attempts()).toMatchObject([{ status: 'succeeded' }])
  })

  test('another order’s payment does not mark the order as paid', async () => {
    const [mine, cheap] = [await shop.waiting(), await shop.waiting({ priceCents: 100 })]
    const [attempt, paid] = [await mine.start(), await cheap.start()]
    shop.fake.pay(paid)
    shop.fake.pay(attempt, { reference: paid.reference })

    expect(await mine.confirm()).toMatchObject({ paymentStatus: 'unpaid' })
    expect(await cheap.confirm()).toMatchObject({ paymentStatus: 'paid' })
    expect(await mine.ledger()).toEqual([])
    const refused = await shop.db.select().from(auditEvents).where(eq(auditEvents.outcome, 'refused'))
    expect(refused.map(({ details }) => details)).toContainEqual(expect.objectContaining({ orderId: mine.orderId }))
  })

  test('malformed responses of the provider mark no order as paid', async () => {
    const ways: Misbehaviour[] = ['reset', 'error', 'page', 'missing', 'garbage']
    const waiting = await Promise.all(ways.map(() => shop.waiting()))
    const attempts = await Promise.all(waiting.map(({ start }) => start()))
    ways.forEach((way, at) => {
      shop.fake.pay(attempts[at]!)
      shop.fake.misbehave(attempts[at]!, way)
    })
    const statuses = async () =>
      (await Promise.all(waiting.map(({ read }) => read()))).map(order => order.paymentStatus)

    const answers = await Promise.all(waiting.map(({ confirm }) => confirm()))

    expect(answers.map(({ paymentStatus }) => paymentStatus)).toEqual(ways.map(() => 'unpaid'))
    await shop.reconcileNow()
    expect(await statuses()).toEqual(ways.map(() => 'unpaid'))
    expect(await Promise.all(waiting.map(({ ledger }) => ledger()))).toEqual(ways.map(() => []))
    for (const attempt of attempts) shop.fake.misbehave(attempt, null)
    await shop.reconcileNow()
    expect(await statuses()).toEqual(ways.map(() => 'paid'))
  })

  test('an overpaid order is marked as paid and flagged in the audit', async () => {
    const { orderId, start, confirm, ledger } = await shop.waiting()
    shop.fake.pay(await start(), { amountCents: PRICE_CENTS + 500 })

    expect(await confirm()).toMatchObject({ paymentStatus: 'paid' })
    expect(await ledger()).toEqual([{ kind: 'charge', amountCents: PRICE_CENTS + 500 }])
    const flagged = await shop.db.select().from(auditEvents).where(eq(auditEvents.event, 'payment_overpaid'))
    expect(flagged.map(({ details }) => details)).toMatchObject([{ orderId, wantedCents: PRICE_CENTS }])
  })

  test('a payment after the hold has ended restores the order while the units are in stock', async () => {
    const { start, confirm, expire, steps } = await shop.waiting()
    const attempt = await start()
    await expire()
    await releaseExpired(shop.db, shop.jobs)
    await expect(start()).rejects.toMatchObject({ status: 422, message: 'This order is cancelled' })

    shop.fake.pay(attempt)

    expect(await confirm()).toMatchObject({ paymentStatus: 'paid' })
    expect(await steps()).toEqual(['placed', 'cancelled', 'revived', 'paid'])
  })

  test('a payment after the hold has ended is refunded when the units are sold, which is recorded once', async () => {
    const { ada, orderId, product, start, read, expire, ledger, mails, attempts } = await shop.waiting({ stock: 1 })
    await vi.waitFor(() => expect(mails()).toHaveLength(1), PATIENCE)
    const attempt = await start()
    await expire()
    await releaseExpired(shop.db, shop.jobs)
    await setVariants(shop.db, product, { stock: 0 })
    shop.initialStock.set(product.variantId, 0)

    shop.fake.pay(attempt)

    expect(await ada.api.getPayment({ clientSecret: attempt.clientSecret })).toEqual({ status: 'refunded', orderId })
    await vi.waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'refunded' }), PATIENCE)
    expect(shop.fake.refunds.get(attempt.reference)).toEqual([PRICE_CENTS])
    expect((await ledger()).map(({ kind }) => kind)).toEqual(['charge', 'refund'])
    await vi.waitFor(() => expect(mails()).toHaveLength(3), PATIENCE)

    const [stored] = await attempts()
    await settleRefund(shop.db, shop.jobs, stored!.id)
    const audited = await shop.db.select().from(auditEvents).where(eq(auditEvents.event, 'refund'))
    const ofAttempt = audited.filter(({ details }) => details['attemptId'] === stored!.id)
    expect(ofAttempt).toMatchObject([{ outcome: 'ok', details: { orderId, amountCents: PRICE_CENTS } }])
  })

  test('if two attempts are paid, one is refunded', async () => {
    const { start, confirm, read, ledger, attempts } = await shop.waiting()
    const first = await start()
    shop.fake.pay(first, { status: 'failed' })
    await confirm()
    const second = await start()
    shop.fake.pay(second)
    await confirm()

    shop.fake.pay(first)
    await shop.reconcileNow()

    await vi.waitFor(async () => expect(await ledger()).toHaveLength(3), PATIENCE)
    await shop.db.update(paymentAttempts).set({ refundAskedAt: null })
    await shop.reconcileNow()
    expect(shop.fake.refunds.get(first.reference)).toEqual([PRICE_CENTS])
    expect(shop.fake.refunds.get(second.reference)).toBeUndefined()
    expect((await attempts()).map(({ status }) => status).toSorted()).toEqual(['refunded', 'succeeded'])
    expect(await read()).toMatchObject({ paymentStatus: 'paid' })
  })

  test('the shop has no webhooks or pages of other providers', async () => {
    for (const other of ['sandbox', 'flutterwave', 'stripe', 'nobody'].filter(each => each !== name))
      expect((await shop.request(`/api/payment/webhook/${other}`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect((await shop.request('/api/payment/sandbox/checkout.js')).status).toBe(404)
    expect((await shop.request('/api/payment/sandbox/modal')).status).toBe(404)
  })

  test('a shop without a payment provider returns 503 when a payment is started', async () => {
    const { ada, orderId } = await shop.waiting()
    const paymentContext = { ...shop.paymentContext, provider: null }

    const refused = startPayment(paymentContext, ada, orderId)

    await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'This shop takes no payments yet' })
    await expect(receiveWebhook(paymentContext, name, new Headers(), new Uint8Array())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await confirmOrder(paymentContext, ada.id, orderId)).toMatchObject({ paymentStatus: 'unpaid' })
  })

  test('starting a payment while the provider is unreachable fails at Stripe, but not at Flutterwave', async () => {
    const { orderId, ada } = await shop.waiting()
    await shop.fake.close()

    const begun = await ada.api.startPayment({ orderId }).catch((error: unknown) => error)

    // Flutterwave learns of a payment only from the customer’s browser.
    expect(begun).toMatchObject(name === 'stripe' ? { status: 503 } : { amountCents: PRICE_CENTS })
    await expect(ada.api.confirmOrder({ orderId })).resolves.toMatchObject({ paymentStatus: 'unpaid' })
  })
})
