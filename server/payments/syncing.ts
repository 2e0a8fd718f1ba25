import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { paymentAttempts } from '../db/schema.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { Attempt } from '../orders/attempt-rows.ts'
import type { PaymentContext } from './context.ts'
import { tolerateOutage } from './outages.ts'
import type { ProviderPayment } from './providers/payment-provider.ts'
import { changesNothing, settle, type Settled } from './settling.ts'

/** A customer's page polls every few seconds; the provider is not asked more often than this. */
const MIN_SECONDS_BETWEEN = 2

/**
 * Looks up an attempt at the provider and applies the result, if there is one and the attempt does not belong to
 * another provider. Rejects with `PaymentUnavailableError` when the provider cannot be reached.
 */
export async function syncPayment(paymentContext: PaymentContext, attempt: Attempt): Promise<void> {
  const { db, jobs, provider } = paymentContext
  if (!provider || provider.name !== attempt.provider) return
  await db
    .update(paymentAttempts)
    .set({ lookedUpAt: sql`now()` })
    .where(eq(paymentAttempts.id, attempt.id))
  const reported = await provider.readPayment(attempt)
  if (!reported) return
  if (changesNothing(attempt, reported))
    return warnOperator(paymentContext, attempt, reported, { outcome: 'unchanged', attemptStatus: attempt.status })
  const settled = await settle(db, jobs, attempt.id, reported)
  passFailpoint('readPayment:committed')
  warnOperator(paymentContext, attempt, reported, settled)
  if (settled.outcome === 'refund') await jobs.send('refund', { attemptId: attempt.id })
}

/**
 * Logs what an operator should look at: wrong amounts or currencies, overpaid orders, reports on another payment, and
 * payments that failed after they had succeeded.
 */
function warnOperator(
  { log }: PaymentContext,
  attempt: Attempt,
  reported: ProviderPayment,
  { outcome, attemptStatus }: Pick<Settled, 'outcome' | 'attemptStatus'>,
): void {
  const { orderId } = attempt
  const { amountCents, currency, reference } = reported
  const isOther = currency !== attempt.currency || amountCents !== attempt.amountCents
  const details = { orderId, attemptId: attempt.id, amountCents, currency, wantedCents: attempt.amountCents }
  if (outcome === 'mismatch')
    log.warn({ ...details, reference }, 'the payment provider returned another payment than the one it was asked about')
  else if (reported.status === 'failed' && attemptStatus === 'succeeded')
    log.warn(
      { ...details, reference },
      'a payment that was made has failed since: look it up at its provider before its order is shipped',
    )
  else if (outcome === 'refund' && isOther)
    log.warn(details, 'a payment of the wrong amount or currency is being refunded')
  else if (outcome === 'paid' && isOther)
    log.warn(
      { ...details, surplusCents: amountCents - attempt.amountCents },
      "more was paid than the order costs: refund the rest with 'order refund --amount'",
    )
}

/** Like `syncPayment`, but logs that the provider cannot be reached and returns false. */
export function trySyncing(paymentContext: PaymentContext, attempt: Attempt): Promise<boolean> {
  return tolerateOutage(paymentContext, attempt.id, () => syncPayment(paymentContext, attempt))
}

/** Claims the next lookup of an attempt; true for at most one caller every 2 s. */
export async function claimLookup(db: Db, attemptId: string): Promise<boolean> {
  const before = sql`now() - make_interval(secs => ${MIN_SECONDS_BETWEEN})`
  const claimed = await db
    .update(paymentAttempts)
    .set({ lookedUpAt: sql`now()` })
    .where(
      and(
        eq(paymentAttempts.id, attemptId),
        or(isNull(paymentAttempts.lookedUpAt), lt(paymentAttempts.lookedUpAt, before)),
      ),
    )
    .returning({ id: paymentAttempts.id })
  return claimed.length > 0
}
