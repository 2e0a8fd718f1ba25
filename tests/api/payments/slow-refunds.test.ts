import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { paymentAttempts } from '#server/db/schema.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { payRefund, payRefunds } from '#server/payments/refund-paying.ts'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { assertInvariants, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const options = { refundMs: 0, isSlowToList: true, forgetsKeys: true }
const shop = await startPayingShop(() => startFlutterwave(options))
const { db, jobs, paymentContext, fake } = shop
afterAll(shop.close)
beforeEach(() => void (options.refundMs = 0))
afterEach(() => assertInvariants(db, shop))

/** Sets back when the refunds of an attempt were last requested, as if more than these minutes had passed. */
async function pass(minutes: number, attemptId: string): Promise<void> {
  const refundAskedAt = sql`now() - make_interval(mins => ${minutes}, secs => 1)`
  await db.update(paymentAttempts).set({ refundAskedAt }).where(eq(paymentAttempts.id, attemptId))
}

async function paid() {
  const order = await shop.waiting()
  const attempt = await order.start()
  fake.pay(attempt)
  await order.confirm()
  return { order, attempt, attemptId: (await order.attempts())[0]!.id }
}

test('a refund for which Flutterwave takes six seconds is requested once', async () => {
  const { order, attempt, attemptId } = await paid()
  // Longer than other calls may take.
  options.refundMs = 6000
  await refundPart(db, withoutJobs(jobs), order.orderId, 700)

  await payRefunds(paymentContext)
  await pass(1, attemptId)
  await payRefunds(paymentContext)

  expect(fake.refunds.get(attempt.reference)).toEqual([700])
  expect(await order.read()).toMatchObject({ refundedCents: 700 })
})

test('a refund without a response is requested again only when Flutterwave would list the first one', async () => {
  const { order, attempt, attemptId } = await paid()
  await refundPart(db, withoutJobs(jobs), order.orderId, 700)
  const provider = paymentContext.provider!
  const requested: number[] = []
  const lossy: typeof provider = {
    ...provider,
    refund(request) {
      requested.push(request.upToCents)
      return Promise.reject(new PaymentUnavailableError('The response was lost'))
    },
  }
  const pay = () => payRefunds({ ...paymentContext, provider: lossy })

  await pay()
  await pass(1, attemptId)
  await pay()
  await pass(14, attemptId)
  await pay()
  expect(requested).toEqual([700])

  await pass(15, attemptId)
  await pay()
  expect(requested).toEqual([700, 700])
  await pass(15, attemptId)
  await payRefunds(paymentContext)
  expect(fake.refunds.get(attempt.reference)).toEqual([700])
})

test('the second of two refunds is requested by one process only, although the first took very long', async () => {
  const { order, attempt, attemptId } = await paid()
  for (const cents of [700, 400]) await refundPart(db, withoutJobs(jobs), order.orderId, cents)
  const provider = paymentContext.provider!
  const requested: number[] = []
  const slow: typeof provider = {
    ...provider,
    async refund(request) {
      requested.push(request.upToCents)
      // Another process pays refunds while this request is under way.
      if (requested.length === 2) await payRefund(context, attemptId)
      const state = await provider.refund(request)
      if (requested.length === 1) await pass(15, attemptId)
      return state
    },
  }
  const context = { ...paymentContext, provider: slow }

  await payRefund(context, attemptId)

  expect(requested).toEqual([700, 1100])
  expect(fake.refunds.get(attempt.reference)).toEqual([700, 400])
  expect(await order.read()).toMatchObject({ paymentStatus: 'paid', refundedCents: 1100 })
})
