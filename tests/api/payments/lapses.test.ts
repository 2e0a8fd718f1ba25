import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { HOLD_MINUTES, PROCESSING_HOLD_HOURS } from '#contract/rules.ts'
import { auditEvents, paymentAttempts, products } from '#server/db/schema.ts'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { releaseExpired } from '#server/orders/cancelling.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'
import { setVariants } from '#tests/support/catalogue/catalogue.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const HOUR_MS = 3600_000

let shop: Awaited<ReturnType<typeof startPayingShop>>
beforeAll(async () => {
  shop = await startPayingShop(startFlutterwave)
})
afterEach(() => assertInvariants(shop.db, shop))
afterAll(() => shop.close())

type SoldProduct = Awaited<ReturnType<typeof shop.waiting>>['product']

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

/** Creates an order whose mobile money payment is processing, by default since a moment ago. */
async function onItsWay() {
  const order = await shop.waiting({ stock: 1 })
  const attempt = await order.start()
  shop.fake.pay(attempt, { status: 'processing' })
  expect(await order.confirm()).toMatchObject({ paymentStatus: 'processing' })
  const change = (changes: Partial<typeof paymentAttempts.$inferInsert>) =>
    shop.db.update(paymentAttempts).set(changes).where(eq(paymentAttempts.reference, attempt.reference))
  return { ...order, attempt, change }
}

/** Creates an order that was cancelled after a day, and whose payment has been processing for two. */
async function lapsed() {
  const order = await onItsWay()
  await order.change({ createdAt: ago(49) })
  await order.expire()
  await releaseExpired(shop.db, shop.jobs)
  expect(await order.read()).toMatchObject({ status: 'cancelled', paymentStatus: 'processing' })
  const warn = vi.fn<typeof shop.paymentContext.log.warn>()
  await reconcile({ ...shop.paymentContext, log: { warn } })
  return { ...order, warn }
}

describe('a payment that is never settled', () => {
  test('is not given up while the provider is unreachable, and is looked up the next time', async () => {
    const { attempt, change, attempts, read } = await onItsWay()
    shop.fake.pay(attempt)
    await change({ createdAt: ago(80), lookedUpAt: ago(79) })

    await reconcile(shop.asking(() => Promise.reject(new PaymentUnavailableError('It is away'))))
    expect(await attempts()).toMatchObject([{ status: 'processing' }])
    await reconcile(shop.paymentContext)

    expect(await read()).toMatchObject({ paymentStatus: 'paid' })
  })

  test('holds the units for the rest of the day when it is a second attempt', async () => {
    const { attempt, read, start, confirm, heldMinutes } = await onItsWay()
    shop.fake.pay(attempt, { status: 'failed' })
    await shop.reconcileNow()
    expect(await read()).toMatchObject({ status: 'pending', paymentStatus: 'unpaid' })
    expect(await heldMinutes()).toBe(HOLD_MINUTES)

    const next = await start()
    shop.fake.pay(next, { status: 'processing' })

    expect(await confirm()).toMatchObject({ paymentStatus: 'processing' })
    expect(await heldMinutes()).toBe(PROCESSING_HOLD_HOURS * 60)
  })

  test('lapses even if the lookup fails unexpectedly, and the failure is reported at the end', async () => {
    const { change, attempts } = await onItsWay()
    await change({ createdAt: ago(49), lookedUpAt: null })
    const paymentContext = shop.asking(() => Promise.reject(new TypeError('an answer that nobody expected')))

    await expect(reconcile(paymentContext)).rejects.toThrow('1 of 5 tasks failed')

    expect(await attempts()).toMatchObject([{ status: 'lapsed' }])
  })

  test('lapses after two days, with one warning to the operator', async () => {
    const { ada, attempt, orderId, attempts, read, warn, steps } = await lapsed()

    expect(await attempts()).toMatchObject([{ status: 'lapsed' }])
    expect(await read()).toMatchObject({ status: 'cancelled', paymentStatus: 'unpaid' })
    const [{ id }] = (await attempts()) as [typeof paymentAttempts.$inferSelect]
    const { reference } = attempt
    expect(warn.mock.calls).toEqual([
      [
        { orderId, attemptId: id, provider: 'flutterwave', reference },
        'a payment was not settled in time, and its order no longer waits for it: look it up at its provider',
      ],
    ])
    // The provider still reports the payment as processing.
    await shop.reconcileNow()
    expect(await ada.api.getPayment({ clientSecret: attempt.clientSecret })).toEqual({ status: 'processing', orderId })
    expect(await attempts()).toMatchObject([{ status: 'lapsed' }])
    expect(await steps()).toEqual(['placed', 'processing', 'cancelled', 'lapsed'])
    const isAudited = and(eq(auditEvents.event, 'payment_lapsed'), eq(auditEvents.outcome, 'refused'))
    const audited = await shop.db.select().from(auditEvents).where(isAudited)
    expect(audited.filter(({ details }) => details['orderId'] === orderId)).toHaveLength(1)
  })

  test('completes the order when a webhook reports it later and the units are in stock', async () => {
    const { attempt, read, steps } = await lapsed()
    shop.fake.pay(attempt)

    expect((await shop.deliver(attempt)).status).toBe(200)

    await vi.waitFor(
      async () => expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' }),
      PATIENCE,
    )
    expect(await steps()).toEqual(['placed', 'processing', 'cancelled', 'lapsed', 'revived', 'paid'])
  })

  test.each<[string, (product: SoldProduct) => Promise<unknown>]>([
    [
      'the units are sold',
      product => {
        shop.initialStock.set(product.variantId, 0)
        return setVariants(shop.db, product, { stock: 0 })
      },
    ],
    [
      'the product is no longer for sale',
      ({ id }) => shop.db.update(products).set({ isHidden: true }).where(eq(products.id, id)),
    ],
  ])('is refunded when a webhook reports it later and %s', async (_, change) => {
    const { attempt, product, read, ledger } = await lapsed()
    await change(product)
    shop.fake.pay(attempt)

    await shop.deliver(attempt)

    await vi.waitFor(async () => expect(await read()).toMatchObject({ paymentStatus: 'refunded' }), PATIENCE)
    expect((await ledger()).map(({ kind }) => kind)).toEqual(['charge', 'refund'])
    expect(shop.fake.refunds.get(attempt.reference)).toEqual([attempt.amountCents])
  })

  test.each<[string, Partial<typeof paymentAttempts.$inferInsert>, isPaid: boolean]>([
    ['asked about every day', { lookedUpAt: ago(25) }, true],
    ['but not more often', { lookedUpAt: ago(23) }, false],
    ['nor after a month', { createdAt: ago(31 * 24), lookedUpAt: ago(25) }, false],
  ])('is looked up daily for a month when no webhook comes: %s', async (_, changes, isPaid) => {
    const { attempt, change, read } = await lapsed()
    shop.fake.pay(attempt)
    await change(changes)

    await reconcile(shop.paymentContext)

    expect(await read()).toMatchObject({ paymentStatus: isPaid ? 'paid' : 'unpaid' })
  })

  test('is found after the shop was closed or its provider unreachable for days', async () => {
    const { start, expire, read } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt)
    await expire()
    await releaseExpired(shop.db, shop.jobs)
    const isIt = eq(paymentAttempts.reference, attempt.reference)
    await shop.db
      .update(paymentAttempts)
      .set({ createdAt: ago(80), lookedUpAt: ago(79) })
      .where(isIt)

    await reconcile(shop.paymentContext)

    expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
  })
})
