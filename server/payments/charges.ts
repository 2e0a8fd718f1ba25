import { and, eq, inArray, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { type AttemptStatus, orderSteps, paymentAttempts, payments } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockPayment } from '../orders/attempt-rows.ts'
import { handleExternalRefund } from '../orders/cancelling.ts'
import { recordStep } from '../orders/steps.ts'
import type { PaymentContext } from './context.ts'
import { readListedCents, readMoney } from './ledger.ts'

/** Attempts whose charge is checked: it may be refunded without the shop, and refunds may bounce. */
export const CHECKED: AttemptStatus[] = ['succeeded', 'refunded']

const chargedAttempt = prepared(db =>
  db
    .select({ attempt: paymentAttempts, amountCents: payments.amountCents })
    .from(paymentAttempts)
    .innerJoin(payments, and(eq(payments.attemptId, paymentAttempts.id), eq(payments.kind, 'charge')))
    .where(
      and(
        eq(paymentAttempts.id, sql.placeholder('attemptId')),
        eq(paymentAttempts.provider, sql.placeholder('provider')),
        inArray(paymentAttempts.status, CHECKED),
      ),
    )
    .prepare('charged_attempt'),
)

/**
 * Checks at the provider that the money of a paid attempt is still there, and that its refunds have not come back. If
 * all of the money was returned, by an operator at the provider or by the customer's bank, the order is refunded as if
 * the operator had done it; if a part was returned, that part is recorded as a refund. Disputes, and refunds that came
 * back, are only recorded: the operator decides. Rejects with `PaymentUnavailableError` when the provider cannot be
 * reached.
 */
export async function checkCharge({ db, jobs, provider, log }: PaymentContext, attemptId: string): Promise<void> {
  if (!provider) return
  const [charged] = await chargedAttempt(db).execute({ attemptId, provider: provider.name })
  if (!charged) return
  const { attempt, amountCents } = charged
  const { status: chargeStatus, returnedCents, failedCents } = await provider.readCharge({ ...attempt, amountCents })
  const { orderId, reference } = attempt
  const about = { orderId, attemptId, provider: provider.name, reference }
  if (failedCents > 0 && (await recordBounced(db, attemptId, returnedCents)))
    log.warn(
      about,
      'a refund was returned by the customer’s bank: look it up at its provider, and pay it in another way',
    )
  if (attempt.status !== 'succeeded') return
  if (chargeStatus === 'returned' && (await handleExternalRefund(db, jobs, attemptId))) {
    log.warn(about, 'a payment was refunded at its provider: the unshipped part of its order is cancelled')
    await jobs.send('refund', { attemptId })
  }
  if (chargeStatus !== 'returned') await recordPartReturned(db, jobs, attemptId, returnedCents)
  if (chargeStatus === 'disputed' && (await recordDispute(db, attemptId)))
    log.warn(
      about,
      'a payment is disputed at the customer’s bank: answer at its provider, and ship or refund the order',
    )
}

/**
 * Records refunds that were made at the provider, outside the shop. While a refund of the shop itself is pending, the
 * two cannot be distinguished: returned money then counts towards the pending one (see `refundUpTo`).
 */
async function recordPartReturned(db: Db, jobs: Jobs, attemptId: string, returnedCents: number): Promise<void> {
  if (returnedCents === 0) return
  const isRecorded = await jobs.transact(db, async (tx, sendJob) => {
    const { order, attempt } = await lockPayment(tx, attemptId)
    if (attempt.status !== 'succeeded') return false
    const { refundedCents, pendingCents, currency } = await readMoney(tx, attemptId)
    const amountCents = returnedCents - refundedCents
    if (pendingCents > 0 || amountCents <= 0) return false
    const orderId = order.id
    const row = { orderId, attemptId, kind: 'refund' as const, amountCents, currency }
    const [payment] = await tx.insert(payments).values(row).returning({ id: payments.id })
    await recordStep(tx, orderId, { kind: 'part_returned', refundId: payment!.id, amountCents })
    await sendJob('orderMail', { kind: 'refunded', orderId, amountCents, currency })
    const details = { orderId, attemptId, amountCents }
    await recordAudit(tx, { event: 'payment_part_returned', outcome: 'ok', details })
    passFailpoint('readCharge:uncommitted')
    return true
  })
  if (isRecorded) passFailpoint('readCharge:committed')
}

/** Returns false if the dispute was recorded before. */
async function recordDispute(db: Db, attemptId: string): Promise<boolean> {
  return transact(db, async tx => {
    const { order } = await lockPayment(tx, attemptId)
    const isNew = await recordStep(tx, order.id, { kind: 'disputed', attemptId })
    const details = { orderId: order.id, attemptId }
    if (isNew) await recordAudit(tx, { event: 'payment_disputed', outcome: 'ok', details })
    return isNew
  })
}

/**
 * Records that a paid refund has come back, if less is returned than the ledger says. Returns false if nothing has come
 * back since it was last recorded.
 */
async function recordBounced(db: Db, attemptId: string, returnedCents: number): Promise<boolean> {
  return transact(db, async tx => {
    const { order } = await lockPayment(tx, attemptId)
    const missingCents = (await readListedCents(tx, attemptId)) - returnedCents
    if (missingCents <= (await readBouncedCents(tx, order.id, attemptId))) return false
    await recordStep(tx, order.id, { kind: 'refund_bounced', attemptId, missingCents })
    const details = { orderId: order.id, attemptId, returnedCents }
    await recordAudit(tx, { event: 'refund_bounced', outcome: 'ok', details })
    return true
  })
}

/** How much of an attempt's refunds is recorded as having come back; Infinity if an older step does not say. */
async function readBouncedCents(tx: Tx, orderId: string, attemptId: string): Promise<number> {
  const recorded = await tx.select({ step: orderSteps.step }).from(orderSteps).where(eq(orderSteps.orderId, orderId))
  const sums = recorded.map(({ step }) =>
    step.kind === 'refund_bounced' && step.attemptId === attemptId ? (step.missingCents ?? Infinity) : 0,
  )
  return Math.max(0, ...sums)
}
