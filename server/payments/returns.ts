import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { paymentAttempts, payments } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockPayment } from '../orders/attempt-rows.ts'
import { handleExternalRefund } from '../orders/cancelling.ts'
import { recordStep } from '../orders/steps.ts'
import type { PaymentContext } from './context.ts'

/**
 * Checks at the provider that the money of a paid attempt is still there. If it was returned, by an operator at the
 * provider or by the customer's bank, the order is refunded as by the operator. A dispute is only recorded: the
 * operator decides. Rejects with `PaymentUnavailableError` when the provider cannot be reached.
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

/** Returns false if the dispute was recorded before. */
async function noteDispute(db: Db, attemptId: string): Promise<boolean> {
  return transact(db, async tx => {
    const { order } = await lockPayment(tx, attemptId)
    const isNew = await recordStep(tx, order.id, { kind: 'disputed', attemptId })
    const details = { orderId: order.id, attemptId }
    if (isNew) await recordAudit(tx, { event: 'payment_disputed', outcome: 'ok', details })
    return isNew
  })
}
