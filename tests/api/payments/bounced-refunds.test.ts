import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { paymentAttempts } from '#server/db/schema.ts'
import { refundOrder } from '#server/orders/cancelling.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { startFlutterwave } from '#tests/support/fakes/fake-flutterwave.ts'
import { assertInvariants, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

const PRICE_CENTS = 2499

const shop = await startPayingShop(() => startFlutterwave({ forgetsKeys: true }))
const { db, fake, paymentContext } = shop
const jobs = withoutJobs(shop.jobs)
const provider = paymentContext.provider!
/** Makes refunds, but its responses are lost. */
const lossy: typeof provider = {
  ...provider,
  async refund(request) {
    await provider.refund(request)
    throw new PaymentUnavailableError('The response was lost')
  },
}
afterAll(shop.close)
afterEach(() => assertInvariants(db, shop))

/** A paid order, of which $7.00 have been refunded. */
async function refunded() {
  const order = await shop.waiting()
  const attempt = await order.start()
  fake.pay(attempt)
  await order.confirm()
  const { orderId } = order
  const pay = async (by = provider) => {
    await db.update(paymentAttempts).set({ refundAskedAt: null }).where(eq(paymentAttempts.orderId, orderId))
    await payRefunds({ ...paymentContext, provider: by })
  }
  const refund = (cents: number) => refundPart(db, jobs, orderId, cents)
  await refund(700)
  await pay()
  return { ...order, attempt, pay, refund, sent: () => fake.refunds.get(attempt.reference) }
}

test('a later refund is sent once, although its first response was lost', async () => {
  const { attempt, hoursLater, pay, read, refund, sent } = await refunded()
  await hoursLater()
  fake.bounceRefunds(attempt)
  await refund(400)

  await pay(lossy)
  await pay()

  expect(sent()).toEqual([400])
  expect(await read()).toMatchObject({ refundedCents: 1100 })
  await hoursLater()
  await refund(300)
  await pay(lossy)
  await pay()
  expect(sent()).toEqual([400, 300])
})

test('the rest of the payment is sent once, although its first response was lost', async () => {
  const { attempt, hoursLater, orderId, pay, read, sent } = await refunded()
  await hoursLater()
  fake.bounceRefunds(attempt)
  await refundOrder(db, jobs, orderId)

  await pay(lossy)
  await pay()

  expect(sent()).toEqual([PRICE_CENTS - 700])
  expect(await read()).toMatchObject({ paymentStatus: 'refunded', refundedCents: PRICE_CENTS })
})

test('a refund whose response was lost is not sent again once an earlier one came back: it may have been made', async () => {
  const { attempt, hoursLater, pay, read, refund, sent } = await refunded()
  await hoursLater()
  await refund(400)
  await pay(lossy)
  fake.bounceRefunds(attempt)
  fake.refunds.set(attempt.reference, [400])

  await pay()

  expect(sent()).toEqual([400])
  expect(await read()).toMatchObject({ refundedCents: 700 })
})

test('a refund waits until the provider must list an earlier one, if it lists a failed refund', async () => {
  const { attempt, hoursLater, pay, refund, sent } = await refunded()
  fake.bounceRefunds(attempt)
  await refund(400)

  await pay()

  expect(sent()).toBeUndefined()
  await hoursLater()
  await pay()
  expect(sent()).toEqual([400])
})
