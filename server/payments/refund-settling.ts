import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { paymentAttempts, payments, refunds } from '../db/schema.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { type Attempt, lockPayment, type Order } from '../orders/attempt-rows.ts'
import { setAttempt, setPaymentStatus } from '../orders/payment-states.ts'
import { recordStep } from '../orders/steps.ts'
import { readMoney } from './ledger.ts'

/**
 * Records that the provider has paid the refund of all that was left of a `refund_pending` attempt, and mails the
 * customer. Returns false when there was nothing to record; throws a `NotFoundError` for an unknown attempt.
 */
export async function settleRefund(db: Db, jobs: Jobs, attemptId: string): Promise<boolean> {
  const isRefunded = await jobs.transact(db, async (tx, sendJob) => {
    const refunded = await recordRefund(tx, sendJob, attemptId)
    if (refunded) await recordAudit(tx, { event: 'refund', outcome: 'ok', details: { attemptId, ...refunded } })
    passFailpoint('refund:uncommitted')
    return refunded !== null
  })
  passFailpoint('refund:committed')
  return isRefunded
}

async function recordRefund(
  tx: Tx,
  sendJob: SendJob,
  attemptId: string,
): Promise<{ orderId: string; amountCents: number } | null> {
  const { order, attempt } = await lockPayment(tx, attemptId)
  if (attempt.status !== 'refund_pending') return null
  const { orderId } = attempt
  const { chargedCents, refundedCents, pendingCents, currency } = await readMoney(tx, attemptId)
  if (pendingCents > 0) throw new Error(`attempt ${attemptId} still has unpaid partial refunds`)
  // Partial refunds may have paid all of it.
  const amountCents = chargedCents - refundedCents
  if (amountCents > 0) await tx.insert(payments).values({ orderId, attemptId, kind: 'refund', amountCents, currency })
  await setAttempt(tx, attempt, 'refunded')
  // The customer has been told of each partial refund.
  await recordStep(tx, orderId, { kind: 'refunded', attemptId }, { isTold: amountCents > 0 })
  if (order.paymentStatus === 'refund_pending' && !(await isMoreOwed(tx, orderId)))
    await setPaymentStatus(tx, order, 'refunded')
  const isOtherPayment = order.paymentStatus === 'paid'
  if (amountCents > 0) await sendJob('orderMail', { kind: 'refunded', orderId, amountCents, currency, isOtherPayment })
  return { orderId, amountCents }
}

async function isMoreOwed(tx: Tx, orderId: string): Promise<boolean> {
  const isOwed = and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.status, 'refund_pending'))
  return (await tx.$count(paymentAttempts, isOwed)) > 0
}

/**
 * Records that the provider has paid a partial refund and mails the customer. Returns false if it was recorded before.
 */
export async function settlePartRefund(db: Db, jobs: Jobs, { id, attemptId }: PartRefund): Promise<boolean> {
  const isNew = await jobs.transact(db, async (tx, sendJob) => {
    const { order, attempt } = await lockPayment(tx, attemptId)
    const [paid] = await tx
      .update(refunds)
      .set({ paidAt: sql`now()` })
      .where(and(eq(refunds.id, id), isNull(refunds.paidAt)))
      .returning()
    if (!paid) return false
    await recordRefunded(tx, sendJob, { order, attempt }, paid)
    passFailpoint('refund:uncommitted')
    return true
  })
  passFailpoint('refund:committed')
  return isNew
}

export type PartRefund = typeof refunds.$inferSelect

async function recordRefunded(
  tx: Tx,
  sendJob: SendJob,
  { order, attempt }: { order: Order; attempt: Attempt },
  { id: refundId, amountCents }: PartRefund,
): Promise<void> {
  const { id: attemptId, currency } = attempt
  const orderId = order.id
  await tx.insert(payments).values({ orderId, attemptId, kind: 'refund', amountCents, currency, refundId })
  await recordStep(tx, orderId, { kind: 'part_refunded', refundId, amountCents })
  await sendJob('orderMail', { kind: 'refunded', orderId, amountCents, currency, refundId })
  await sendJob('refundPaid', { refundId })
  const details = { orderId, attemptId, refundId, amountCents }
  await recordAudit(tx, { event: 'part_refund', outcome: 'ok', details })
}
