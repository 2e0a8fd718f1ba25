import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { paymentAttempts } from '#server/db/schema.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { PaymentUnavailableError } from '#server/payments/providers/payment-provider.ts'
import { payRefunds } from '#server/payments/refund-paying.ts'
import { type FakeStripe, startStripe } from '#tests/support/fakes/fake-stripe.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { assertInvariants, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startPayingShop } from '#tests/support/provider/paying-shop.ts'

let stripe!: FakeStripe
const shop = await startPayingShop(async () => (stripe = await startStripe()))
const { db, paymentContext } = shop
/** Makes refunds, but its responses are lost. */
const lossy: typeof paymentContext.provider = {
  ...paymentContext.provider!,
  async refund(request) {
    await paymentContext.provider!.refund(request)
    throw new PaymentUnavailableError('The response was lost')
  },
}
afterAll(shop.close)
afterEach(() => assertInvariants(db, shop))

/** An order for which $70.00 were paid, or $30.00 more. */
async function paid({ surplusCents = 0 } = {}) {
  const order = await shop.waiting({ priceCents: 6500 })
  const attempt = await order.start()
  stripe.pay(attempt, { amountCents: 7000 + surplusCents })
  expect(await order.confirm()).toMatchObject({ paymentStatus: 'paid' })
  const { orderId } = order
  return {
    ...order,
    dispute: (amountCents: number, status: 'needs_response' | 'won' | 'lost') =>
      stripe.dispute({ reference: attempt.reference, amountCents }, status),
    report: () => shop.deliver(attempt, 'charge.dispute.closed'),
    refund: (cents: number) => refundPart(db, withoutJobs(shop.jobs), orderId, cents),
    pay: async (provider = paymentContext.provider) => {
      await db.update(paymentAttempts).set({ refundAskedAt: null }).where(eq(paymentAttempts.orderId, orderId))
      await payRefunds({ ...paymentContext, provider })
    },
    sent: () => stripe.refunds.get(attempt.reference),
    becomes: (what: object) => vi.waitFor(async () => expect(await order.read()).toMatchObject(what), PATIENCE),
    refundsOf: async () =>
      (await order.ledger()).flatMap(({ kind, amountCents }) => (kind === 'refund' ? amountCents : [])),
  }
}

test('a partial refund waits until the dispute about another part is closed, and is paid when it is won', async () => {
  const { dispute, pay, read, refund, sent } = await paid()
  dispute(3000, 'needs_response')
  await refund(4000)
  await pay()
  expect(sent()).toBeUndefined()
  expect(await read()).toMatchObject({ refundedCents: 0 })

  dispute(3000, 'won')
  await pay()

  expect(sent()).toEqual([4000])
  expect(await read()).toMatchObject({ paymentStatus: 'paid', refundedCents: 4000 })
})

/** A partial refund of $40.00 that waits for a dispute about $30.00, which is lost; $30.00 are left of the payment. */
async function lostWhileWaiting() {
  const order = await paid({ surplusCents: 3000 })
  const { dispute, pay, refund } = order
  dispute(3000, 'needs_response')
  await refund(4000)
  await pay()
  dispute(3000, 'lost')
  return order
}

test('a partial refund is paid in full after the provider has reported a lost dispute', async () => {
  const { becomes, pay, read, refundsOf, report, sent } = await lostWhileWaiting()
  await report()
  await becomes({ refundedCents: 3000 })

  await pay()

  expect(sent()).toEqual([4000])
  expect(await refundsOf()).toEqual([3000, 4000])
  expect(await read()).toMatchObject({ paymentStatus: 'paid', refundedCents: 7000 })
})

test('a partial refund is paid in full after a lost dispute that nobody has reported', async () => {
  const { pay, read, refundsOf, sent } = await lostWhileWaiting()

  await pay()
  await pay()
  await shop.reconcileNow()

  expect(sent()).toEqual([4000])
  expect(await refundsOf()).toEqual([3000, 4000])
  expect(await read()).toMatchObject({ paymentStatus: 'paid', refundedCents: 7000 })
})

test('an order is refunded and cancelled once a lost dispute and a partial refund take all of its payment', async () => {
  const { becomes, dispute, pay, refund, refundsOf, sent } = await paid()
  await refund(4000)
  dispute(3000, 'lost')

  await pay()
  await pay()

  await becomes({ status: 'cancelled', paymentStatus: 'refunded', refundedCents: 7000 })
  expect(sent()).toEqual([4000])
  expect(await refundsOf()).toEqual([3000, 4000])
})

test('a lost dispute and a partial refund of the same money together return no more than the payment', async () => {
  const { becomes, dispute, pay, refund, sent } = await paid()
  await refund(4000)
  dispute(5000, 'lost')

  await pay()
  await pay()

  await becomes({ paymentStatus: 'refunded', refundedCents: 7000 })
  expect(sent()).toEqual([2000])
})

test('a refund whose response was lost is not sent again after a lost dispute', async () => {
  const { dispute, pay, read, refund, refundsOf, sent } = await paid()
  await refund(1000)
  await pay()
  await refund(2000)
  await pay(lossy)
  dispute(3000, 'lost')

  await pay()
  await pay()

  expect(sent()).toEqual([1000, 2000])
  expect(await refundsOf()).toEqual([1000, 3000, 2000])
  expect(await read()).toMatchObject({ paymentStatus: 'paid', refundedCents: 6000 })
})

test('a refund that failed before a dispute was lost is sent again in full', async () => {
  const { attempts, dispute, pay, read, refund, sent } = await paid()
  await refund(1000)
  await pay()
  await refund(2000)
  const [attempt] = await attempts()
  stripe.failRefund(attempt!)
  await pay()
  dispute(3000, 'lost')

  await pay()
  await pay()

  expect(sent()).toEqual([1000, 2000])
  expect(await read()).toMatchObject({ paymentStatus: 'paid', refundedCents: 6000 })
})

test('a lost dispute is recorded in full after a refund that came back', async () => {
  const { attempts, dispute, hoursLater, pay, read, refund, refundsOf, sent } = await paid()
  await refund(1000)
  await pay()
  await hoursLater()
  const [attempt] = await attempts()
  stripe.bounceRefunds(attempt!)
  dispute(3000, 'lost')
  await refund(500)

  await pay()
  await hoursLater()
  await pay()

  expect(sent()).toEqual([500])
  expect(await refundsOf()).toEqual([1000, 3000, 500])
  expect(await read()).toMatchObject({ refundedCents: 4500 })
})

test('money that an operator returned by hand does not count as lost in a dispute', async () => {
  const { attempts, dispute, pay, read, refund, refundsOf, report, sent } = await paid()
  const [attempt] = await attempts()
  stripe.refunds.set(attempt!.reference, [1000])
  await report()
  await vi.waitFor(async () => expect(await refundsOf()).toEqual([1000]), PATIENCE)
  await refund(2000)
  dispute(3000, 'lost')

  await pay()
  await pay()

  expect(sent()).toEqual([1000, 2000])
  expect(await refundsOf()).toEqual([1000, 3000, 2000])
  expect(await read()).toMatchObject({ refundedCents: 6000 })
})
