import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { orders, paymentAttempts, payments } from '../db/schema.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockPayment, setAttempt } from '../orders/attempt-rows.ts'
import { recordStep } from '../orders/steps.ts'

/**
 * Records that the provider has paid the refund of a `refund_pending` attempt, and mails the customer. Returns false
 * when there was nothing to record; throws a `NotFoundError` for an unknown attempt.
 */
export async function settleRefund(db: Db, jobs: Jobs, attemptId: string): Promise<boolean> {
  const isRefunded = await jobs.transact(db, async (tx, sendJob) => {
    const refunded = await refund(tx, sendJob, attemptId)
    if (refunded) await recordAudit(tx, { event: 'refund', outcome: 'ok', details: { attemptId, ...refunded } })
    passFailpoint('refund:uncommitted')
    return refunded !== null
  })
  passFailpoint('refund:committed')
  return isRefunded
}

async function refund(
  tx: Tx,
  sendJob: SendJob,
  attemptId: string,
): Promise<{ orderId: string; amountCents: number } | null> {
  const { order, attempt } = await lockPayment(tx, attemptId)
  if (attempt.status !== 'refund_pending') return null
  const { orderId } = attempt
  const [charge] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.attemptId, attemptId), eq(payments.kind, 'charge')))
  if (!charge) throw new Error(`attempt ${attemptId} was never charged`)
  const { amountCents, currency } = charge
  await tx.insert(payments).values({ orderId, attemptId, kind: 'refund', amountCents, currency })
  await setAttempt(tx, attempt, 'refunded')
  await recordStep(tx, orderId, { kind: 'refunded', attemptId })
  if (order.paymentStatus === 'refund_pending' && !(await isMoreOwed(tx, orderId)))
    await tx.update(orders).set({ paymentStatus: 'refunded' }).where(eq(orders.id, orderId))
  await sendJob('orderMail', { kind: 'refunded', orderId, amountCents, currency })
  return { orderId, amountCents }
}

async function isMoreOwed(tx: Tx, orderId: string): Promise<boolean> {
  const [owed] = await tx
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.status, 'refund_pending')))
    .limit(1)
  return owed !== undefined
}
