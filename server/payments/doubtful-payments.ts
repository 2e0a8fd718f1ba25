import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { orderSteps, paymentAttempts, refunds } from '../db/schema.ts'
import { type StepKind, storedStep } from '../db/schema/steps.ts'

/** A payment that an operator should look up at its provider. */
export type DoubtfulPayment = Pick<
  typeof paymentAttempts.$inferSelect,
  'orderId' | 'provider' | 'reference' | 'amountCents'
>

const REMEMBERED_DAYS = 30
const LATE_REFUND_HOURS = 24

const doubtfulColumns = {
  orderId: paymentAttempts.orderId,
  provider: paymentAttempts.provider,
  reference: paymentAttempts.reference,
  amountCents: paymentAttempts.amountCents,
}

/**
 * Payments of the last 30 days that were processing for so long that the shop stopped waiting for them, oldest first.
 */
export async function findLapsed(db: Db): Promise<DoubtfulPayment[]> {
  const { status, createdAt } = paymentAttempts
  return db
    .select(doubtfulColumns)
    .from(paymentAttempts)
    .where(and(eq(status, 'lapsed'), gt(createdAt, sql`now() - make_interval(days => ${REMEMBERED_DAYS})`)))
    .orderBy(createdAt)
}

/**
 * Paid attempts that customers' banks have disputed in the last 30 days, without those returned since, oldest first.
 */
export function findDisputed(db: Db): Promise<DoubtfulPayment[]> {
  return findByStep(db, 'disputed', eq(paymentAttempts.status, 'succeeded'))
}

/** Attempts with a refund that the customer's bank has sent back in the last 30 days, oldest first. */
export function findBounced(db: Db): Promise<DoubtfulPayment[]> {
  return findByStep(db, 'refund_bounced')
}

async function findByStep(db: Db, kind: StepKind, condition?: SQL): Promise<DoubtfulPayment[]> {
  const isMatch = sql`starts_with(${orderSteps.step}, ${storedStep(kind, paymentAttempts.id)})`
  return db
    .select(doubtfulColumns)
    .from(paymentAttempts)
    .innerJoin(orderSteps, and(eq(orderSteps.orderId, paymentAttempts.orderId), isMatch))
    .where(and(condition, gt(orderSteps.at, sql`now() - make_interval(days => ${REMEMBERED_DAYS})`)))
    .groupBy(paymentAttempts.id)
    .orderBy(sql`min(${orderSteps.at})`)
}

/** Refunds that have been pending for more than a day, oldest first; partial ones with the amount of the payment. */
export async function findLateRefunds(db: Db): Promise<DoubtfulPayment[]> {
  const isLate = lt(refunds.createdAt, sql`now() - make_interval(hours => ${LATE_REFUND_HOURS})`)
  const parts = await db
    .selectDistinct(doubtfulColumns)
    .from(paymentAttempts)
    .innerJoin(refunds, eq(refunds.attemptId, paymentAttempts.id))
    .where(and(eq(paymentAttempts.status, 'succeeded'), isNull(refunds.paidAt), isLate))
  return [...(await findLateWholeRefunds(db)), ...parts]
}

async function findLateWholeRefunds(db: Db): Promise<DoubtfulPayment[]> {
  const isOwed = eq(orderSteps.step, storedStep('refund_pending', paymentAttempts.id))
  return db
    .select(doubtfulColumns)
    .from(paymentAttempts)
    .innerJoin(orderSteps, and(eq(orderSteps.orderId, paymentAttempts.orderId), isOwed))
    .where(
      and(
        eq(paymentAttempts.status, 'refund_pending'),
        lt(orderSteps.at, sql`now() - make_interval(hours => ${LATE_REFUND_HOURS})`),
      ),
    )
    .orderBy(orderSteps.at)
}
