import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { paymentAttempts, payments } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockPayment } from './attempt-rows.ts'
import { handleExternalRefund } from '../orders/cancelling.ts'
import { recordStep } from '../orders/steps.ts'
import type { PaymentContext } from './context.ts'

/**
 * Asks the provider whether the money of a paid order is still there. When it has gone back, by hand or by the customer's
 * bank, the order ends as one that the operator refunds; a dispute is the operator's to decide about. Rejects with
 * `PaymentUnavailable` when the provider cannot be asked.
 */
export async function checkCharge({ db, jobs, provider, log }: PaymentContext, attemptId: string): Promise<void> {
  if (!provider) return
  const isIt = and(eq(paymentAttempts.id, attemptId), eq(paymentAttempts.provider, provider.name))
  const [charged] = await db
    .select({ attempt: paymentAttempts, amountCents: payments.amountCents })
    .from(paymentAttempts)
    .innerJoin(payments, and(eq(payments.attemptId, paymentAttempts.id), eq(payments.kind, 'charge')))
    .where(and(isIt, eq(paymentAttempts.status, 'succeeded')))
  if (!charged) return
  const { attempt, amountCents } = charged
  const chargeStatus = await provider.readChargeStatus({ ...attempt, amountCents })
  await db
    .update(paymentAttempts)
    .set({ askedAt: sql`now()` })
    .where(isIt)
  const { orderId, reference } = attempt
  const about = { orderId, attemptId, provider: provider.name, reference }
  if (chargeStatus === 'returned' && (await handleExternalRefund(db, jobs, attemptId))) {
    log.warn(about, 'a payment was given back at its provider: what is not shipped of its order is cancelled')
    await jobs.send('refund', { attemptId })
  }
  if (chargeStatus === 'disputed' && (await noteDispute(db, attemptId)))
    log.warn(
      about,
      'a payment is disputed at the customer’s bank: answer at its provider, and ship or refund the order',
    )
}

/** Answers whether that is news. */
async function noteDispute(db: Db, attemptId: string): Promise<boolean> {
  const orderId = await transact(db, async tx => {
    const { order } = await lockPayment(tx, attemptId)
    return (await recordStep(tx, order.id, `disputed:${attemptId}`)) ? order.id : null
  })
  if (orderId) await recordAudit(db, { event: 'payment_disputed', outcome: 'ok', details: { orderId, attemptId } })
  return orderId !== null
}
