import { and, desc, eq, sql } from 'drizzle-orm'
import type { PaymentStatus } from '#contract/orders.ts'
import { isAnyOf, prepared } from '../db/prepared.ts'
import type { Db } from '../db/types.ts'
import { type AttemptStatus, orders, paymentAttempts, payments } from '../db/schema.ts'
import { PAYABLE, UNDECIDED } from '../orders/payment-states.ts'
import { noSuchOrder } from '../orders/attempt-rows.ts'
import { NotFoundError, UnavailableError } from '../platform/errors.ts'
import type { PaymentContext } from './context.ts'
import { claimLookup, trySyncing } from './syncing.ts'

/** Of an order with many failed attempts, only the newest are looked up at the provider. */
const MAX_LOOKUPS = 3

const MESSAGES: Record<PaymentStatus, string> = {
  unpaid: 'Your order is not paid yet',
  processing: 'Your payment is being processed',
  paid: 'Your order is paid',
  refund_pending: 'Your refund is on its way',
  refunded: 'Your payment was refunded',
}
const UNREACHABLE = 'The payment provider cannot be reached right now. We will keep trying'

/**
 * Status of a customer's payment attempt. Throws a `NotFoundError` for an unknown attempt or another customer's, and an
 * `UnavailableError` when the provider cannot be reached.
 */
export async function getPayment(paymentContext: PaymentContext, customerId: string, clientSecret: string) {
  const { db } = paymentContext
  const find = async () => {
    const [found] = await db
      .select({ attempt: paymentAttempts })
      .from(paymentAttempts)
      .innerJoin(orders, eq(orders.id, paymentAttempts.orderId))
      .where(and(eq(paymentAttempts.clientSecret, clientSecret), eq(orders.userId, customerId)))
    if (!found) throw new NotFoundError('There is no such payment')
    return found.attempt
  }
  const attempt = await find()
  const { id, orderId, status } = attempt
  if (!UNDECIDED.includes(status) || !(await claimLookup(db, id))) return { status: publicStatus(status), orderId }
  if (!(await trySyncing(paymentContext, attempt))) throw new UnavailableError(UNREACHABLE)
  return { status: publicStatus((await find()).status), orderId }
}

/**
 * Looks up an order's payment at the provider and returns its status with a message. Throws a `NotFoundError` for an
 * unknown order or another customer's.
 */
export async function confirmOrder(paymentContext: PaymentContext, customerId: string, orderId: string) {
  const isReached = await syncOrderPayment(paymentContext, customerId, orderId, UNDECIDED)
  const [order] = await paymentContext.db
    .select({ paymentStatus: orders.paymentStatus })
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.userId, customerId)))
  if (!order) throw noSuchOrder()
  const { paymentStatus } = order
  const message = isReached || paymentStatus !== 'unpaid' ? MESSAGES[paymentStatus] : UNREACHABLE
  return { message, paymentStatus }
}

const newestAttempts = prepared(db =>
  db
    .select({ paymentStatus: orders.paymentStatus, attempt: paymentAttempts })
    .from(orders)
    .leftJoin(paymentAttempts, and(eq(paymentAttempts.orderId, orders.id), isAnyOf(paymentAttempts.status, 'statuses')))
    .where(and(eq(orders.id, sql.placeholder('orderId')), eq(orders.userId, sql.placeholder('customerId'))))
    .orderBy(desc(paymentAttempts.createdAt), desc(paymentAttempts.id))
    .limit(MAX_LOOKUPS)
    .prepare('newest_attempts'),
)

/**
 * Looks up the order's newest attempts that have one of `statuses`; returns false when the provider cannot be reached.
 * Throws a `NotFoundError` for an unknown order or another customer's.
 */
export async function syncOrderPayment(
  paymentContext: PaymentContext,
  customerId: string,
  orderId: string,
  statuses: AttemptStatus[],
): Promise<boolean> {
  const rows = await newestAttempts(paymentContext.db).execute({ orderId, customerId, statuses })
  const [first] = rows
  if (!first) throw noSuchOrder()
  if (!PAYABLE.includes(first.paymentStatus)) return true
  const attempts = rows.map(({ attempt }) => attempt).filter(attempt => attempt !== null)
  const reached = await Promise.all(attempts.map(attempt => trySyncing(paymentContext, attempt)))
  return reached.every(Boolean)
}

/** All attempts to pay an order with their charges, oldest first. */
export async function listAttempts(db: Db, orderId: string) {
  return db
    .select({ attempt: paymentAttempts, charge: payments })
    .from(paymentAttempts)
    .leftJoin(payments, and(eq(payments.attemptId, paymentAttempts.id), eq(payments.kind, 'charge')))
    .where(eq(paymentAttempts.orderId, orderId))
    .orderBy(paymentAttempts.createdAt, paymentAttempts.id)
}

/**
 * Maps to the contract's statuses: whether a refund has arrived or a late payment is still awaited is the order's
 * status, not the attempt's.
 */
function publicStatus(status: AttemptStatus): Exclude<AttemptStatus, 'refund_pending' | 'lapsed'> {
  if (status === 'lapsed') return 'processing'
  return status === 'refund_pending' ? 'refunded' : status
}
