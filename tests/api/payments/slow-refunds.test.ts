import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { paymentAttempts } from '#server/db/schema.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { payRefund } from '#server/payments/refund-paying.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { assertInvariants, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const shop = await startPayingShop(startFlutterwave)
const { db, jobs, paymentContext, fake } = shop
afterAll(shop.close)
afterEach(() => assertInvariants(db, shop))

/** Sets back when the refunds of an attempt were last requested, as if more than a minute had passed. */
async function passMinute(attemptId: string): Promise<void> {
  const refundAskedAt = sql`now() - interval '61 seconds'`
  await db.update(paymentAttempts).set({ refundAskedAt }).where(eq(paymentAttempts.id, attemptId))
}

test('the second of two refunds is requested by one process only, although the first took more than a minute', async () => {
  const order = await shop.waiting()
  const attempt = await order.start()
  fake.pay(attempt)
  await order.confirm()
  const attemptId = (await order.attempts())[0]!.id
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
      if (requested.length === 1) await passMinute(attemptId)
      return state
    },
  }
  const context = { ...paymentContext, provider: slow }

  await payRefund(context, attemptId)

  expect(requested).toEqual([700, 1100])
  expect(fake.refunds.get(attempt.reference)).toEqual([700, 400])
  expect(await order.read()).toMatchObject({ paymentStatus: 'paid', refundedCents: 1100 })
})
