import { and, eq, inArray, lt } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { orders, paymentAttempts, sellerOrders } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { Refusal } from '../http/errors.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockOrder, lockPayment, type Order, requestRefund } from '../payments/attempt-rows.ts'
import { recordStep } from './steps.ts'
import { returnUnits } from './stock.ts'
import { noSuchOrder } from './orders.ts'

type CancelledBy = NonNullable<Order['cancelledBy']>

/**
 * The customer cancels an order; one that is cancelled already stays so. Refuses (404) what is not the customer's, and
 * (422) what is paid or has a payment on its way.
 */
export async function cancelOrder(db: Db, jobs: Jobs, userId: string, orderId: string): Promise<void> {
  await jobs.start()
  const isNew = await transact(db, async tx => {
    const order = await lockOrder(tx, orderId, userId)
    if (!order) throw noSuchOrder()
    if (order.status === 'cancelled') return false
    if (order.paymentStatus === 'processing') throw new Refusal(422, 'A payment of this order is on its way')
    if (order.status !== 'pending') throw new Refusal(422, 'This order is paid and can no longer be cancelled')
    await cancel(tx, jobs, order, 'customer')
    return true
  })
  if (isNew) await recordAudit(db, { event: 'order_cancelled', outcome: 'ok', actorId: userId, details: { orderId } })
}

/**
 * Cancels the orders that were not paid in time, except those that are `waiting` for the next round, and answers how
 * many. Several may do this at the same time: each order is cancelled once. One that fails does not keep the others; its
 * error is thrown at the end.
 */
export async function releaseExpired(
  db: Db,
  jobs: Jobs,
  now = new Date(),
  waiting: ReadonlySet<string> = new Set(),
): Promise<number> {
  const isExpired = isExpiredAt(now)
  const failures: unknown[] = []
  let released = 0
  const expired = await db.select({ id: orders.id }).from(orders).where(isExpired).orderBy(orders.heldUntil)
  if (expired.length > 0) await jobs.start()
  for (const { id } of expired.filter(order => !waiting.has(order.id)))
    try {
      released += await transact(db, async tx => {
        const isIt = and(eq(orders.id, id), isExpired)
        const [order] = await tx.select().from(orders).where(isIt).for('no key update', { skipLocked: true })
        if (order) await cancel(tx, jobs, order, 'time')
        return order ? 1 : 0
      })
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} orders could not be cancelled`)
  return released
}

/**
 * The operator cancels an order of which nothing is shipped; what was paid goes back. Refuses (404) an unknown order and
 * (422) one that is cancelled or on its way.
 */
export async function cancelByOperator(db: Db, jobs: Jobs, orderId: string): Promise<Order['paymentStatus']> {
  await jobs.start()
  const paymentStatus = await transact(db, async tx => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw noSuchOrder()
    if (order.status === 'cancelled') throw new Refusal(422, 'This order is cancelled already')
    await refuseShipped(tx, orderId)
    await cancel(tx, jobs, order, 'operator')
    return owe(tx, order)
  })
  await recordAudit(db, { event: 'order_cancelled', outcome: 'ok', details: { orderId, by: 'operator' } })
  return paymentStatus
}

/**
 * The operator gives the money of a paid order back, also of one that is shipped; what is not shipped yet is cancelled.
 * Refuses (404) an unknown order and (422) one that is not paid.
 */
export async function refundOrder(db: Db, jobs: Jobs, orderId: string): Promise<Order['paymentStatus']> {
  await jobs.start()
  const paymentStatus = await transact(db, async tx => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw noSuchOrder()
    if (order.paymentStatus !== 'paid')
      throw new Refusal(422, `Only a paid order can be refunded; this one is ${order.paymentStatus}`)
    return endPaid(tx, jobs, order)
  })
  await recordAudit(db, { event: 'refund_wanted', outcome: 'ok', details: { orderId } })
  return paymentStatus
}

/**
 * As `refundOrder`, for the order of an attempt whose money has gone back without the shop: what it owes is given
 * already. Answers whether that is news; throws a refusal (404) when there is no such attempt.
 */
export async function handleExternalRefund(db: Db, jobs: Jobs, attemptId: string): Promise<boolean> {
  await jobs.start()
  const orderId = await transact(db, async tx => {
    const { order, attempt } = await lockPayment(tx, attemptId)
    if (attempt.status !== 'succeeded') return null
    await recordStep(tx, order.id, `returned:${attemptId}`)
    await endPaid(tx, jobs, order)
    passFailpoint('chargeStatus:uncommitted')
    return order.id
  })
  passFailpoint('chargeStatus:committed')
  if (orderId) await recordAudit(db, { event: 'payment_returned', outcome: 'ok', details: { orderId, attemptId } })
  return orderId !== null
}

/** Which orders are to be cancelled by then. */
export function isExpiredAt(now: Date) {
  return and(eq(orders.stockState, 'held'), lt(orders.heldUntil, now))
}

/** What is not shipped of a paid order is cancelled, and its money goes back. */
async function endPaid(tx: Tx, jobs: Jobs, order: Order): Promise<Order['paymentStatus']> {
  const shipped = await readShipped(tx, order.id)
  if (shipped.length === 0) await cancel(tx, jobs, order, 'operator')
  else await cancelParts(tx, [order.id])
  return owe(tx, order)
}

/**
 * Cancels all orders of a customer that are neither paid nor have a payment on its way, in the caller's transaction and
 * without a mail.
 */
export async function cancelUnpaid(tx: Tx, userId: string): Promise<void> {
  const unpaid = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, 'pending'), eq(orders.paymentStatus, 'unpaid')))
    .orderBy(orders.id)
    .for('no key update')
  if (unpaid.length > 0)
    await end(
      tx,
      unpaid.map(({ id }) => id),
      'customer',
    )
}

async function cancel(tx: Tx, jobs: Jobs, { id }: Order, cancelledBy: CancelledBy): Promise<void> {
  await end(tx, [id], cancelledBy)
  await jobs.send('orderMail', { kind: 'cancelled', orderId: id }, tx)
}

async function end(tx: Tx, orderIds: string[], cancelledBy: CancelledBy): Promise<void> {
  await cancelParts(tx, orderIds)
  await tx
    .update(orders)
    .set({ status: 'cancelled', stockState: 'released', heldUntil: null, cancelledBy })
    .where(inArray(orders.id, orderIds))
  for (const id of orderIds) await recordStep(tx, id, `cancelled:${cancelledBy}`)
}

/** Sellers' parts that are not on their way end, and their units are back in the stock. */
async function cancelParts(tx: Tx, orderIds: string[]): Promise<void> {
  const ended = await tx
    .update(sellerOrders)
    .set({ deliveryStatus: 'Cancelled' })
    .where(
      and(inArray(sellerOrders.orderId, orderIds), inArray(sellerOrders.deliveryStatus, ['Pending', 'Processing'])),
    )
    .returning({ id: sellerOrders.id })
  await returnUnits(
    tx,
    ended.map(({ id }) => id),
  )
}

/** What was paid for the order, if anything, goes back. */
async function owe(tx: Tx, { id, paymentStatus, priceCents }: Order): Promise<Order['paymentStatus']> {
  if (paymentStatus !== 'paid') return paymentStatus
  const succeeded = and(eq(paymentAttempts.orderId, id), eq(paymentAttempts.status, 'succeeded'))
  const paid = await tx.select().from(paymentAttempts).where(succeeded)
  for (const attempt of paid) await requestRefund(tx, attempt)
  // What cost nothing has nothing to give back.
  const owed = priceCents === 0 ? 'refunded' : 'refund_pending'
  await tx.update(orders).set({ paymentStatus: owed }).where(eq(orders.id, id))
  return owed
}

async function refuseShipped(tx: Tx, orderId: string): Promise<void> {
  const [shipped] = await readShipped(tx, orderId)
  if (shipped) throw new Refusal(422, `${shipped.shopName} has shipped its part already: refund the order instead`)
}

async function readShipped(tx: Tx, orderId: string): Promise<{ shopName: string }[]> {
  return tx
    .select({ shopName: sellerOrders.shopName })
    .from(sellerOrders)
    .where(and(eq(sellerOrders.orderId, orderId), inArray(sellerOrders.deliveryStatus, ['Shipped', 'Delivered'])))
}
