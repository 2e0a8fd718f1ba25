import { and, eq, inArray, isNotNull, isNull, lte, ne, notInArray, or, sql } from 'drizzle-orm'
import type { ReturnStatus } from '#contract/returns.ts'
import type { Db } from '../db/types.ts'
import { orderLines, orders, parcelLines, refunds, returnLines, returns, sellerOrders, users } from '../db/schema.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import type { Jobs } from '../platform/jobs.ts'
import { runForEach } from '../platform/run-all.ts'
import { moveReturn } from './moving.ts'
import { ENDED, type ReturnEvent } from './transitions.ts'

const isOpen = notInArray(returns.status, ['received', ...ENDED])
const hasPaidLine = sql`exists (
  select from ${returnLines} join ${orderLines} on ${orderLines.id} = ${returnLines.lineId}
  where ${returnLines.returnId} = ${returns.id} and ${orderLines.unitCents} > 0
)`
/** A refund of the whole order settles all returns but those of free products that are not cancelled with it. */
const isSettledByRefund = and(isOpen, or(hasPaidLine, eq(sellerOrders.deliveryStatus, 'Cancelled')))

/** Whether the shop has sent units of a cancellation: fewer are left to send than it should cancel. */
const isSent = sql`(${sellerOrders.deliveryStatus} in ('Shipped', 'Delivered') or exists (
  select from ${returnLines} join ${orderLines} on ${orderLines.id} = ${returnLines.lineId}
  where ${returnLines.returnId} = ${returns.id} and ${returnLines.quantity} > ${orderLines.quantity} - ${orderLines.restocked} - (
    select coalesce(sum(${parcelLines.quantity}), 0) from ${parcelLines} where ${parcelLines.orderLineId} = ${orderLines.id}
  )
))`

/**
 * Moves the cancellations and returns that no person has to move: the deadline is over, the refund is paid, the whole
 * order is refunded, the shop has shipped what should be cancelled, or the customer is due to be erased. Jobs handle
 * paid refunds and refunded orders sooner, but may be lost: a restored backup has none. Several processes may run this
 * at the same time. A failure does not stop the rest; all errors are thrown together at the end.
 */
export async function moveDueReturns(db: Db, jobs: Jobs): Promise<void> {
  const columns = { returnId: returns.id, from: returns.status }
  const overdue = await db
    .select(columns)
    .from(returns)
    .where(and(isOpen, lte(returns.dueAt, sql`now()`)))
  const paid = await db
    .select(columns)
    .from(returns)
    .leftJoin(refunds, eq(refunds.id, returns.refundId))
    .where(and(eq(returns.status, 'received'), or(isNull(returns.refundId), isNotNull(refunds.paidAt))))
  const closed = await db
    .select(columns)
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .where(and(isSettledByRefund, inArray(orders.paymentStatus, ['refund_pending', 'refunded'])))
  // A customer whose account waits for it has no other way to be refunded.
  const leaving = await db
    .select(columns)
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(inArray(returns.status, ['unanswered', 'unconfirmed']), lte(users.eraseAt, sql`now()`)))
  // Not a declined cancellation of a part that has arrived: its customer can return the goods already.
  const isWanted = or(
    inArray(returns.status, ['requested', 'unanswered', 'escalated']),
    and(eq(returns.status, 'declined'), ne(sellerOrders.deliveryStatus, 'Delivered')),
  )
  const shipped = await db
    .select(columns)
    .from(returns)
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .where(and(eq(returns.kind, 'cancellation'), isWanted, isSent))
  const moves = [
    ...closed.map(found => ({ ...found, event: 'close' as const })),
    ...paid.map(found => ({ ...found, event: 'pay' as const })),
    ...shipped.map(found => ({ ...found, event: 'ship' as const })),
    ...overdue.map(found => ({ ...found, event: 'expire' as const })),
    ...leaving.map(found => ({ ...found, event: 'escalate' as const })),
  ]
  await runForEach(moves, move => tryMoving(db, jobs, move))
}

/** Completes a return whose refund is paid; does nothing if it is complete, or there is no such return. */
export async function completeReturn(
  db: Db,
  jobs: Jobs,
  found: { refundId: string } | { returnId: string },
): Promise<void> {
  const isMatch = 'refundId' in found ? eq(returns.refundId, found.refundId) : eq(returns.id, found.returnId)
  const [paid] = await db
    .select({ id: returns.id })
    .from(returns)
    .where(and(isMatch, eq(returns.status, 'received')))
  if (paid) await tryMoving(db, jobs, { returnId: paid.id, event: 'pay' })
}

/** Closes the open cancellations and returns of an order that is refunded as a whole. */
export async function closeReturns(db: Db, jobs: Jobs, orderId: string): Promise<void> {
  const open = await db
    .select({ id: returns.id })
    .from(returns)
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .where(and(eq(returns.orderId, orderId), isSettledByRefund))
  for (const { id } of open) await tryMoving(db, jobs, { returnId: id, event: 'close' })
}

/** Does nothing if another process, or a person, has moved the return in the meantime. */
async function tryMoving(db: Db, jobs: Jobs, { returnId, ...move }: Move): Promise<void> {
  await moveReturn(db, jobs, returnId, move).catch((error: unknown) => {
    if (!(error instanceof ConflictError || error instanceof NotFoundError)) throw error
  })
}

interface Move {
  returnId: string
  event: ReturnEvent
  /** The status in which the return was found. */
  from?: ReturnStatus
}
