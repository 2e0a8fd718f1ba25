import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Db } from '../db/open.ts'
import { paymentAttempts } from '../db/schema.ts'
import { passFailpoint } from '../failpoints.ts'
import type { Jobs } from '../jobs.ts'
import { type PaymentProvider, PaymentUnavailable } from '../payments/provider.ts'
import { recordAudit } from './audit.ts'
import type { Attempt } from './order-attempts.ts'
import { settle, type Settled } from './order-settling.ts'

/** What payments are made of: where they are stored, who is told later, and who takes the money, if anybody does. */
export interface Till {
  db: Db
  jobs: Jobs
  provider: PaymentProvider | null
  log: Pick<Logger, 'warn'>
}

/** A customer's page asks again every few seconds; the provider is not asked more often than this. */
const LEAST_SECONDS_BETWEEN = 2

/**
 * Asks the provider about an attempt and applies its answer; null when it has none yet, or when another provider began
 * the attempt. Rejects with `PaymentUnavailable` when it cannot be asked.
 */
export async function askAbout(till: Till, attempt: Attempt): Promise<Settled | null> {
  const { db, jobs, provider } = till
  if (!provider || provider.name !== attempt.provider) return null
  await db
    .update(paymentAttempts)
    .set({ askedAt: sql`now()` })
    .where(eq(paymentAttempts.id, attempt.id))
  const verdict = await provider.ask(attempt)
  if (!verdict) return null
  if (verdict.status === 'succeeded') passFailpoint('after_psp')
  const settled = await settle(db, jobs, attempt.id, verdict)
  if (settled.outcome === 'paid') passFailpoint('after_commit')
  const { orderId } = settled
  const details = { orderId, attemptId: attempt.id, amountCents: verdict.amountCents, wantedCents: attempt.amountCents }
  if (settled.outcome === 'paid' && verdict.amountCents > attempt.amountCents)
    await recordAudit(db, { event: 'payment_overpaid', outcome: 'ok', details })
  if (settled.outcome === 'refund') await jobs.send('refund', { attemptId: attempt.id })
  return settled
}

/** As `askAbout`, but a provider that cannot be asked is only noted: false. */
export async function tryAsking(till: Till, attempt: Attempt): Promise<boolean> {
  try {
    await askAbout(till, attempt)
    return true
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error
    till.log.warn({ err: error, attemptId: attempt.id }, 'the payment provider could not be asked')
    return false
  }
}

/** Whether nobody has asked about the attempt just now; the one who hears so has to. */
export async function mayAsk(db: Db, attemptId: string): Promise<boolean> {
  const before = sql`now() - make_interval(secs => ${LEAST_SECONDS_BETWEEN})`
  const claimed = await db
    .update(paymentAttempts)
    .set({ askedAt: sql`now()` })
    .where(
      and(eq(paymentAttempts.id, attemptId), or(isNull(paymentAttempts.askedAt), lt(paymentAttempts.askedAt, before))),
    )
    .returning({ id: paymentAttempts.id })
  return claimed.length > 0
}
