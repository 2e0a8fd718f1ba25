import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { auditEvents, paymentAttempts } from '#server/db/schema.ts'
import { cancelByOperator } from '#server/orders/cancelling.ts'
import { readAnyOrder } from '#server/orders/orders.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import type { ReportedPayment } from '#tests/support/fakes/fake-payments.ts'
import { startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { addShippable, assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const PRICE_CENTS = 2499
const PASSES = 3

describe.each([
  ['flutterwave', startFlutterwave],
  ['stripe', startStripe],
] as const)('%s', (name, startFake) => {
  let shop: Awaited<ReturnType<typeof startPayingShop>>
  beforeAll(async () => {
    shop = await startPayingShop(startFake)
  })
  afterEach(() => assertInvariants(shop.db, shop))
  afterAll(() => shop.close())

  const auditOf = async (orderId: string) => {
    const rows = await shop.db.select().from(auditEvents).where(eq(auditEvents.event, 'payment'))
    return rows.filter(({ details }) => details['orderId'] === orderId).map(({ outcome }) => outcome)
  }
  const waitingRefunds = () => shop.db.update(paymentAttempts).set({ refundAskedAt: null })

  test.each<[string, Partial<ReportedPayment>]>([
    ['a cent less', { amountCents: PRICE_CENTS - 1 }],
    ['another currency', { currency: 'NGN' }],
  ])('refunds a payment of %s, and the customer can pay again', async (_, said) => {
    const { start, confirm, read, ledger, mails, orderId } = await shop.waiting()
    const attempt = await start()
    const { amountCents, currency } = { amountCents: PRICE_CENTS, currency: 'USD', ...said }
    shop.fake.pay(attempt, said)

    expect(await confirm()).toMatchObject({ paymentStatus: 'unpaid' })

    await vi.waitFor(() => expect(mails()).toContain('We have refunded your payment'), PATIENCE)
    for (let pass = 0; pass < PASSES; pass += 1) await shop.reconcileNow()
    expect(shop.fake.refunds.get(attempt.reference)).toEqual([amountCents])
    expect(await ledger()).toEqual([
      { kind: 'charge', amountCents },
      { kind: 'refund', amountCents },
    ])
    expect(await auditOf(orderId)).toEqual(['ok'])
    const letter = shop.letters.findLast(({ subject }) => subject.startsWith('We have refunded your payment'))
    expect(letter?.text).toContain(currency === 'NGN' ? 'NGN' : '$24.98')
    const again = await start()
    expect(again.reference).not.toBe(attempt.reference)
    shop.fake.pay(again)
    expect(await confirm()).toMatchObject({ paymentStatus: 'paid' })
    expect(await read()).toMatchObject({ status: 'placed' })
  })

  test('a report about another payment is audited only once', async () => {
    const { start, confirm, read, orderId } = await shop.waiting()
    const attempt = await start()
    const { timeline } = await read()
    shop.fake.pay(attempt, { reference: 'f'.repeat(32) })
    await confirm()

    for (let pass = 0; pass < PASSES; pass += 1) await shop.reconcileNow()

    expect(await auditOf(orderId)).toEqual(['refused'])
    expect((await read()).timeline).toEqual(timeline)
    shop.fake.pay(attempt)
    expect(await confirm()).toMatchObject({ paymentStatus: 'paid' })
  })

  test('requests a refund again when the first one fails', async () => {
    const { start, confirm, ledger } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt, { amountCents: PRICE_CENTS - 1 })
    shop.fake.failRefund(attempt)
    await confirm()
    await vi.waitFor(async () => {
      await waitingRefunds()
      await payRefunds(shop.paymentContext)
      expect(shop.fake.refunds.get(attempt.reference)).toEqual([PRICE_CENTS - 1])
    }, PATIENCE)

    await waitingRefunds()
    await payRefunds(shop.paymentContext)

    expect((await ledger()).map(({ kind }) => kind)).toEqual(['charge', 'refund'])
  })

  test.each<[string, byHand: number[], all: number[]]>([
    ['a part', [300, 200], [300, 200, PRICE_CENTS - 500]],
    ['everything', [PRICE_CENTS], [PRICE_CENTS]],
  ])('refunds only the rest when the operator has refunded %s by hand', async (_, byHand, all) => {
    const { start, confirm, read, ledger, orderId } = await shop.waiting()
    const attempt = await start()
    shop.fake.pay(attempt)
    await confirm()
    shop.fake.refunds.set(attempt.reference, byHand)

    await cancelByOperator(shop.db, shop.jobs, orderId)
    await payRefunds(shop.paymentContext)

    expect(shop.fake.refunds.get(attempt.reference)).toEqual(all)
    expect(await read()).toMatchObject({ paymentStatus: 'refunded' })
    expect(await ledger()).toEqual([
      { kind: 'charge', amountCents: PRICE_CENTS },
      { kind: 'refund', amountCents: PRICE_CENTS },
    ])
  })

  test('keeps refunds waiting, and warns in the log, when the provider is no longer configured', async () => {
    const { start, confirm, attempts, ledger, orderId } = await shop.waiting()
    const attempt = await start()
    shop.fake.failRefund(attempt)
    shop.fake.pay(attempt, { amountCents: PRICE_CENTS - 1 })
    await confirm()
    await vi.waitFor(async () => expect((await attempts())[0]?.refundAskedAt).not.toBeNull(), PATIENCE)
    await waitingRefunds()
    const warn = vi.fn<typeof shop.paymentContext.log.warn>()

    await reconcile({ ...shop.paymentContext, provider: null, log: { warn } })

    expect(warn.mock.calls).toEqual([
      [{ provider: name, count: 1 }, 'refunds wait until their payment provider is configured again'],
    ])
    expect(await ledger()).toHaveLength(1)
    expect((await readAnyOrder(shop.db, orderId)).order.paymentStatus).toBe('unpaid')
    // The refund that fails may still be running.
    await vi.waitFor(async () => {
      await waitingRefunds()
      await payRefunds(shop.paymentContext)
      expect(await ledger()).toHaveLength(2)
    }, PATIENCE)
  })

  test('rejects payments below the provider’s minimum', async () => {
    const { ada } = await shop.waiting()
    const startAt = async (priceCents: number) => {
      const cheap = await addShippable(shop.db, { priceCents, shippingPrices: { Kenya: 0 } })
      const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [cheap]))
      return ada.api.startPayment({ orderId }).catch((error: unknown) => error)
    }

    const refusal = { status: 422, message: 'Payments of less than $0.50 cannot be taken here' }
    expect(await startAt(49)).toMatchObject(name === 'stripe' ? refusal : { amountCents: 49 })
    expect(await startAt(50)).toMatchObject({ amountCents: 50 })
  })
})
