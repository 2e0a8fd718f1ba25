import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import type { Tx } from '../db/types.ts'
import { orders, paymentAttempts } from '../db/schema.ts'
import { NotFoundError } from '../platform/errors.ts'
import { setAttempt } from './payment-states.ts'
import { recordStep } from './steps.ts'

export type Order = typeof orders.$inferSelect
export type Attempt = typeof paymentAttempts.$inferSelect

const lockedPayment = prepared(db =>
  db
    .select({ order: orders, attempt: paymentAttempts })
    .from(orders)
    .innerJoin(paymentAttempts, eq(paymentAttempts.orderId, orders.id))
    .where(eq(paymentAttempts.id, sql.placeholder('attemptId')))
    .for('no key update', { of: [orders, paymentAttempts] })
    .prepare('locked_payment'),
)

const lockedOrder = prepared(db => {
  const userId = sql`${sql.placeholder('userId')}::text`
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.id, sql.placeholder('orderId')), or(isNull(userId), eq(orders.userId, userId))))
    .for('no key update')
    .prepare('locked_order')
})

/**
 * Locks an attempt's order, then the attempt, and returns both rows as they are until the transaction ends. Every
 * transaction that changes an order or its attempts locks the order first. Throws a `NotFoundError` for an unknown
 * attempt.
 */
export async function lockPayment(tx: Tx, attemptId: string): Promise<{ order: Order; attempt: Attempt }> {
  const [locked] = await lockedPayment(tx).execute({ attemptId })
  if (!locked) throw new NotFoundError('There is no such payment')
  return locked
}

/** Locks and returns an order until the transaction ends. Throws `noSuchOrder` if it is unknown or not `userId`'s. */
export async function lockOrder(tx: Tx, orderId: string, userId?: string): Promise<Order> {
  const [order] = await lockedOrder(tx).execute({ orderId, userId: userId ?? null })
  if (!order) throw noSuchOrder()
  return order
}

/** The same error for a missing order and for another customer's. */
export function noSuchOrder(): NotFoundError {
  return new NotFoundError('There is no such order')
}

/** Whether another attempt of the same order is being processed. */
export async function hasOtherProcessing(tx: Tx, { id, orderId }: Attempt): Promise<boolean> {
  const [other] = await tx
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(
      and(eq(paymentAttempts.orderId, orderId), ne(paymentAttempts.id, id), eq(paymentAttempts.status, 'processing')),
    )
    .limit(1)
  return other !== undefined
}

/** Requests the refund of this attempt's charge; a job pays it later. */
export async function requestRefund(
  tx: Tx,
  attempt: Pick<Attempt, 'id' | 'orderId' | 'status' | 'providerId'>,
): Promise<void> {
  await setAttempt(tx, attempt, 'refund_pending')
  await recordStep(tx, attempt.orderId, { kind: 'refund_pending', attemptId: attempt.id })
}
