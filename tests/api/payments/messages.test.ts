import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { paymentAttempts } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { readMoney } from '#server/payments/ledger.ts'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { startPayment } from '#server/payments/starting.ts'
import { syncPayment, trySyncing } from '#server/payments/syncing.ts'
import { startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const shop = await startPayingShop(startStripe)
afterAll(shop.close)
afterEach(() => assertInvariants(shop.db, shop))

const UNREACHABLE = 'The payment provider cannot be reached right now. We will keep trying'

describe('a customer who confirms an order reads', () => {
  test('that its payment is being processed', async () => {
    const { start, confirm } = await shop.waiting()
    shop.fake.pay(await start(), { status: 'processing' })

    expect(await confirm()).toEqual({ message: 'Your payment is being processed', paymentStatus: 'processing' })
  })

  test('that a refund is on its way, and later that it was paid', async () => {
    const { orderId, start, confirm } = await shop.waiting()
    shop.fake.pay(await start())
    await confirm()

    await refundOrder(shop.db, shop.jobs, orderId)

    expect(await confirm()).toEqual({ message: 'Your refund is on its way', paymentStatus: 'refund_pending' })
    await payRefunds(shop.paymentContext)
    await vi.waitFor(
      async () => expect(await confirm()).toEqual({ message: 'Your payment was refunded', paymentStatus: 'refunded' }),
      PATIENCE,
    )
  })

  test('that the provider cannot be reached, even if that concerns only one of two attempts', async () => {
    const { start, confirm } = await shop.waiting()
    shop.fake.pay(await start(), { status: 'failed' })
    expect(await confirm()).toEqual({ message: 'Your order is not paid yet', paymentStatus: 'unpaid' })

    shop.fake.misbehave(await start(), 'error')

    expect(await confirm()).toEqual({ message: UNREACHABLE, paymentStatus: 'unpaid' })
  })
})

describe('the status of a payment', () => {
  test('is not known while the provider cannot be reached', async () => {
    const { ada, start } = await shop.waiting()
    const attempt = await start()
    shop.fake.misbehave(attempt, 'error')

    const status = ada.api.getPayment({ clientSecret: attempt.clientSecret })

    await expect(status).rejects.toMatchObject({ status: 503, message: UNREACHABLE })
  })

  test('is looked up every two seconds at most, and no longer once it is settled', async () => {
    const { ada, orderId, start } = await shop.waiting()
    const attempt = await start()
    const read = () => ada.api.getPayment({ clientSecret: attempt.clientSecret })
    const forgetLookup = () =>
      shop.db.update(paymentAttempts).set({ lookedUpAt: null }).where(eq(paymentAttempts.reference, attempt.reference))
    const before = shop.fake.askedCount()
    const startedAt = performance.now()

    for (let count = 0; count < 10; count += 1) expect(await read()).toEqual({ status: 'open', orderId })

    const seconds = (performance.now() - startedAt) / 1000
    expect(shop.fake.askedCount() - before).toBeLessThanOrEqual(1 + seconds / 2)
    shop.fake.pay(attempt)
    await forgetLookup()
    expect(await read()).toEqual({ status: 'succeeded', orderId })
    await forgetLookup()
    shop.fake.misbehave(attempt, 'error')
    expect(await read()).toEqual({ status: 'succeeded', orderId })
  })

  test('is not looked up at another provider, which the shop uses since', async () => {
    const { start, confirm } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt)
    const setProvider = (provider: 'flutterwave' | 'stripe') =>
      shop.db.update(paymentAttempts).set({ provider }).where(eq(paymentAttempts.reference, attempt.reference))

    await setProvider('flutterwave')
    expect(await confirm()).toMatchObject({ paymentStatus: 'unpaid' })
    await setProvider('stripe')
    expect(await confirm()).toMatchObject({ paymentStatus: 'paid' })
  })

  test('is shown to its own customer only', async () => {
    const [{ start }, mallory] = [await shop.waiting(), await shop.customer()]
    const { clientSecret } = await start()
    const unknown = { status: 404, message: 'There is no such payment' }

    await expect(mallory.api.getPayment({ clientSecret })).rejects.toMatchObject(unknown)
    await expect(mallory.api.getPayment({ clientSecret: 'nothing' })).rejects.toMatchObject(unknown)
  })
})

describe('a payment cannot be started', () => {
  test('when the time to pay is over', async () => {
    const { start, expire } = await shop.waiting()
    await expire()

    await expect(start()).rejects.toMatchObject({ status: 422, message: 'The time to pay for this order is over' })
  })

  test('for another customer’s order', async () => {
    const [{ orderId }, mallory] = [await shop.waiting(), await shop.customer()]

    const started = mallory.api.startPayment({ orderId })

    await expect(started).rejects.toMatchObject({ status: 404, message: 'There is no such order' })
  })

  test('while the provider cannot be reached; other errors are not hidden', async () => {
    const { ada, orderId, attempts } = await shop.waiting()
    const createPayment = vi.spyOn(shop.paymentContext.provider!, 'createPayment')
    onTestFinished(() => createPayment.mockRestore())
    const start = () => startPayment(shop.paymentContext, ada, orderId)

    createPayment.mockRejectedValueOnce(new PaymentUnavailableError('It is away'))
    await expect(start()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The payment provider cannot be reached right now',
    })
    createPayment.mockRejectedValueOnce(new TypeError('a mistake'))
    await expect(start()).rejects.toThrow(TypeError)

    await start()
    expect((await attempts()).map(({ status }) => status).toSorted()).toEqual(['failed', 'open'])
  })
})

describe('the log tells the operator', () => {
  /** Creates an order whose payment the provider reports like this, and looks it up with a log of its own. */
  async function lookedUp(said: Parameters<typeof shop.fake.pay>[1]) {
    const order = await shop.waiting()
    shop.fake.pay(await order.start(), said)
    const [attempt] = await order.attempts()
    const warn = vi.fn<typeof shop.paymentContext.log.warn>()
    const look = () => syncPayment({ ...shop.paymentContext, log: { warn } }, attempt!)
    await look()
    const { orderId } = order
    return { ...order, attempt: attempt!, about: { orderId, attemptId: attempt!.id, wantedCents: 2499 }, warn, look }
  }

  test('of a report about another payment', async () => {
    const reference = 'f'.repeat(32)

    const { about, warn } = await lookedUp({ reference })

    expect(warn.mock.calls).toEqual([
      [
        { ...about, amountCents: 2499, currency: 'USD', reference },
        'the payment provider returned another payment than the one it was asked about',
      ],
    ])
  })

  test.each([[{ amountCents: 2400, currency: 'USD' }], [{ amountCents: 2499, currency: 'NGN' }]])(
    'of a wrong payment that is refunded: %j',
    async said => {
      const { about, warn } = await lookedUp(said)

      expect(warn.mock.calls).toEqual([
        [{ ...about, ...said }, 'a payment of the wrong amount or currency is being refunded'],
      ])
    },
  )

  test('of an overpaid order, once', async () => {
    const { about, warn, look } = await lookedUp({ amountCents: 2999 })
    await look()

    expect(warn.mock.calls).toEqual([
      [
        { ...about, amountCents: 2999, currency: 'USD', surplusCents: 500 },
        "more was paid than the order costs: refund the rest with 'order refund --amount'",
      ],
    ])
  })

  test('nothing of payments that succeed, fail or come twice', async () => {
    for (const status of ['succeeded', 'processing', 'failed'] as const) {
      const { warn, look } = await lookedUp({ status })
      await look()
      expect(warn.mock.calls).toEqual([])
    }
  })

  test('nothing of a second payment of the right amount, which is refunded', async () => {
    const { start, confirm, attempts } = await shop.waiting()
    const first = await start()
    shop.fake.pay(first, { status: 'failed' })
    await confirm()
    shop.fake.pay(await start())
    await confirm()
    shop.fake.pay(first)
    const attempt = (await attempts()).find(({ reference }) => reference === first.reference)
    const warn = vi.fn<typeof shop.paymentContext.log.warn>()

    await syncPayment({ ...shop.paymentContext, log: { warn } }, attempt!)

    await vi.waitFor(() => expect(shop.fake.refunds.get(first.reference)).toEqual([2499]), PATIENCE)
    expect(warn.mock.calls).toEqual([])
  })

  test('that the provider cannot be reached', async () => {
    const { start, attempts } = await shop.waiting()
    shop.fake.misbehave(await start(), 'error')
    const [attempt] = await attempts()
    const warn = vi.fn<typeof shop.paymentContext.log.warn>()

    expect(await trySyncing({ ...shop.paymentContext, log: { warn } }, attempt!)).toBe(false)

    expect(warn.mock.calls).toEqual([
      [
        { err: expect.any(PaymentUnavailableError) as Error, attemptId: attempt!.id },
        'the payment provider cannot be reached',
      ],
    ])
  })
})

test('an attempt that was never charged has no money', async () => {
  const { start, attempts } = await shop.waiting()
  await start()
  const [attempt] = await attempts()

  await expect(readMoney(shop.db, attempt!.id)).rejects.toThrow(`attempt ${attempt!.id} was never charged`)
})
