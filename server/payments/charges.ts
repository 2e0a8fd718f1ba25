import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { type AttemptStatus, orderSteps, paymentAttempts, payments, refunds } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockPayment, type Order } from '../orders/attempt-rows.ts'
import { handleExternalRefund } from '../orders/cancelling.ts'
import { recordStep } from '../orders/steps.ts'
import type { PaymentContext } from './context.ts'
import { leftOf, type Money, readListedCents, readMoney } from './ledger.ts'
import type { ChargeState } from './providers/payment-provider.ts'

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
 * the operator had done it; if a part was returned, that part is recorded as a refund. Open disputes, and refunds that
 * came back, are only recorded: the operator decides. Rejects with `PaymentUnavailableError` when the provider cannot be
 * reached.
 */
export async function checkCharge({ db, jobs, provider, log }: PaymentContext, attemptId: string): Promise<void> {
  if (!provider) return
  const [charged] = await chargedAttempt(db).execute({ attemptId, provider: provider.name })
  if (!charged) return
  const { attempt, amountCents } = charged
  const charge = await provider.readCharge({ ...attempt, amountCents })
  const { status: chargeStatus, returnedCents, failedCents } = charge
  const { orderId, reference } = attempt
  const about = { orderId, attemptId, provider: provider.name, reference }
  if (failedCents > 0 && (await recordBounced(db, attemptId, returnedCents)))
    log.warn(
      about,
      'a refund was returned by the customer’s bank: look it up at its provider, and pay it in another way',
    )
  if (attempt.status !== 'succeeded') return
  const isReturned = chargeStatus === 'returned' || (await recordLost(db, jobs, attemptId, charge))
  if (isReturned && (await handleExternalRefund(db, jobs, attemptId))) {
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
    await recordReturned(tx, sendJob, order, { attemptId, amountCents, currency })
    passFailpoint('readCharge:uncommitted')
    return true
  })
  if (isRecorded) passFailpoint('readCharge:committed')
}

/**
 * Records what was lost in disputes. Unlike other returned money, it is never a refund of the shop, so it is recorded
 * even while one is pending, which is then paid on top. Returns whether the pending refunds take all that is left.
 */
async function recordLost(db: Db, jobs: Jobs, attemptId: string, charge: ChargeState): Promise<boolean> {
  if (charge.lostCents === 0) return false
  return jobs.transact(db, async (tx, sendJob) => {
    const { order, attempt } = await lockPayment(tx, attemptId)
    if (attempt.status !== 'succeeded') return false
    const money = await readMoney(tx, attemptId)
    const newCents = charge.lostCents - (await readLostCents(tx, order.id, attemptId))
    if (newCents <= 0) return leftOf(money) === 0
    const amountCents = Math.min(newCents, unknownCents(charge, money), leftOf(money))
    if (amountCents > 0) {
      await recordReturned(tx, sendJob, order, { attemptId, amountCents, currency: money.currency })
      await tx
        .update(refunds)
        .set({ refundedBeforeCents: sql`${refunds.refundedBeforeCents} + ${amountCents}` })
        .where(and(eq(refunds.attemptId, attemptId), isNull(refunds.paidAt)))
    }
    await recordStep(tx, order.id, { kind: 'dispute_lost', attemptId, lostCents: charge.lostCents })
    return leftOf(money) - amountCents === 0
  })
}

/** Returned money that the ledger lacks. Older versions recorded lost disputes without the step `dispute_lost`. */
function unknownCents({ returnedCents, failedCents }: ChargeState, { refundedCents }: Money): number {
  return Math.max(0, returnedCents + failedCents - refundedCents)
}

async function recordReturned(
  tx: Tx,
  sendJob: SendJob,
  { id: orderId }: Order,
  { attemptId, amountCents, currency }: { attemptId: string; amountCents: number; currency: string },
): Promise<void> {
  const row = { orderId, attemptId, kind: 'refund' as const, amountCents, currency }
  const [payment] = await tx.insert(payments).values(row).returning({ id: payments.id })
  await recordStep(tx, orderId, { kind: 'part_returned', refundId: payment!.id, amountCents })
  await sendJob('orderMail', { kind: 'refunded', orderId, amountCents, currency })
  const details = { orderId, attemptId, amountCents }
  await recordAudit(tx, { event: 'payment_part_returned', outcome: 'ok', details })
}

/** What is recorded as lost in disputes of an attempt, in cents. */
export async function readLostCents(tx: Tx, orderId: string, attemptId: string): Promise<number> {
  const recorded = await tx.select({ step: orderSteps.step }).from(orderSteps).where(eq(orderSteps.orderId, orderId))
  const sums = recorded.map(({ step }) =>
    step.kind === 'dispute_lost' && step.attemptId === attemptId ? step.lostCents : 0,
  )
  return Math.max(0, ...sums)
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
