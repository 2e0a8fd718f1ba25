import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'
import { orders, paymentAttempts } from '../db/schema.ts'
import { NotFoundError } from '../platform/errors.ts'
import { setAttempt } from './payment-states.ts'
import { recordStep } from './steps.ts'

export type Order = typeof orders.$inferSelect
export type Attempt = typeof paymentAttempts.$inferSelect

/**
 * Locks an attempt's order and returns both rows as they are until the transaction ends. Every transaction that changes
 * an order or its attempts locks the order first. Throws a `NotFoundError` for an unknown attempt.
 */
export async function lockPayment(tx: Tx, attemptId: string): Promise<{ order: Order; attempt: Attempt }> {
  const isIt = eq(paymentAttempts.id, attemptId)
  const ofAttempt = tx.select({ orderId: paymentAttempts.orderId }).from(paymentAttempts).where(isIt)
  const [order] = await tx
    .select()
    .from(orders)
    .where(eq(orders.id, sql`(${ofAttempt})`))
    .for('no key update')
  const [attempt] = await tx.select().from(paymentAttempts).where(isIt)
  if (!order || !attempt) throw new NotFoundError('There is no such payment')
  return { order, attempt }
}

/** Locks and returns an order until the transaction ends; undefined if it does not exist or is not `userId`'s. */
export async function lockOrder(tx: Tx, orderId: string, userId?: string): Promise<Order | undefined> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), userId === undefined ? undefined : eq(orders.userId, userId)))
    .for('no key update')
  return order
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
export async function requestRefund(tx: Tx, attempt: Pick<Attempt, 'id' | 'orderId' | 'status'>): Promise<void> {
  await setAttempt(tx, attempt, 'refund_pending')
  await recordStep(tx, attempt.orderId, { kind: 'refund_pending', attemptId: attempt.id })
}
