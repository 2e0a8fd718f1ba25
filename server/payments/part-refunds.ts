import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { paymentAttempts, refunds, returns } from '../db/schema.ts'
import { ConflictError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { sumBy } from '../platform/sum.ts'
import { plainDollars } from '../platform/usd.ts'
import { lockOrder, type Order } from '../orders/attempt-rows.ts'
import { requestRefunds } from '../orders/cancelling.ts'
import { recordStep } from '../orders/steps.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { leftOf, type Money, readMoney } from './ledger.ts'

/**
 * Requests a partial refund of a paid order that the caller has locked; a job sends it to the provider. Refunds at most
 * what is left of the payment. If this brings the refunds to the order's price, the rest of the payment is refunded,
 * too; a refund that is not for a return counts towards an overpayment first. Returns the refund's id; null when there
 * is nothing to refund.
 */
export async function requestPartRefund(
  tx: Tx,
  sendJob: SendJob,
  order: Order,
  wantedCents: number,
  { isForReturn }: { isForReturn: boolean },
): Promise<string | null> {
  const attempt = await findPaidAttempt(tx, order)
  if (!attempt) return null
  const { id: attemptId, orderId } = attempt
  const money = await readMoney(tx, attemptId)
  const amountCents = Math.min(wantedCents, leftOf(money))
  if (amountCents <= 0) return null
  const [refund] = await tx.insert(refunds).values({ orderId, attemptId, amountCents }).returning()
  const refundId = refund!.id
  await recordStep(tx, orderId, { kind: 'part_refund_pending', refundId, amountCents })
  const refundedCents = money.refundedCents + money.pendingCents + amountCents
  const otherCents = refundedCents - (await readReturnsCents(tx, attemptId)) - (isForReturn ? amountCents : 0)
  const isAll = refundedCents >= order.priceCents + returnedSurplus(order, money, otherCents)
  if (isAll) await requestRefunds(tx, sendJob, order)
  await sendJob('refund', { attemptId })
  return refundId
}

/** The part of an overpayment that `otherCents`, all refunds but those for returns, give back; in cents. */
function returnedSurplus({ priceCents }: Order, { chargedCents }: Money, otherCents: number): number {
  return Math.min(Math.max(chargedCents - priceCents, 0), otherCents)
}

/** The sum of an attempt's refunds for returns whose refund id is stored, in cents. */
async function readReturnsCents(tx: Tx, attemptId: string): Promise<number> {
  const returned = await tx
    .select({ amountCents: refunds.amountCents })
    .from(refunds)
    .innerJoin(returns, eq(returns.refundId, refunds.id))
    .where(eq(refunds.attemptId, attemptId))
  return sumBy(returned, ({ amountCents }) => amountCents)
}

/**
 * Refunds a part of a paid order's payment for the operator. Cancels nothing of the order. Throws a `NotFoundError` for
 * an unknown order, and a `ConflictError` when there is no payment or less than that is left of it.
 */
export async function refundPart(db: Db, jobs: Jobs, orderId: string, amountCents: number): Promise<void> {
  await jobs.transact(db, async (tx, sendJob) => {
    const order = await lockOrder(tx, orderId)
    const leftCents = (await readLeft(tx, order)) ?? 0
    if (amountCents > leftCents)
      throw new ConflictError(`At most $${plainDollars(leftCents)} of this payment can be refunded`)
    await requestPartRefund(tx, sendJob, order, amountCents, { isForReturn: false })
    await recordAudit(tx, { event: 'refund_wanted', outcome: 'ok', details: { orderId, amountCents } })
  })
}

/** What can still be refunded of a paid order, in cents; undefined for free orders and those refunded as a whole. */
export async function readLeft(db: Db | Tx, order: Order): Promise<number | undefined> {
  const attempt = await findPaidAttempt(db, order)
  return attempt && leftOf(await readMoney(db, attempt.id))
}

/** The attempt that paid a paid order; undefined for free orders and those that are refunded as a whole. */
async function findPaidAttempt(db: Db | Tx, { id, paymentStatus }: Order) {
  if (paymentStatus !== 'paid') return undefined
  const [attempt] = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, id), eq(paymentAttempts.status, 'succeeded')))
  return attempt
}
