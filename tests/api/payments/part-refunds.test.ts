import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { auditEvents, paymentAttempts, payments } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { reconcile } from '#server/payments/reconciling.ts'
import { payRefund, payRefunds } from '#server/payments/refund-paying.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { rounds } from '#tests/support/rounds.ts'
import { assertInvariants } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const PRICE_CENTS = 2499

let shop: Awaited<ReturnType<typeof startPayingShop>>

async function paid(said?: { method: string }) {
  const order = await shop.waiting({ stock: 100 })
  const attempt = await order.start()
  shop.fake.pay(attempt, said)
  expect(await order.confirm()).toMatchObject({ paymentStatus: 'paid' })
  const refund = (cents: number) => refundPart(shop.db, shop.jobs, order.orderId, cents)
  const [stored] = await order.attempts()
  const shows = async (what: Partial<Awaited<ReturnType<typeof order.read>>>) =>
    expect(await order.read()).toMatchObject(what)
  return {
    ...order,
    attempt,
    refund,
    attemptId: stored!.id,
    givenBack: () => shop.fake.refunds.get(attempt.reference) ?? [],
    becomes: (what: Parameters<typeof shows>[0]) => vi.waitFor(() => shows(what), PATIENCE),
    /** Retries more than once, because the job's own try may still be running. */
    becomesByRetrying: (what: Parameters<typeof shows>[0]) =>
      vi.waitFor(async () => {
        await payNow()
        await shows(what)
      }, PATIENCE),
  }
}

/** Paid by the fake's card. */
const TO_CARD = { to: 'card', paidWith: { kind: 'card', ending: '4242' } }

const sumOf = (all: number[]) => all.reduce((sum, cents) => sum + cents, 0)

/** Tries all pending refunds again, as if the last try were long ago. */
async function payNow() {
  await shop.db.update(paymentAttempts).set({ refundAskedAt: null })
  await payRefunds(shop.paymentContext)
}

describe.each([
  ['flutterwave', startFlutterwave, 'mpesa', { kind: 'mobile_money' }],
  ['stripe', startStripe, 'us_bank_account', { kind: 'bank', ending: '4242' }],
] as const)('a part of a payment at %s', (_, startFake, otherMethod, otherMeans) => {
  beforeAll(async () => {
    shop = await startPayingShop(startFake)
  })
  afterEach(() => assertInvariants(shop.db, shop))
  afterAll(() => shop.close())

  test('is refunded exactly; the order stays paid and says how much was refunded', async () => {
    const { refund, becomes, givenBack, ledger, read, mails, ada, orderId } = await paid()

    await refund(1001)

    await becomes({ paymentStatus: 'paid', status: 'placed', refundedCents: 1001 })
    expect(givenBack()).toEqual([1001])
    expect(await ledger()).toEqual([
      { kind: 'charge', amountCents: PRICE_CENTS },
      { kind: 'refund', amountCents: 1001 },
    ])
    expect((await read()).timeline.map(({ text }) => text)).toEqual([
      'Order received',
      'Payment received',
      'Refund of $10.01 on its way',
      'Refunded $10.01',
    ])
    expect((await read()).refunds).toEqual([
      { at: expect.stringMatching(/Z$/) as string, amountCents: 1001, ...TO_CARD },
    ])
    await vi.waitFor(() => expect(mails()).toContain('We have refunded your payment'), PATIENCE)
    const { notifications } = await ada.api.getNotifications({})
    expect(notifications[0]).toMatchObject({
      title: 'We have refunded $10.01',
      link: expect.stringContaining(orderId) as string,
    })
    const audited = await shop.db.select().from(auditEvents).orderBy(auditEvents.id)
    const ofRefund = audited.filter(({ event, details }) => details['orderId'] === orderId && event.includes('refund'))
    expect(ofRefund).toMatchObject([
      { event: 'refund_wanted', outcome: 'ok', details: { amountCents: 1001 } },
      { event: 'part_refund', outcome: 'ok', details: { amountCents: 1001 } },
    ])
  })

  test('goes back to what the customer paid with, whatever that was', async () => {
    const [other, unknown] = [await paid({ method: otherMethod }), await paid({ method: 'new_wallet' })]

    await other.refund(500)
    await unknown.refund(500)

    const refundOf = async ({ becomes, read }: typeof other) => {
      await becomes({ refundedCents: 500 })
      const [{ at: _at, ...refund } = {}] = (await read()).refunds
      return refund
    }
    expect(await refundOf(other)).toEqual({ amountCents: 500, to: 'payment', paidWith: otherMeans })
    expect(await refundOf(unknown)).toEqual({ amountCents: 500, to: 'payment' })
  })

  test('of an order that does not exist cannot be refunded', async () => {
    const refund = refundPart(shop.db, shop.jobs, randomUUID(), 100)

    await expect(refund).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'There is no such order' })
  })

  test('of an order that is not paid cannot be refunded', async () => {
    const { orderId } = await shop.waiting()

    await expect(refundPart(shop.db, shop.jobs, orderId, 100)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'At most $0.00 of this payment can be refunded',
    })
  })

  test('follows another part at once, and the last part completes the refund', async () => {
    const { refund, becomes, givenBack } = await paid()

    await refund(1000)
    await becomes({ refundedCents: 1000 })
    await refund(PRICE_CENTS - 1000)

    await becomes({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })
    expect(givenBack()).toEqual([1000, PRICE_CENTS - 1000])
  })

  test('completes the refund even if an earlier part is still waiting', async () => {
    const { refund, attempt, becomes, becomesByRetrying, givenBack } = await paid()
    shop.fake.misbehave(attempt, 'error')
    await refund(1000)

    await refund(PRICE_CENTS - 1000)
    await becomes({ paymentStatus: 'refund_pending', refundedCents: 0 })
    shop.fake.misbehave(attempt, null)

    await becomesByRetrying({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })
    expect(sumOf(givenBack())).toBe(PRICE_CENTS)
  })

  test('is never more than the rest of the payment, even if several are requested at once', async () => {
    const { refund, becomes, givenBack } = await paid()

    const results = await Promise.allSettled(Array.from({ length: 6 }, () => refund(1000)))

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await becomes({ paymentStatus: 'paid', refundedCents: 2000 })
    expect(givenBack()).toEqual([1000, 1000])
    await expect(refund(500)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'At most $4.99 of this payment can be refunded',
    })
  })

  test('is refunded once if several processes pay it', async () => {
    const { refund, attemptId, becomes, givenBack } = await paid()
    await refund(700)

    await Promise.all(Array.from({ length: 5 }, () => payRefund(shop.paymentContext, attemptId)))

    await becomes({ refundedCents: 700 })
    expect(givenBack()).toEqual([700])
  })

  test('waits while the provider fails, and is tried again', async () => {
    const { refund, attempt, becomesByRetrying, givenBack } = await paid()
    shop.fake.failRefund(attempt)
    await refund(700)
    await vi.waitFor(async () => {
      const [row] = await shop.db.select().from(paymentAttempts).where(eq(paymentAttempts.reference, attempt.reference))
      expect(row?.refundAskedAt).not.toBeNull()
    }, PATIENCE)

    await becomesByRetrying({ refundedCents: 700 })
    expect(givenBack()).toEqual([700])
  })

  test('refunded by hand at the provider is counted, and the rest can be refunded', async () => {
    const { attempt, becomes, becomesByRetrying, givenBack, ledger, orderId, read } = await paid()
    shop.fake.refunds.set(attempt.reference, [300])

    await shop.deliver(attempt, 'charge.refunded')
    await becomes({ paymentStatus: 'paid', refundedCents: 300 })
    await shop.reconcileNow()
    expect(await read()).toMatchObject({ refundedCents: 300 })
    await refundOrder(shop.db, shop.jobs, orderId)

    await becomesByRetrying({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })
    expect(givenBack()).toEqual([300, PRICE_CENTS - 300])
    expect((await ledger()).map(({ amountCents }) => amountCents)).toEqual([PRICE_CENTS, 300, PRICE_CENTS - 300])
    expect((await read()).refunds).toMatchObject([
      { amountCents: 300, to: 'by_hand' },
      { amountCents: PRICE_CENTS - 300, ...TO_CARD },
    ])
  })

  test('and the refund of the rest are paid one after the other when both are requested', async () => {
    const { refund, attempt, becomesByRetrying, givenBack, orderId } = await paid()
    shop.fake.misbehave(attempt, 'error')
    await refund(300)
    await refundOrder(shop.db, shop.jobs, orderId)
    shop.fake.misbehave(attempt, null)

    await becomesByRetrying({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })
    expect(sumOf(givenBack())).toBe(PRICE_CENTS)
  })

  test('is recorded by the shop exactly as by the provider, whatever happens', { timeout: 240_000 }, async () => {
    const event = fc.oneof(
      fc.record({
        what: fc.constantFrom('refund' as const, 'refund' as const, 'byHand' as const),
        cents: fc.integer({ min: 1, max: 1500 }),
      }),
      fc.record({ what: fc.constantFrom('fail', 'silence', 'pay', 'reconcile', 'whole') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), async events => {
        const { refund, attempt, attemptId, givenBack, orderId } = await paid()
        for (const each of events) {
          if ('cents' in each && each.what === 'refund') await refund(each.cents).catch(() => undefined)
          else if ('cents' in each) {
            const left = PRICE_CENTS - sumOf(givenBack())
            if (left > 0) shop.fake.refunds.set(attempt.reference, [...givenBack(), Math.min(each.cents, left)])
          } else if (each.what === 'fail') shop.fake.failRefund(attempt)
          else if (each.what === 'silence') {
            shop.fake.misbehave(attempt, 'error')
            await payNow()
            shop.fake.misbehave(attempt, null)
          } else if (each.what === 'pay') await payNow()
          else if (each.what === 'reconcile') await shop.reconcileNow()
          else await refundOrder(shop.db, shop.jobs, orderId).catch(() => undefined)
          expect(sumOf(givenBack())).toBeLessThanOrEqual(PRICE_CENTS)
          await assertInvariants(shop.db)
        }
        await vi.waitFor(async () => {
          await payNow()
          await shop.reconcileNow()
          const rows = await shop.db.select().from(payments).where(eq(payments.attemptId, attemptId))
          const refunded = rows.filter(({ kind }) => kind === 'refund').map(({ amountCents }) => amountCents)
          expect(sumOf(refunded)).toBe(sumOf(givenBack()))
        }, PATIENCE)
      }),
      { numRuns: rounds(4, 300) },
    )
  })
})

describe.each([
  ['flutterwave', startFlutterwave],
  ['stripe', startStripe],
] as const)('%s that lists refunds late', (_, startFake) => {
  beforeAll(async () => {
    shop = await startPayingShop(() => startFake({ isSlowToList: true }))
  })
  afterEach(() => assertInvariants(shop.db, shop))
  afterAll(() => shop.close())

  test('refunds each part once, although the shop has lost its response', async () => {
    const { refund, becomesByRetrying, givenBack } = await paid()
    const provider = shop.paymentContext.provider!
    const refundIt = provider.refund
    const lossy = vi.spyOn(provider, 'refund').mockImplementationOnce(async request => {
      await refundIt(request)
      throw new PaymentUnavailableError('The response was lost')
    })
    onTestFinished(() => lossy.mockRestore())
    await refund(500)
    await vi.waitFor(() => expect(givenBack()).toEqual([500]), PATIENCE)
    await refund(700)

    await payNow()
    await reconcile(shop.paymentContext)

    await becomesByRetrying({ refundedCents: 1200 })
    expect(givenBack()).toEqual([500, 700])
  })
})
