import { and, asc, eq, isNull } from 'drizzle-orm'
import type { OrderRefund, RefundTarget } from '#contract/parcels.ts'
import type { Db } from '../db/types.ts'
import { type orderSteps, paymentAttempts, type payments, refunds } from '../db/schema.ts'

type RecordedStep = typeof orderSteps.$inferSelect
type Payment = typeof payments.$inferSelect

/** The refunds of an order's payment and where they went, with the partial refunds that are still pending. */
export async function describeRefunds(
  db: Db,
  orderId: string,
  paid: Payment[],
  steps: RecordedStep[],
): Promise<OrderRefund[]> {
  const pending = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), isNull(refunds.paidAt)))
    .orderBy(asc(refunds.seq))
  if (paid.length === 0 && pending.length === 0) return []
  const attempts = await db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId))
  const providers = new Map(attempts.map(({ id, provider }) => [id, provider]))
  const byHand = refundedByHand(steps)
  const targetOf = (attemptId: string): RefundTarget => (providers.get(attemptId) === 'stripe' ? 'card' : 'payment')
  return [
    ...paid.map(payment => ({
      at: payment.createdAt.toISOString(),
      amountCents: payment.amountCents,
      to: byHand(payment) ? 'by_hand' : targetOf(payment.attemptId),
    })),
    ...pending.map(({ attemptId, amountCents }) => ({ amountCents, to: targetOf(attemptId) })),
  ] satisfies OrderRefund[]
}

/** Tells refunds that were made at the provider from those that the shop requested. */
function refundedByHand(steps: RecordedStep[]): (payment: Payment) => boolean {
  const named = new Set(
    steps.flatMap(({ step }) => {
      if (step.kind === 'returned') return [step.attemptId]
      return step.kind === 'part_returned' ? [step.refundId] : []
    }),
  )
  // A step names either a refund or, if what was left of a payment was refunded, the attempt.
  return ({ id, attemptId, refundId }) => named.has(id) || (refundId === null && named.has(attemptId))
}
