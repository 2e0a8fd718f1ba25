import { and, eq, exists, inArray, lt, or } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { orderLines, orders, parcels, paymentAttempts, sellerOrders } from '../db/schema.ts'
import type { CancelledBy } from '../db/schema/steps.ts'
import { ConflictError } from '../platform/errors.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockOrder, lockPayment, type Order, requestRefund } from './attempt-rows.ts'
import { nextStatus, statusesBefore } from './delivery-states.ts'
import { orderAfter } from './order-states.ts'
import { setPaymentStatus } from './payment-states.ts'
import { countUnits, isPartlySent, readParts, unsentUnits } from './parts.ts'
import { recordStep } from './steps.ts'
import { readUnits, returnUnits, type Units } from './stock.ts'
import { countDone } from '../platform/run-all.ts'

/**
 * Cancels an order for its customer; does nothing if it is cancelled already. Throws a `NotFoundError` for an unknown
 * order or another customer's, and a `ConflictError` for an order that is paid or has a payment being processed.
 */
export async function cancelOrder(db: Db, jobs: Jobs, userId: string, orderId: string): Promise<void> {
  await jobs.transact(db, async (tx, sendJob) => {
    const order = await lockOrder(tx, orderId, userId)
    if (order.status === 'cancelled') return
    await cancelForCustomer(tx, sendJob, order, userId)
  })
}

/**
 * Cancels an order that the caller has locked and that is not cancelled. Throws a `ConflictError` for an order that is
 * paid or has a payment being processed.
 */
export async function cancelForCustomer(tx: Tx, sendJob: SendJob, order: Order, userId: string): Promise<void> {
  if (order.paymentStatus === 'processing') throw new ConflictError('A payment for this order is on its way')
  if (order.status !== 'pending') throw new ConflictError('This order is paid and can no longer be cancelled')
  await cancelLockedOrder(tx, sendJob, order, 'customer')
  const details = { orderId: order.id }
  await recordAudit(tx, { event: 'order_cancelled', outcome: 'ok', actorId: userId, details })
}

/**
 * Cancels the orders that were not paid in time, except those in `waiting`, and returns how many. Several processes may
 * do this at the same time: each order is cancelled once. A failure does not stop the rest; all errors are thrown
 * together at the end.
 */
export async function releaseExpired(
  db: Db,
  jobs: Jobs,
  now = new Date(),
  waiting: ReadonlySet<string> = new Set(),
): Promise<number> {
  const expired = await db.select({ id: orders.id }).from(orders).where(isExpiredAt(now)).orderBy(orders.heldUntil)
  const ended = expired.filter(({ id }) => !waiting.has(id))
  return countDone(ended, ({ id }) => releaseIfExpired(db, jobs, id, now))
}

/**
 * Cancels an order if it was not paid in time, and returns whether it did; skips one that another process has locked.
 */
export async function releaseIfExpired(db: Db, jobs: Jobs, orderId: string, now: Date): Promise<boolean> {
  return jobs.transact(db, async (tx, sendJob) => {
    const isMatch = and(eq(orders.id, orderId), isExpiredAt(now))
    const [order] = await tx.select().from(orders).where(isMatch).for('no key update', { skipLocked: true })
    if (order) await cancelLockedOrder(tx, sendJob, order, 'time')
    return order !== undefined
  })
}

/**
 * Cancels an order for the operator and requests a refund of what was paid. Throws a `NotFoundError` for an unknown
 * order, and a `ConflictError` for an order that is cancelled or has a shipped part.
 */
export async function cancelByOperator(db: Db, jobs: Jobs, orderId: string): Promise<Order['paymentStatus']> {
  return jobs.transact(db, async (tx, sendJob) => {
    const order = await lockOrder(tx, orderId)
    if (order.status === 'cancelled') throw new ConflictError('This order is already cancelled')
    await requireUnshipped(tx, orderId)
    await cancelLockedOrder(tx, sendJob, order, 'operator')
    const paymentStatus = await requestRefunds(tx, sendJob, order)
    await recordAudit(tx, { event: 'order_cancelled', outcome: 'ok', details: { orderId, by: 'operator' } })
    return paymentStatus
  })
}

/**
 * Requests the refund of a paid order, even if it is shipped, and cancels the parts that are not; only the latter for
 * an order that partial refunds have refunded in full. Throws a `NotFoundError` for an unknown order, and a
 * `ConflictError` for an order that is not paid, or is refunded with nothing left to send.
 */
export async function refundOrder(db: Db, jobs: Jobs, orderId: string): Promise<Order['paymentStatus']> {
  return jobs.transact(db, async (tx, sendJob) => {
    const order = await lockOrder(tx, orderId)
    if (order.paymentStatus !== 'paid' && !(await hasUnsentPart(tx, order)))
      throw new ConflictError(`Only a paid order can be refunded; this one is ${order.paymentStatus}`)
    const paymentStatus = await cancelAndRefund(tx, sendJob, order)
    await recordAudit(tx, { event: 'refund_wanted', outcome: 'ok', details: { orderId } })
    return paymentStatus
  })
}

/**
 * Like `refundOrder`, for an attempt whose money was returned outside the shop: the refund job finds nothing left to
 * pay. Returns false if the attempt is no longer paid; throws a `NotFoundError` for an unknown attempt.
 */
export async function handleExternalRefund(db: Db, jobs: Jobs, attemptId: string): Promise<boolean> {
  const isReturned = await jobs.transact(db, async (tx, sendJob) => {
    const { order, attempt } = await lockPayment(tx, attemptId)
    if (attempt.status !== 'succeeded') return false
    await recordStep(tx, order.id, { kind: 'returned', attemptId })
    await cancelAndRefund(tx, sendJob, order)
    const details = { orderId: order.id, attemptId }
    await recordAudit(tx, { event: 'payment_returned', outcome: 'ok', details })
    passFailpoint('readCharge:uncommitted')
    return true
  })
  passFailpoint('readCharge:committed')
  return isReturned
}

/** Condition for orders whose time to pay is over at `now`. */
export function isExpiredAt(now: Date) {
  return and(eq(orders.stockState, 'held'), lt(orders.heldUntil, now))
}

/** Cancels the parts of a paid order that are not shipped, and requests its refund. */
async function cancelAndRefund(tx: Tx, sendJob: SendJob, order: Order): Promise<Order['paymentStatus']> {
  const shipped = await readShipped(tx, order.id)
  if (shipped.length === 0) await cancelLockedOrder(tx, sendJob, order, 'operator')
  else {
    const { partIds, units } = await cancelUnsent(tx, order.id)
    await mailShops(sendJob, [...partIds, ...(await cancelParts(tx, [order.id], units))])
  }
  return requestRefunds(tx, sendJob, order)
}

/**
 * Cancels a customer's unpaid orders that have no payment being processed, in the caller's transaction and without
 * mails.
 */
export async function cancelUnpaid(tx: Tx, userId: string): Promise<void> {
  const unpaid = await tx
    .select({ id: orders.id, status: orders.status })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, 'pending'), eq(orders.paymentStatus, 'unpaid')))
    .orderBy(orders.id)
    .for('no key update')
  await storeCancelled(tx, unpaid, 'customer')
}

/**
 * Cancels an order that the caller has locked, with its parts that are not shipped, and mails the customer and, if they
 * know of the order, the shops of these parts.
 */
export async function cancelLockedOrder(
  tx: Tx,
  sendJob: SendJob,
  order: Order,
  cancelledBy: CancelledBy,
): Promise<void> {
  const partIds = await storeCancelled(tx, [order], cancelledBy)
  // A shop learns of an order only when it is paid.
  if (order.status === 'placed') await mailShops(sendJob, partIds)
  await sendJob('orderMail', { kind: 'cancelled', orderId: order.id })
}

async function mailShops(sendJob: SendJob, partIds: string[]): Promise<void> {
  for (const sellerOrderId of partIds) await sendJob('sellerMail', { sellerOrderId, kind: 'cancelled' })
}

/** Returns the ids of the cancelled parts. */
async function storeCancelled(
  tx: Tx,
  ended: Pick<Order, 'id' | 'status'>[],
  cancelledBy: CancelledBy,
): Promise<string[]> {
  const [after] = ended.map(({ status }) => orderAfter(status, cancelledBy))
  if (!after) return []
  const orderIds = ended.map(({ id }) => id)
  const partIds = await cancelParts(tx, orderIds)
  await tx
    .update(orders)
    .set({ ...after, heldUntil: null, cancelledBy })
    .where(inArray(orders.id, orderIds))
  for (const id of orderIds) await recordStep(tx, id, { kind: 'cancelled', by: cancelledBy })
  return partIds
}

/**
 * Cancels the sellers' parts that are not shipped, and returns their units to stock together with `unsent` ones.
 * Returns the ids of the cancelled parts.
 */
async function cancelParts(tx: Tx, orderIds: string[], unsent: Units[] = []): Promise<string[]> {
  const ended = await tx
    .update(sellerOrders)
    .set({ deliveryStatus: 'Cancelled' })
    .where(and(inArray(sellerOrders.orderId, orderIds), inArray(sellerOrders.deliveryStatus, statusesBefore('cancel'))))
    .returning({ id: sellerOrders.id })
  const partIds = ended.map(({ id }) => id)
  await returnUnits(tx, [...(await readUnits(tx, partIds)), ...unsent])
  return partIds
}

/**
 * Cancels the unsent units in partly sent parts of an order that the caller has locked. Returns the units and the ids
 * of the parts.
 */
async function cancelUnsent(tx: Tx, orderId: string): Promise<{ partIds: string[]; units: Units[] }> {
  const partIds: string[] = []
  const cancelled: Units[] = []
  for (const part of (await readParts(tx, orderId)).filter(isPartlySent)) {
    partIds.push(part.id)
    const unsent = unsentUnits(part)
    const lines = part.lines.map(line => ({
      ...line,
      restocked: line.restocked + (unsent.get(line.id) ?? 0),
    }))
    for (const { id, variantId, restocked } of lines.filter(({ id }) => unsent.has(id))) {
      await tx.update(orderLines).set({ restocked }).where(eq(orderLines.id, id))
      cancelled.push({ variantId, quantity: unsent.get(id) ?? 0 })
    }
    const status = nextStatus(part.deliveryStatus, 'cancel', countUnits({ ...part, lines }))
    const deliveredAt = status === 'Delivered' ? new Date() : null
    await tx.update(sellerOrders).set({ deliveryStatus: status, deliveredAt }).where(eq(sellerOrders.id, part.id))
  }
  return { partIds, units: cancelled }
}

/**
 * Requests a refund of what is left of the order's payment, if anything; a job closes its open returns. Returns the
 * order's payment status.
 */
export async function requestRefunds(tx: Tx, sendJob: SendJob, order: Order): Promise<Order['paymentStatus']> {
  const { id, paymentStatus, priceCents } = order
  if (paymentStatus !== 'paid') return paymentStatus
  const succeeded = and(eq(paymentAttempts.orderId, id), eq(paymentAttempts.status, 'succeeded'))
  const paid = await tx.select().from(paymentAttempts).where(succeeded)
  for (const attempt of paid) await requestRefund(tx, attempt)
  // A free order has no payment to refund.
  const owed = priceCents === 0 ? 'refunded' : 'refund_pending'
  await setPaymentStatus(tx, order, owed)
  await sendJob('orderRefunded', { orderId: id })
  return owed
}

/** Whether a shop still has to send something of a paid order, even if it is refunded. */
async function hasUnsentPart(tx: Tx, { id }: Order): Promise<boolean> {
  const isUnsent = and(eq(sellerOrders.orderId, id), eq(sellerOrders.deliveryStatus, 'Processing'))
  return (await tx.$count(sellerOrders, isUnsent)) > 0
}

async function requireUnshipped(tx: Tx, orderId: string): Promise<void> {
  const [shipped] = await readShipped(tx, orderId)
  if (shipped) throw new ConflictError(`${shipped.shopName} has shipped its part already: refund the order instead`)
}

/** The parts with at least one sent unit. */
async function readShipped(tx: Tx, orderId: string): Promise<{ shopName: string }[]> {
  const hasParcel = exists(tx.select().from(parcels).where(eq(parcels.sellerOrderId, sellerOrders.id)))
  const isSent = or(inArray(sellerOrders.deliveryStatus, ['Shipped', 'Delivered']), hasParcel)
  return tx
    .select({ shopName: sellerOrders.shopName })
    .from(sellerOrders)
    .where(and(eq(sellerOrders.orderId, orderId), isSent))
}
