import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'
import { type AttemptStatus, orders, paymentAttempts } from '../db/schema.ts'
import { Refusal } from '../http/errors.ts'
import { recordStep } from '../orders/steps.ts'

export type Order = typeof orders.$inferSelect
export type Attempt = typeof paymentAttempts.$inferSelect

/**
 * An attempt and its order as they stay until the end of the transaction. Whoever changes either locks the order first.
 * Throws a refusal (404) when there is no such attempt.
 */
export async function lockPayment(tx: Tx, attemptId: string): Promise<{ order: Order; attempt: Attempt }> {
  const isIt = eq(paymentAttempts.id, attemptId)
  const [known] = await tx.select({ orderId: paymentAttempts.orderId }).from(paymentAttempts).where(isIt)
  const order = known && (await lockOrder(tx, known.orderId))
  const [attempt] = await tx.select().from(paymentAttempts).where(isIt)
  if (!order || !attempt) throw new Refusal(404, 'There is no such payment')
  return { order, attempt }
}

/** An order as it stays until the end of the transaction; undefined when there is none, or not `userId`'s. */
export async function lockOrder(tx: Tx, orderId: string, userId?: string): Promise<Order | undefined> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), userId === undefined ? undefined : eq(orders.userId, userId)))
    .for('no key update')
  return order
}

/** What money may still come by. */
export const UNDECIDED: AttemptStatus[] = ['open', 'processing', 'lapsed', 'failed']

/** Where a locked attempt stands from now on. */
export async function setAttempt(tx: Tx, { id }: Pick<Attempt, 'id'>, status: AttemptStatus): Promise<void> {
  await tx.update(paymentAttempts).set({ status }).where(eq(paymentAttempts.id, id))
}

/** Whether another attempt of the same order is on its way. */
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

/** The money of this attempt has come and goes back. */
export async function requestRefund(tx: Tx, attempt: Pick<Attempt, 'id' | 'orderId'>): Promise<void> {
  await setAttempt(tx, attempt, 'refund_pending')
  await recordStep(tx, attempt.orderId, `refund_pending:${attempt.id}`)
}
