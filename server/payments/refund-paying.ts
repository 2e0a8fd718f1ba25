import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../db/types.ts'
import { paymentAttempts, refunds } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { type Attempt, lockPayment } from '../orders/attempt-rows.ts'
import { runForEach } from '../platform/run-all.ts'
import { checkCharge, readLostCents } from './charges.ts'
import { CALLS_AT_ONCE, type PaymentContext } from './context.ts'
import { type Money, readListedCents, readMoney } from './ledger.ts'
import { tolerateOutage } from './outages.ts'
import type { ChargeState, PaymentProvider } from './providers/payment-provider.ts'
import { type PartRefund, settlePartRefund, settleRefund } from './refund-settling.ts'

/** Longer than a provider takes to respond. */
const REFUND_INTERVAL_MINUTES = 1
const MAX_ATTEMPTS_PER_RUN = 500

/** Pays all requested refunds; those that a provider out of reach cannot take wait for the next run. */
export async function payRefunds(paymentContext: PaymentContext): Promise<void> {
  const { db, provider } = paymentContext
  if (!provider) return
  const owed = await db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(isDue(db, provider))
    .limit(MAX_ATTEMPTS_PER_RUN)
  const pay = ({ id }: { id: string }) => tolerateOutage(paymentContext, id, () => payRefund(paymentContext, id))
  await runForEach(owed, pay, CALLS_AT_ONCE)
}

/**
 * Pays the refunds of one attempt that are pending, if no other caller has just tried to. Rejects with
 * `PaymentUnavailableError` when the provider cannot be reached.
 */
export async function payRefund(paymentContext: PaymentContext, attemptId: string): Promise<void> {
  const { db, provider } = paymentContext
  if (!provider) return
  const [attempt] = await db
    .update(paymentAttempts)
    .set({ refundAskedAt: sql`now()` })
    .where(and(eq(paymentAttempts.id, attemptId), isDue(db, provider)))
    .returning()
  if (!attempt) return
  let isPaid = true
  while (isPaid) isPaid = await payNext(paymentContext, attempt)
}

/**
 * Pays the oldest partial refund or, after all of those, the refund of what is left. One after the other: while the
 * provider's list lacks a refund, only the same request again is safe. Returns false when nothing could be paid, or when
 * a lost dispute had to be recorded first: otherwise its money would count towards the refund.
 */
async function payNext(paymentContext: PaymentContext, attempt: Attempt): Promise<boolean> {
  const { db, jobs } = paymentContext
  const provider = paymentContext.provider!
  const next = await transact(db, tx => claimNext(tx, attempt.id))
  if (!next) return false
  const { part, chargedCents } = next
  const amountCents = part ? part.amountCents : chargedCents - next.refundedCents
  const charge = await provider.readCharge({ ...attempt, amountCents: chargedCents })
  // Decided a moment later, it could be lost and count towards the refund.
  if (charge.status === 'disputed') return false
  if (part && charge.lostCents > next.lostCents) {
    await checkCharge(paymentContext, attempt.id)
    return false
  }
  const refundedCents = next.refundedBeforeCents ?? (await storeRefundedBefore(db, attempt, next, charge))
  if (refundedCents === null) return false
  const upToCents = Math.min(refundedCents + amountCents, chargedCents)
  const state = await provider.refund({ ...attempt, amountCents: chargedCents, refundedCents, upToCents })
  if (state !== 'refunded') return false
  return part ? settlePartRefund(db, jobs, part) : settleRefund(db, jobs, attempt.id)
}

/**
 * Claims the next refund of an attempt: its oldest pending partial refund, or else what is left. Returns it with the
 * attempt's money; other callers leave the attempt alone until `isDue`. Returns null and drops the claim if nothing is
 * pending. Takes the order's lock, under which refunds are requested and settled: otherwise one that is requested now
 * could wait, and one that is settled now could be paid twice.
 */
async function claimNext(tx: Tx, attemptId: string): Promise<NextRefund | null> {
  const { attempt } = await lockPayment(tx, attemptId)
  const [part] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.attemptId, attemptId), isNull(refunds.paidAt)))
    .orderBy(refunds.seq)
    .limit(1)
  const isPending = part !== undefined || attempt.status === 'refund_pending'
  await tx
    .update(paymentAttempts)
    .set({ refundAskedAt: isPending ? sql`now()` : null })
    .where(eq(paymentAttempts.id, attemptId))
  if (!isPending) return null
  const { refundedBeforeCents } = part ?? attempt
  // If all of the money goes back, only the sum counts, and no lost dispute is recorded.
  const lostCents = attempt.status === 'succeeded' ? await readLostCents(tx, attempt.orderId, attemptId) : Infinity
  return { part, refundedBeforeCents, lostCents, ...(await readMoney(tx, attemptId)) }
}

interface NextRefund extends Money {
  /** Undefined for the refund of all that is left. */
  part: PartRefund | undefined
  refundedBeforeCents: number | null
  /** What is recorded as lost in disputes. */
  lostCents: number
}

/**
 * Stores what the provider has refunded before it is first asked for a refund, and returns it, in cents. That is what
 * the ledger says, unless a bank has sent a refund back: when the provider is asked again, what it refunded since must
 * count towards this refund, not replace the one that came back. Returns null while it is unclear whether a refund came
 * back or is just not listed yet.
 */
async function storeRefundedBefore(
  db: Db,
  attempt: Attempt,
  { part, refundedCents }: NextRefund,
  { returnedCents, failedCents }: ChargeState,
): Promise<number | null> {
  if (refundedCents === 0) return 0
  const isMissing = failedCents > 0 && returnedCents < refundedCents
  if (isMissing && (await readListedCents(db, attempt.id)) < refundedCents) return null
  const refundedBeforeCents = isMissing ? returnedCents : refundedCents
  if (part) await db.update(refunds).set({ refundedBeforeCents }).where(eq(refunds.id, part.id))
  else await db.update(paymentAttempts).set({ refundedBeforeCents }).where(eq(paymentAttempts.id, attempt.id))
  return refundedBeforeCents
}

/** Whether an attempt has a pending refund, of all that is left or of a part. A union, because no index serves an OR. */
export function isOwing(db: Db) {
  const { id, status } = paymentAttempts
  const whole = db.select({ id }).from(paymentAttempts).where(eq(status, 'refund_pending'))
  const parts = db.select({ id: refunds.attemptId }).from(refunds).where(isNull(refunds.paidAt))
  return inArray(id, union(whole, parts))
}

/**
 * Leaves a minute between two requests, or until the provider lists the first one: not every provider recognises two
 * requests as the same refund, even if its response was lost or this process died.
 */
function isDue(db: Db, { name, refundListedMinutes = REFUND_INTERVAL_MINUTES }: PaymentProvider) {
  const { provider, refundAskedAt } = paymentAttempts
  const before = sql`now() - make_interval(mins => ${refundListedMinutes})`
  return and(isOwing(db), eq(provider, name), or(isNull(refundAskedAt), lt(refundAskedAt, before)))
}
