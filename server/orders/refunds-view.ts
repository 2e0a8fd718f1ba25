import { and, eq } from 'drizzle-orm'
import type { OrderRefund } from '#contract/parcels.ts'
import type { Db } from '../db/types.ts'
import { type orderSteps, payments, type refunds } from '../db/schema.ts'

type RecordedStep = typeof orderSteps.$inferSelect
type Payment = typeof payments.$inferSelect
type Refund = typeof refunds.$inferSelect

/** The paid and pending refunds of an order's payment, and where they go. */
export async function describeRefunds(
  db: Db,
  orderId: string,
  { paid, pending, steps }: { paid: Payment[]; pending: Refund[]; steps: RecordedStep[] },
): Promise<OrderRefund[]> {
  if (paid.length === 0 && pending.length === 0) return []
  const charges = await db
    .select({ attemptId: payments.attemptId, paidWith: payments.paidWith })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.kind, 'charge')))
  const paidWithByAttempt = new Map(charges.map(({ attemptId, paidWith }) => [attemptId, paidWith ?? undefined]))
  const byHand = refundedByHand(steps)
  const destinationOf = (attemptId: string) => {
    const paidWith = paidWithByAttempt.get(attemptId)
    return { to: paidWith?.kind === 'card' ? ('card' as const) : ('payment' as const), paidWith }
  }
  return [
    ...paid.map(payment => ({
      at: payment.createdAt.toISOString(),
      amountCents: payment.amountCents,
      ...destinationOf(payment.attemptId),
      ...(byHand(payment) && { to: 'by_hand' as const }),
    })),
    ...pending.map(({ attemptId, amountCents }) => ({ amountCents, ...destinationOf(attemptId) })),
  ]
}

/** Returns a function that tells refunds made at the provider from those that the shop requested. */
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
