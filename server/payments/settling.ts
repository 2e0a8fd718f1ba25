import { and, eq, exists, like, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { PaymentStatus } from '#contract/orders.ts'
import { HOLD_MINUTES, PROCESSING_HOLD_HOURS } from '#contract/rules.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { type AttemptStatus, orders, orderSteps, paymentAttempts, payments, users } from '../db/schema.ts'
import { encodeStep } from '../db/schema/steps.ts'
import { transact } from '../db/transact.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { type Attempt, hasOtherProcessing, lockPayment, type Order, requestRefund } from '../orders/attempt-rows.ts'
import { markPaid } from '../orders/paying.ts'
import { PAYABLE, setAttempt, setPaymentStatus, UNDECIDED } from '../orders/payment-states.ts'
import { recordStep, whenStepped } from '../orders/steps.ts'
import { takeAgain } from '../orders/stock.ts'
import type { ProviderPayment } from './providers/payment-provider.ts'

export interface Settled {
  orderId: string
  paymentStatus: PaymentStatus
  attemptStatus: AttemptStatus
  /**
   * The effect of the report. None for `unchanged` and `mismatch` (not this attempt's reference or amount);
   * `refund`: money arrived that the order could not take, of whatever amount and currency.
   */
  outcome: 'paid' | 'processing' | 'failed' | 'refund' | 'unchanged' | 'mismatch'
}

type Outcome = Settled['outcome']

/** A provider's report on an attempt, with the locked rows of the attempt and its order. */
interface Report {
  order: Order
  attempt: Attempt
  reported: ProviderPayment
}

/**
 * Applies a provider's report on an attempt; the only way for an order to be paid with money. Idempotent: repeated,
 * late and simultaneous reports have no further effect, and none makes a paid order unpaid.
 */
export async function settle(db: Db, jobs: Jobs, attemptId: string, reported: ProviderPayment): Promise<Settled> {
  return jobs.transact(db, async (tx, sendJob) => {
    const { order, attempt } = await lockPayment(tx, attemptId)
    const outcome = await apply(tx, sendJob, { order, attempt, reported })
    const settled = { ...(await stateAfter(tx, outcome, order, attempt)), outcome }
    await auditReport(tx, attempt, reported, settled)
    passFailpoint('readPayment:uncommitted')
    return settled
  })
}

async function apply(tx: Tx, sendJob: SendJob, { order, attempt: stored, reported }: Report): Promise<Outcome> {
  if (!isAbout(stored, reported))
    return (await recordStep(tx, order.id, { kind: 'mismatch', attemptId: stored.id })) ? 'mismatch' : 'unchanged'
  const attempt = { ...stored, providerId: stored.providerId ?? reported.providerId ?? null }
  const outcome = await applyStatus(tx, sendJob, { order, attempt, reported })
  // All other outcomes store it with the attempt's new status.
  if (outcome === 'unchanged' && attempt.providerId !== stored.providerId)
    await tx.update(paymentAttempts).set({ providerId: attempt.providerId }).where(eq(paymentAttempts.id, attempt.id))
  return outcome
}

async function applyStatus(tx: Tx, sendJob: SendJob, report: Report): Promise<Outcome> {
  const { order, attempt, reported } = report
  if (reported.status === 'succeeded') return succeed(tx, sendJob, report)
  return reported.status === 'processing' ? markProcessing(tx, order, attempt) : fail(tx, order, attempt)
}

/**
 * Whether a report on this attempt needs no lock, because it changes nothing: an attempt that was paid, or whose money
 * went back, never becomes undecided again.
 */
export function changesNothing(attempt: Attempt, reported: ProviderPayment): boolean {
  const isDecided = !UNDECIDED.includes(attempt.status)
  return isDecided && isAbout(attempt, reported) && (!reported.providerId || attempt.providerId !== null)
}

/**
 * Whether the report is about this attempt. A failure may lack the amount; a success must have one, but it may be
 * wrong.
 */
function isAbout(attempt: Attempt, reported: ProviderPayment): boolean {
  const { status, reference, amountCents } = reported
  if (reference !== attempt.reference) return false
  return status === 'failed' || isEnough(attempt, reported) || (status === 'succeeded' && amountCents > 0)
}

function isEnough(attempt: Attempt, { currency, amountCents }: ProviderPayment): boolean {
  return currency === attempt.currency && amountCents >= attempt.amountCents
}

async function succeed(tx: Tx, sendJob: SendJob, { order, attempt, reported }: Report): Promise<Outcome> {
  const { id: attemptId, orderId } = attempt
  if (!UNDECIDED.includes(attempt.status)) return 'unchanged'
  const { amountCents, currency } = reported
  const paidWith = reported.paidWith ? JSON.stringify(reported.paidWith) : null
  const charge = { id: v7(), orderId, attemptId, amountCents, currency, paidWith, userId: order.userId }
  await chargeAdded(tx).execute(charge)
  if (!PAYABLE.includes(order.paymentStatus)) {
    await recordStep(tx, orderId, { kind: 'paid_again', attemptId })
    await requestRefund(tx, attempt)
    return 'refund'
  }
  if (!isEnough(attempt, reported)) {
    await recordStep(tx, orderId, { kind: 'paid_wrong', attemptId })
    await requestRefund(tx, attempt)
    await endProcessing(tx, order, attempt)
    return 'refund'
  }
  if (order.status === 'cancelled' && !(await revive(tx, order))) {
    await setPaymentStatus(tx, order, 'refund_pending')
    await requestRefund(tx, attempt)
    return 'refund'
  }
  await setAttempt(tx, attempt, 'succeeded')
  await markPaid(tx, sendJob, order)
  return 'paid'
}

const chargeAdded = prepared(db => {
  const isCustomer = exists(
    db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, sql.placeholder('userId'))),
  )
  return db
    .insert(payments)
    .values({
      id: sql.placeholder('id'),
      orderId: sql.placeholder('orderId'),
      attemptId: sql.placeholder('attemptId'),
      kind: 'charge',
      amountCents: sql.placeholder('amountCents'),
      currency: sql.placeholder('currency'),
      // Left out for a customer who has been erased.
      paidWith: sql`case when ${isCustomer} then ${sql.placeholder('paidWith')}::jsonb end`,
    })
    .prepare('charge_added')
})

/**
 * Restores an order that was not paid in time, if its units are still in stock. Never restores one that a person
 * cancelled, or whose customer was erased: its address is gone.
 */
async function revive(tx: Tx, { id, cancelledBy, userId }: Order): Promise<boolean> {
  const isErased = userId !== null && (await tx.$count(users, eq(users.id, userId))) === 0
  if (cancelledBy !== 'time' || isErased || !(await takeAgain(tx, id))) return false
  await recordStep(tx, id, { kind: 'revived' })
  return true
}

async function markProcessing(tx: Tx, order: Order, attempt: Attempt): Promise<Outcome> {
  if (attempt.status !== 'open' && attempt.status !== 'failed') return 'unchanged'
  await setAttempt(tx, attempt, 'processing')
  if (order.status !== 'pending') return 'processing'
  await recordStep(tx, order.id, { kind: 'processing' })
  const heldUntil = await endOfWaiting(tx, order)
  await setPaymentStatus(tx, order, 'processing', { heldUntil })
  return 'processing'
}

/** Counted from the first processing payment, so that further tries cannot hold the units for ever. */
async function endOfWaiting(tx: Tx, { id, heldUntil }: Order): Promise<Date> {
  const firstAt = await whenStepped(tx, id, { kind: 'processing' })
  return new Date(Math.max(firstAt.getTime() + PROCESSING_HOLD_HOURS * 3600_000, heldUntil?.getTime() ?? 0))
}

async function fail(tx: Tx, order: Order, attempt: Attempt): Promise<Outcome> {
  if (!UNDECIDED.includes(attempt.status) || attempt.status === 'failed') return 'unchanged'
  await setAttempt(tx, attempt, 'failed')
  await recordFailure(tx, attempt)
  await endProcessing(tx, order, attempt)
  return 'failed'
}

async function recordFailure(tx: Tx, { id: attemptId, orderId }: Attempt): Promise<void> {
  const step = { kind: 'failed' as const, attemptId }
  const isFailure = and(eq(orderSteps.orderId, orderId), like(orderSteps.step, `${encodeStep(step)}%`))
  const failureCount = await tx.$count(orderSteps, isFailure)
  await recordStep(tx, orderId, failureCount > 0 ? { ...step, round: failureCount + 1 } : step)
}

/**
 * Stops waiting for an attempt that has been processing for too long: its order is unpaid again. Money that still
 * arrives is settled as usual. Returns false if the attempt is no longer processing; throws a `NotFoundError` for an
 * unknown attempt.
 */
export async function expireAttempt(db: Db, attemptId: string): Promise<boolean> {
  return transact(db, async tx => {
    const { order, attempt } = await lockPayment(tx, attemptId)
    if (attempt.status !== 'processing') return false
    await setAttempt(tx, attempt, 'lapsed')
    await recordStep(tx, order.id, { kind: 'lapsed', attemptId: attempt.id })
    await endProcessing(tx, order, attempt)
    const details = { orderId: order.id, attemptId }
    await recordAudit(tx, { event: 'payment_lapsed', outcome: 'refused', details })
    return true
  })
}

/** Makes the order unpaid again, unless another attempt is being processed. */
async function endProcessing(tx: Tx, order: Order, attempt: Attempt): Promise<void> {
  if (order.paymentStatus !== 'processing' || (await hasOtherProcessing(tx, attempt))) return
  // Another try gets at most the time of a new order, not the rest of the 24 hours for a payment that is processing.
  const heldUntil = order.heldUntil && earlier(order.heldUntil, minutesFromNow(HOLD_MINUTES))
  await setPaymentStatus(tx, order, 'unpaid', { heldUntil })
}

type State = Pick<Settled, 'orderId' | 'attemptStatus' | 'paymentStatus'>

/** `order` and `attempt` are as they were before the outcome. */
async function stateAfter(tx: Tx, outcome: Outcome, order: Order, attempt: Attempt): Promise<State> {
  const { orderId, id: attemptId } = attempt
  if (outcome === 'paid') return { orderId, attemptStatus: 'succeeded', paymentStatus: 'paid' }
  if (outcome === 'unchanged' || outcome === 'mismatch')
    return { orderId, attemptStatus: attempt.status, paymentStatus: order.paymentStatus }
  const [state] = await tx
    .select({
      orderId: paymentAttempts.orderId,
      attemptStatus: paymentAttempts.status,
      paymentStatus: orders.paymentStatus,
    })
    .from(paymentAttempts)
    .innerJoin(orders, eq(orders.id, paymentAttempts.orderId))
    .where(eq(paymentAttempts.id, attemptId))
  return state!
}

async function auditReport(
  tx: Tx,
  attempt: Attempt,
  reported: ProviderPayment,
  { orderId, outcome }: Settled,
): Promise<void> {
  if (outcome === 'unchanged') return
  const { status, amountCents, currency, reference } = reported
  const about = { orderId, attemptId: attempt.id, amountCents, currency }
  const details = { ...about, effect: outcome, status, reference }
  await recordAudit(tx, { event: 'payment', outcome: outcome === 'mismatch' ? 'refused' : 'ok', details })
  if (outcome !== 'paid' || amountCents === attempt.amountCents) return
  const overpaid = { ...about, wantedCents: attempt.amountCents }
  await recordAudit(tx, { event: 'payment_overpaid', outcome: 'ok', details: overpaid })
}

function minutesFromNow(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000)
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
