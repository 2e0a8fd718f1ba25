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

/** A paid order for which the customer paid more than it costs. */
interface Overpayment {
  orderNumber: string
  priceCents: number
  /** What has not been refunded of the surplus. */
  surplusCents: number
}

/** Overpaid orders whose surplus is not refunded, nor being refunded, oldest first. Returns do not give it back. */
export async function findOverpaid(db: Db): Promise<Overpayment[]> {
  const isForReturn = (refundId: SQL) => sql`exists (select from returns where returns.refund_id = ${refundId})`
  const { rows } = await db.execute<Record<keyof Overpayment, string>>(sql`
    select number as "orderNumber", price as "priceCents", charged - price - refunded - owed as "surplusCents" from (
      select orders.number, charge.created_at as at, attempt.amount_cents as price, charge.amount_cents as charged,
        (select coalesce(sum(refund.amount_cents), 0) from payments refund where refund.attempt_id = attempt.id
          and refund.kind = 'refund' and not ${isForReturn(sql`refund.refund_id`)}) as refunded,
        (select coalesce(sum(refund.amount_cents), 0) from refunds refund where refund.attempt_id = attempt.id
          and refund.paid_at is null and not ${isForReturn(sql`refund.id`)}) as owed
      from payment_attempts attempt
      join orders on orders.id = attempt.order_id
      join payments charge on charge.attempt_id = attempt.id and charge.kind = 'charge'
      where attempt.status = 'succeeded' and charge.amount_cents > attempt.amount_cents
    ) overpaid where charged - price - refunded - owed > 0 order by at
  `)
  return rows.map(({ orderNumber, priceCents, surplusCents }) => ({
    orderNumber,
    priceCents: Number(priceCents),
    surplusCents: Number(surplusCents),
  }))
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
