import { randomBytes } from 'node:crypto'
import { and, count, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { resultPath } from '#contract/page-urls.ts'
import type { PaymentAttempt } from '#contract/payments.ts'
import { MAX_FAILED_PAYMENTS } from '#contract/rules.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { orders, paymentAttempts } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ConflictError, UnavailableError } from '../platform/errors.ts'
import { passFailpoint } from '../platform/failpoints.ts'
import type { SignedIn } from '../platform/signed-in.ts'
import { dollars } from '../platform/usd.ts'
import { type Attempt, lockOrder, type Order } from '../orders/attempt-rows.ts'
import { type PaymentProvider, PaymentUnavailableError } from './providers/payment-provider.ts'
import type { PaymentContext } from './context.ts'
import { syncOrderPayment } from './attempts.ts'

const REFERENCE_BYTES = 16
const SECRET_BYTES = 24
const OPTIONS = 'card, mobilemoney, ussd'
const TITLE = 'Payment for Order'

/**
 * Starts to pay an order, or continues its open attempt. Throws a `NotFoundError` for an unknown order or another
 * customer's, a `ConflictError` for an order that can no longer be paid or after `MAX_FAILED_PAYMENTS`, and an
 * `UnavailableError` when the shop has no payment provider or cannot reach it.
 */
export async function startPayment(
  paymentContext: PaymentContext,
  { id: customerId, name, email }: Omit<SignedIn, 'sessionId'>,
  orderId: string,
): Promise<PaymentAttempt> {
  const { db, provider } = paymentContext
  if (!provider) throw new UnavailableError('This shop takes no payments yet')
  // The customer may have paid in another tab; avoid a second payment.
  await syncOrderPayment(paymentContext, customerId, orderId, ['open'])
  const { order, attempt } = await transact(db, tx => openAttempt(tx, provider, customerId, orderId))
  const clientSecret = await registerAttempt(db, provider, attempt)
  const { reference, amountCents } = attempt
  const { addsSecret, ...checkout } = provider.checkoutOptions({ ...attempt, email })
  return {
    provider: provider.name,
    ...checkout,
    reference,
    clientSecret,
    amountCents,
    currency: 'USD',
    options: OPTIONS,
    customer: { name, email, phone_number: order.destination?.phone ?? '' },
    title: TITLE,
    redirectUrl: addsSecret ? resultPath() : resultPath(clientSecret),
  }
}

const openAttempts = prepared(db =>
  db
    .select()
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.orderId, sql.placeholder('orderId')),
        eq(paymentAttempts.provider, sql.placeholder('provider')),
        eq(paymentAttempts.status, 'open'),
        eq(paymentAttempts.amountCents, sql.placeholder('amountCents')),
      ),
    )
    .orderBy(desc(paymentAttempts.createdAt), desc(paymentAttempts.id))
    .limit(1)
    .prepare('open_attempts'),
)

const attemptAdded = prepared(db =>
  db
    .insert(paymentAttempts)
    .values({
      id: sql.placeholder('id'),
      orderId: sql.placeholder('orderId'),
      provider: sql.placeholder('provider'),
      reference: sql.placeholder('reference'),
      clientSecret: sql.placeholder('clientSecret'),
      amountCents: sql.placeholder('amountCents'),
    })
    .returning()
    .prepare('attempt_added'),
)

async function openAttempt(
  tx: Tx,
  provider: PaymentProvider,
  customerId: string,
  orderId: string,
): Promise<{ order: Order; attempt: Attempt }> {
  const order = await lockOrder(tx, orderId, customerId)
  requirePayable(order)
  const amountCents = order.priceCents
  const { minimumCents = 0 } = provider
  if (amountCents < minimumCents)
    throw new ConflictError(`Payments of less than ${dollars(minimumCents)} cannot be taken here`)
  const payment = { orderId, provider: provider.name, amountCents }
  const [open] = await openAttempts(tx).execute(payment)
  if (open) return { order, attempt: open }
  await requireFewFailures(tx, customerId)
  const [attempt] = await attemptAdded(tx).execute({
    ...payment,
    id: v7(),
    reference: randomBytes(REFERENCE_BYTES).toString('hex'),
    clientSecret: randomBytes(SECRET_BYTES).toString('base64url'),
  })
  return { order, attempt: attempt! }
}

/** Throws a `ConflictError` for a customer who may be trying out stolen cards, whichever orders they are for. */
async function requireFewFailures(tx: Tx, customerId: string): Promise<void> {
  const [failed] = await tx
    .select({ count: count() })
    .from(paymentAttempts)
    .innerJoin(orders, eq(orders.id, paymentAttempts.orderId))
    .where(
      and(
        eq(orders.userId, customerId),
        eq(paymentAttempts.status, 'failed'),
        isNotNull(paymentAttempts.providerId),
        gt(paymentAttempts.createdAt, sql`now() - interval '24 hours'`),
      ),
    )
  if (failed && failed.count >= MAX_FAILED_PAYMENTS)
    throw new ConflictError('Too many of your payments have failed. Please try again tomorrow')
}

function requirePayable({ status, paymentStatus, heldUntil }: Order): void {
  if (paymentStatus === 'processing') throw new ConflictError('A payment for this order is on its way')
  if (paymentStatus !== 'unpaid') throw new ConflictError('This order is already paid')
  if (status === 'cancelled') throw new ConflictError('This order is cancelled')
  if (!heldUntil || heldUntil <= new Date()) throw new ConflictError('The time to pay for this order is over')
}

/** Registers an attempt with the provider, unless it has the provider's id already; returns the client secret. */
async function registerAttempt(db: Db, provider: PaymentProvider, attempt: Attempt): Promise<string> {
  if (attempt.providerId) return attempt.clientSecret
  try {
    const { providerId, clientSecret = attempt.clientSecret } = await provider.createPayment(attempt)
    if (providerId)
      await db.update(paymentAttempts).set({ providerId, clientSecret }).where(eq(paymentAttempts.id, attempt.id))
    passFailpoint('createPayment:committed')
    return clientSecret
  } catch (error) {
    if (!(error instanceof PaymentUnavailableError)) throw error
    await endUnregistered(db, attempt)
    throw new UnavailableError('The payment provider cannot be reached right now')
  }
}

/**
 * Ends an attempt that the provider did not register, so that the next try is another one: Stripe repeats its first
 * response to the same key for a day, even an error (https://docs.stripe.com/api/idempotent_requests).
 */
async function endUnregistered(db: Db, { id }: Attempt): Promise<void> {
  const isUnregistered = and(eq(paymentAttempts.status, 'open'), isNull(paymentAttempts.providerId))
  await db
    .update(paymentAttempts)
    .set({ status: 'failed' })
    .where(and(eq(paymentAttempts.id, id), isUnregistered))
}
