import { eq, sql } from 'drizzle-orm'
import type { PaymentStatus } from '#contract/orders.ts'
import { prepared } from '../db/prepared.ts'
import type { Tx } from '../db/types.ts'
import { type AttemptStatus, orders, paymentAttempts } from '../db/schema.ts'

/** What may follow each status of an attempt. */
export const ATTEMPT_TRANSITIONS: Record<AttemptStatus, readonly AttemptStatus[]> = {
  open: ['processing', 'failed', 'succeeded', 'refund_pending'],
  processing: ['failed', 'lapsed', 'succeeded', 'refund_pending'],
  // Money may still arrive after a failure, or after the shop has stopped waiting.
  failed: ['processing', 'succeeded', 'refund_pending'],
  lapsed: ['failed', 'succeeded', 'refund_pending'],
  succeeded: ['refund_pending'],
  refund_pending: ['refunded'],
  refunded: [],
}

/** What may follow each payment status of an order. No paid order becomes unpaid. */
export const PAYMENT_TRANSITIONS: Record<PaymentStatus, readonly PaymentStatus[]> = {
  // `refund_pending`: the money came after the order was cancelled.
  unpaid: ['processing', 'paid', 'refund_pending'],
  processing: ['unpaid', 'paid', 'refund_pending'],
  // `refunded`: a free order has nothing to pay back.
  paid: ['refund_pending', 'refunded'],
  refund_pending: ['refunded'],
  refunded: [],
}

/** Statuses of attempts that may still be paid. */
export const UNDECIDED: AttemptStatus[] = statusesBefore(ATTEMPT_TRANSITIONS, 'succeeded')

/** Payment statuses of orders that may still be paid. */
export const PAYABLE: PaymentStatus[] = statusesBefore(PAYMENT_TRANSITIONS, 'paid')

/** Whether the payment of an order is refunded as a whole, or will be. */
export function isRefunded({ paymentStatus }: { paymentStatus: PaymentStatus }): boolean {
  return paymentStatus === 'refund_pending' || paymentStatus === 'refunded'
}

const attemptChanged = prepared(db =>
  db
    .update(paymentAttempts)
    .set({ status: sql`${sql.placeholder('status')}`, providerId: sql`${sql.placeholder('providerId')}` })
    .where(eq(paymentAttempts.id, sql.placeholder('id')))
    .prepare('attempt_changed'),
)

/**
 * Sets the status of an attempt that the caller has locked, and stores its `providerId`. Throws an Error for a
 * transition that is not listed.
 */
export async function setAttempt(
  tx: Tx,
  { id, status: from, providerId }: Pick<typeof paymentAttempts.$inferSelect, 'id' | 'status' | 'providerId'>,
  status: AttemptStatus,
): Promise<void> {
  requireTransition(ATTEMPT_TRANSITIONS, from, status)
  await attemptChanged(tx).execute({ id, status, providerId })
}

/**
 * Sets the payment status of an order that the caller has locked, and when its units are released. Throws an Error for
 * a transition that is not listed.
 */
export async function setPaymentStatus(
  tx: Tx,
  { id, paymentStatus: from }: Pick<typeof orders.$inferSelect, 'id' | 'paymentStatus'>,
  paymentStatus: PaymentStatus,
  held: { heldUntil?: Date | null } = {},
): Promise<void> {
  if (from !== paymentStatus) requireTransition(PAYMENT_TRANSITIONS, from, paymentStatus)
  await tx
    .update(orders)
    .set({ paymentStatus, ...held })
    .where(eq(orders.id, id))
}

function requireTransition<Status extends string>(
  transitions: Record<Status, readonly Status[]>,
  from: Status,
  to: Status,
): void {
  if (!transitions[from].includes(to)) throw new Error(`a payment does not go from ${from} to ${to}`)
}

function statusesBefore<Status extends string>(transitions: Record<Status, readonly Status[]>, to: Status): Status[] {
  return (Object.keys(transitions) as Status[]).filter(status => transitions[status].includes(to))
}
