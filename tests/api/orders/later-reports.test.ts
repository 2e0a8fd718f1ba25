import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { auditEvents, orders, paymentAttempts, products } from '#server/db/schema.ts'
import { releaseExpired } from '#server/orders/cancelling.ts'
import type { ProviderPayment } from '#server/payments/providers/payment-provider.ts'
import { changesNothing, expireAttempt, settle } from '#server/payments/settling.ts'
import { hasReceipt } from '#lib/orders/orders.ts'
import { addAttempt, addShippable, assertInvariants, orderOf, reportOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, jobs, customer, close } = await startProvider()
afterAll(close)
afterEach(() => assertInvariants(db))

/** An unpaid order with one attempt to pay it, on which the provider reports with `say`. */
async function attempted() {
  const ada = await customer()
  const product = await addShippable(db)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
  const read = async () => (await ada.api.getOrder({ orderId })).order
  const attempt = await addAttempt(db, await read())
  const say = (change: Partial<ProviderPayment>) => settle(db, jobs, attempt.id, reportOf(attempt, change))
  const stored = async () => {
    const [row] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.id, attempt.id))
    return row!
  }
  return { ada, product, orderId, read, attempt, say, stored }
}

test('the provider’s id of a payment is stored, even if only a later report has it', async () => {
  const { attempt, say, stored } = await attempted()
  await say({ providerId: undefined })
  expect((await stored()).providerId).toBeNull()
  expect(changesNothing(await stored(), reportOf(attempt))).toBe(false)

  expect(await say({})).toMatchObject({ outcome: 'unchanged', paymentStatus: 'paid' })

  expect((await stored()).providerId).toBe(`paid-${attempt.reference}`)
  expect(changesNothing(await stored(), reportOf(attempt))).toBe(true)
  expect(changesNothing(await stored(), reportOf(attempt, { reference: 'another' }))).toBe(false)
})

test('a report on an undecided payment has an effect', async () => {
  const { attempt, stored } = await attempted()

  expect(changesNothing(await stored(), reportOf(attempt, { providerId: undefined }))).toBe(false)
})

test('a payment that failed may be processed after all', async () => {
  const { read, say } = await attempted()
  expect(await say({ status: 'failed' })).toMatchObject({ outcome: 'failed', attemptStatus: 'failed' })

  expect(await say({ status: 'processing' })).toMatchObject({ outcome: 'processing', attemptStatus: 'processing' })

  expect(await read()).toMatchObject({ status: 'pending', paymentStatus: 'processing' })
  expect(await say({ status: 'processing' })).toMatchObject({ outcome: 'unchanged' })
})

test('a payment that is processed too late leaves the order cancelled', async () => {
  const { ada, orderId, read, say } = await attempted()
  await ada.api.cancelOrder({ orderId })
  const before = await read()

  expect(await say({ status: 'processing' })).toMatchObject({ outcome: 'processing', paymentStatus: 'unpaid' })

  expect(await read()).toEqual(before)
})

test('a payment that comes too late is refunded if the product is no longer sold', async () => {
  const { product, orderId, read, say } = await attempted()
  const ended = { heldUntil: new Date(Date.now() - 1000) }
  await db.update(orders).set(ended).where(eq(orders.id, orderId))
  await releaseExpired(db, jobs)
  await db.update(products).set({ isHidden: true }).where(eq(products.id, product.id))

  expect(await say({})).toMatchObject({ outcome: 'refund', paymentStatus: 'refund_pending' })

  expect(await read()).toMatchObject({ status: 'cancelled' })
})

test('a cancelled order whose payment comes too late has no receipt, and offers none', async () => {
  const { ada, orderId, read, say } = await attempted()
  await ada.api.cancelOrder({ orderId })

  expect(await say({})).toMatchObject({ outcome: 'refund', paymentStatus: 'refund_pending' })

  expect(hasReceipt(await read())).toBe(false)
  await expect(ada.api.getReceipt({ orderId })).rejects.toMatchObject({ status: 404 })
})

test('a paid order has a receipt', async () => {
  const { ada, orderId, read, say } = await attempted()
  await say({})

  const { paidAt } = await ada.api.getReceipt({ orderId })
  expect(await read()).toMatchObject({ paidAt })
  expect(hasReceipt(await read())).toBe(true)
})

test('an order whose payment fails shortly before the end of its hold is not held for longer', async () => {
  const { orderId, say } = await attempted()
  await say({ status: 'processing' })
  const isIt = eq(orders.id, orderId)
  const heldUntil = new Date(Date.now() + 5 * 60_000)
  await db.update(orders).set({ heldUntil }).where(isIt)

  await say({ status: 'failed' })

  const [order] = await db.select().from(orders).where(isIt)
  expect(order?.heldUntil).toEqual(heldUntil)
})

test('an exact payment is not reported as too much', async () => {
  const { orderId, say } = await attempted()
  await say({})

  const rows = await db.select().from(auditEvents).orderBy(auditEvents.id)
  const own = rows.filter(({ event, details }) => event.startsWith('payment') && details['orderId'] === orderId)
  expect(own.map(({ event, outcome }) => [event, outcome])).toEqual([['payment', 'ok']])
})

test('an order stays paid when another try fails later', async () => {
  const { read, say } = await attempted()
  const other = await addAttempt(db, await read())
  await say({})

  await settle(db, jobs, other.id, reportOf(other, { status: 'failed' }))

  expect(await read()).toMatchObject({ status: 'placed', paymentStatus: 'paid' })
})

test('a payment that has arrived meanwhile does not lapse', async () => {
  const { attempt, read, say, stored } = await attempted()
  await say({})

  expect(await expireAttempt(db, attempt.id)).toBe(false)

  expect(await stored()).toMatchObject({ status: 'succeeded' })
  expect(await read()).toMatchObject({ paymentStatus: 'paid' })
})

test('a payment of $0 does not pay the order', async () => {
  const { read, say } = await attempted()

  expect(await say({ amountCents: 0 })).toMatchObject({ outcome: 'mismatch', paymentStatus: 'unpaid' })

  expect(await read()).toMatchObject({ status: 'pending', paymentStatus: 'unpaid' })
})
