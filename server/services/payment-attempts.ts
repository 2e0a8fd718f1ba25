import { randomBytes } from 'node:crypto'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { PaymentStatus } from '#contract/orders.ts'
import type { PaymentAttempt } from '#contract/payments.ts'
import type { Db, Tx } from '../db/open.ts'
import { type AttemptStatus, orders, paymentAttempts, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { Refusal } from '../errors.ts'
import { type PaymentProvider, PaymentUnavailable } from '../payments/provider.ts'
import { type Attempt, lockOrder, type Order } from './order-attempts.ts'
import { noSuchOrder } from './orders.ts'
import { mayAsk, type Till, tryAsking } from './payment-asking.ts'

const REFERENCE_BYTES = 16
const SECRET_BYTES = 24
/** What can still change, or turn out well after all. */
const UNDECIDED: AttemptStatus[] = ['open', 'processing', 'failed']
/** Of an order with many failed attempts, only these are asked about. */
const NEWEST = 3
const OPTIONS = 'card, mobilemoney, ussd'
const TITLE = 'Payment for Order'
const RESULT_PAGE = '/order/confirm'

const MESSAGES: Record<PaymentStatus, string> = {
  unpaid: 'Your order is not paid yet',
  processing: 'Your payment is being processed',
  paid: 'Your order is paid',
  refund_pending: 'Your money is on its way back to you',
  refunded: 'Your money was given back',
}
const UNREACHABLE = 'The payment provider cannot be reached right now. We will keep asking it'

/**
 * Begins to pay an order of the customer, or goes on with the attempt that is open. Refuses (404) what is not theirs,
 * (422) what is not to be paid any more, and (503) when there is no payment provider or it cannot be reached.
 */
export async function startPayment(till: Till, customerId: string, orderId: string): Promise<PaymentAttempt> {
  const { db, provider } = till
  if (!provider) throw new Refusal(503, 'This shop takes no payments yet')
  // What was paid in another tab must not be paid here once more.
  await askAboutOrder(till, customerId, orderId, ['open'])
  const { order, attempt } = await transact(db, tx => openAttempt(tx, provider, customerId, orderId))
  const [customer] = await db
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, customerId))
  if (!customer) throw noSuchOrder()
  const clientSecret = await begin(db, provider, attempt)
  const { reference, amountCents } = attempt
  const { addsSecret, ...opening } = provider.opening({ ...attempt, email: customer.email })
  return {
    provider: provider.name,
    ...opening,
    reference,
    clientSecret,
    amountCents,
    currency: 'USD',
    options: OPTIONS,
    customer: { ...customer, phone_number: order.destination?.phone ?? '' },
    title: TITLE,
    redirectUrl: addsSecret
      ? RESULT_PAGE
      : `${RESULT_PAGE}?payment_intent_client_secret=${encodeURIComponent(clientSecret)}`,
  }
}

/** What has become of an attempt of the customer. Refuses (404) any other. */
export async function getPayment(till: Till, customerId: string, clientSecret: string) {
  const { db } = till
  const find = async () => {
    const [found] = await db
      .select({ attempt: paymentAttempts })
      .from(paymentAttempts)
      .innerJoin(orders, eq(orders.id, paymentAttempts.orderId))
      .where(and(eq(paymentAttempts.clientSecret, clientSecret), eq(orders.userId, customerId)))
    if (!found) throw new Refusal(404, 'There is no such payment')
    return found.attempt
  }
  const attempt = await find()
  const { id, orderId, status } = attempt
  if (!UNDECIDED.includes(status) || !(await mayAsk(db, id))) return { status: told(status), orderId }
  await tryAsking(till, attempt)
  return { status: told((await find()).status), orderId }
}

/** Asks the provider about an order of the customer and answers where its payment stands. Refuses (404) any other. */
export async function confirmOrder(till: Till, customerId: string, orderId: string) {
  const isReached = await askAboutOrder(till, customerId, orderId, UNDECIDED)
  const { paymentStatus } = await findOrder(till.db, customerId, orderId)
  const message = isReached || paymentStatus !== 'unpaid' ? MESSAGES[paymentStatus] : UNREACHABLE
  return { message, paymentStatus }
}

async function askAboutOrder(
  till: Till,
  customerId: string,
  orderId: string,
  statuses: AttemptStatus[],
): Promise<boolean> {
  const { paymentStatus } = await findOrder(till.db, customerId, orderId)
  if (paymentStatus !== 'unpaid' && paymentStatus !== 'processing') return true
  const attempts = await till.db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), inArray(paymentAttempts.status, statuses)))
    .orderBy(desc(paymentAttempts.createdAt))
    .limit(NEWEST)
  const reached = await Promise.all(attempts.map(attempt => tryAsking(till, attempt)))
  return reached.every(Boolean)
}

async function findOrder(db: Db, customerId: string, orderId: string): Promise<Order> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.userId, customerId)))
  if (!order) throw noSuchOrder()
  return order
}

async function openAttempt(
  tx: Tx,
  provider: PaymentProvider,
  customerId: string,
  orderId: string,
): Promise<{ order: Order; attempt: Attempt }> {
  const order = await lockOrder(tx, orderId, customerId)
  if (!order) throw noSuchOrder()
  refuseSettled(order)
  const amountCents = order.priceCents
  const [open] = await tx
    .select()
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.orderId, orderId),
        eq(paymentAttempts.provider, provider.name),
        eq(paymentAttempts.status, 'open'),
        eq(paymentAttempts.amountCents, amountCents),
      ),
    )
    .orderBy(desc(paymentAttempts.createdAt))
    .limit(1)
  if (open) return { order, attempt: open }
  const [attempt] = await tx
    .insert(paymentAttempts)
    .values({
      orderId,
      provider: provider.name,
      reference: randomBytes(REFERENCE_BYTES).toString('hex'),
      clientSecret: randomBytes(SECRET_BYTES).toString('base64url'),
      amountCents,
    })
    .returning()
  return { order, attempt: attempt! }
}

function refuseSettled({ status, paymentStatus, heldUntil }: Order): void {
  if (paymentStatus === 'processing') throw new Refusal(422, 'A payment of this order is on its way')
  if (paymentStatus !== 'unpaid') throw new Refusal(422, 'This order is paid already')
  if (status === 'cancelled') throw new Refusal(422, 'This order is cancelled')
  if (!heldUntil || heldUntil <= new Date()) throw new Refusal(422, 'The time to pay this order is over')
}

/** Tells the provider of an attempt, unless it has answered its name before; the client secret is the answer. */
async function begin(db: Db, provider: PaymentProvider, attempt: Attempt): Promise<string> {
  if (attempt.providerId) return attempt.clientSecret
  try {
    const { providerId, clientSecret = attempt.clientSecret } = await provider.begin(attempt)
    if (providerId)
      await db.update(paymentAttempts).set({ providerId, clientSecret }).where(eq(paymentAttempts.id, attempt.id))
    return clientSecret
  } catch (error) {
    if (error instanceof PaymentUnavailable) throw new Refusal(503, 'The payment provider cannot be reached right now')
    throw error
  }
}

/** Money that goes back is a payment that did not succeed. */
function told(status: AttemptStatus): 'succeeded' | 'processing' | 'failed' | 'open' {
  return status === 'refund_pending' || status === 'refunded' ? 'failed' : status
}
