import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { orderLines, orders, orderSteps, paymentAttempts, payments, sellerOrders, variants } from '#server/db/schema.ts'
import { checkInvariants } from '#server/orders/invariants.ts'
import { settle } from '#server/payments/settling.ts'
import { addAttempt, addShippable, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, jobs, customer, close } = await startProvider({ limits: 'placeOrder=1000/1m' })
afterAll(close)

/** A consistent order, paid or not. */
async function ordered(isPaid: boolean) {
  const ada = await customer()
  const product = await addShippable(db)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
  const { order } = await ada.api.getOrder({ orderId })
  const attempt = await addAttempt(db, order)
  if (isPaid) await settle(db, jobs, attempt.id, reportOf(attempt))
  return { orderId, attemptId: attempt.id, variantId: product.variantId, stock: product.stock }
}
type Ordered = Awaited<ReturnType<typeof ordered>>

const longAgo = new Date(Date.now() - 130_000)
const ofOrder = ({ orderId }: Ordered) => eq(orders.id, orderId)

test.each<[string, boolean, (order: Ordered) => Promise<unknown>, RegExp]>([
  ['a price', false, it => db.update(orders).set({ priceCents: 1 }).where(ofOrder(it)), /parts do not add up/],
  [
    'a seller’s price',
    false,
    it => db.update(sellerOrders).set({ priceCents: 1 }).where(eq(sellerOrders.orderId, it.orderId)),
    /lines of a seller’s part do not add up/,
  ],
  [
    'a line',
    false,
    it => db.update(orderLines).set({ quantity: 2 }).where(eq(orderLines.variantId, it.variantId)),
    /shipping or number of units/,
  ],
  ['a shipping', false, it => db.update(orders).set({ shippingCents: 1 }).where(ofOrder(it)), /shipping or number/],
  ['a status', false, it => db.update(orders).set({ status: 'placed' }).where(ofOrder(it)), /contradict each other/],
  ['units let go', true, it => db.update(orders).set({ stockState: 'released' }).where(ofOrder(it)), /contradict/],
  [
    'a delivery before payment',
    false,
    it => db.update(sellerOrders).set({ deliveryStatus: 'Shipped' }).where(eq(sellerOrders.orderId, it.orderId)),
    /status that the order does not allow/,
  ],
  [
    'a payment that nobody made',
    false,
    it => db.update(orders).set({ paymentStatus: 'paid', status: 'placed', stockState: 'sold' }).where(ofOrder(it)),
    /not by exactly one charge/,
  ],
  [
    'a charge of less',
    true,
    it => db.update(payments).set({ amountCents: 1 }).where(eq(payments.attemptId, it.attemptId)),
    /not by exactly one charge/,
  ],
  [
    'a lost charge',
    true,
    it => db.delete(payments).where(eq(payments.attemptId, it.attemptId)),
    /no attempt that says so/,
  ],
  [
    'a charge without an attempt that succeeded',
    true,
    it => db.update(paymentAttempts).set({ status: 'failed' }).where(eq(paymentAttempts.id, it.attemptId)),
    /no attempt that says so/,
  ],
  [
    'a refund of more',
    true,
    it => db.insert(payments).values({ ...it, kind: 'refund', amountCents: 99_999_999, currency: 'USD' }),
    /more was refunded than charged/,
  ],
  [
    'a refund that nobody makes',
    true,
    it => db.update(orders).set({ paymentStatus: 'refund_pending' }).where(ofOrder(it)),
    /a refund is owed/,
  ],
  [
    'a hold that is over',
    false,
    it => db.update(orders).set({ heldUntil: longAgo }).where(ofOrder(it)),
    /over two minutes ago/,
  ],
  ['a lost step', true, it => db.delete(orderSteps).where(eq(orderSteps.orderId, it.orderId)), /timeline lacks/],
  [
    'a lost unit',
    true,
    it =>
      db
        .update(variants)
        .set({ stock: sql`stock - 1` })
        .where(eq(variants.id, it.variantId)),
    /3 in stock and 1 ordered are not 5/,
  ],
])('the invariant check finds %s that is wrong', async (_, isPaid, spoil, finding) => {
  const it = await ordered(isPaid)
  const initialStock = new Map([[it.variantId, it.stock]])
  const found = async () => {
    const all = await checkInvariants(db, { initialStock })
    return all.filter(text => text.includes(it.orderId) || text.includes(it.variantId)).join('\n')
  }
  expect(await found()).toBe('')

  await spoil(it)

  expect(await found()).toMatch(finding)
})
