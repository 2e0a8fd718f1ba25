import { and, count, eq, exists, gt, inArray, isNull, lt, ne, not, notExists, or, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { orders, paymentAttempts, payments, sellerOrders } from '../db/schema.ts'
import { type PaymentProvider, PaymentUnavailableError } from './providers/provider.ts'
import { UNDECIDED } from './attempt-rows.ts'
import { isExpiredAt, releaseExpired } from '../orders/cancelling.ts'
import { settleRefund } from './refunding.ts'
import { expireAttempt } from './settling.ts'
import type { PaymentContext } from './context.ts'
import { trySyncing } from './syncing.ts'
import { checkCharge } from './returns.ts'

/** So long a payment is asked about often, and its order says that one is on its way. */
const OFTEN_HOURS = 48
const REST_MINUTES = 4
/** After this long no provider settles a payment any more. */
const LONGEST_DAYS = 30
const LATER_REST_HOURS = 24
/** So long the money of a paid order is not looked for again at first. */
const CHECK_REST_HOURS = 1
/** Longer than a provider takes to answer. */
const REFUND_REST_SECONDS = 60
const AT_ONCE = 4
const MOST = 500
/** With what is being asked by then, it is over before a shop that closes would be ended. */
const LONGEST_ASKING_MS = 3000

const isOld = lt(paymentAttempts.createdAt, sql`now() - make_interval(hours => ${OFTEN_HOURS})`)

/**
 * Asks the provider about attempts of which nothing was heard, and gives back what is owed: webhooks and jobs may be
 * lost. Several may do this at the same time. What fails does not keep the rest; the errors are thrown at the end.
 */
export async function reconcile(paymentContext: PaymentContext): Promise<void> {
  const works = [syncForgotten, expireUnsettled, payRefunds, tellOfForeignRefunds, checkPaid]
  await atOnce(works, work => work(paymentContext), 1)
}

async function syncForgotten(paymentContext: PaymentContext): Promise<void> {
  const { db, provider } = paymentContext
  if (!provider) return
  const { status, createdAt, askedAt } = paymentAttempts
  const rest = sql`case when ${isOld} then make_interval(hours => ${LATER_REST_HOURS}) else make_interval(mins => ${REST_MINUTES}) end`
  const forgotten = await db
    .select()
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.provider, provider.name),
        // Also one that failed: its customer may have tried once more in the same modal.
        inArray(status, UNDECIDED),
        // Also one that is old: the shop was closed perhaps, or the provider away.
        gt(createdAt, sql`now() - make_interval(days => ${LONGEST_DAYS})`),
        or(isNull(askedAt), lt(askedAt, sql`now() - ${rest}`)),
      ),
    )
    .orderBy(isOld, sql`${askedAt} nulls first`)
    .limit(MOST)
  await atOnce(forgotten, async attempt => {
    if (await trySyncing(paymentContext, attempt)) return
    // Not asked, it does not rest: what is old would do so for a day.
    await db.update(paymentAttempts).set({ askedAt: attempt.askedAt }).where(eq(paymentAttempts.id, attempt.id))
  })
}

/**
 * Cancels the orders that were not paid in time, but not before the provider is asked: they may be, and their units would
 * go to somebody else. A provider that cannot be asked is not waited for; of one that is slow, some orders wait until the
 * next time.
 */
export async function releaseUnpaid(paymentContext: PaymentContext): Promise<void> {
  const now = new Date()
  const unasked = new Set<string>()
  try {
    await syncExpired(paymentContext, now, unasked)
  } finally {
    await releaseExpired(paymentContext.db, paymentContext.jobs, now, unasked)
  }
}

/** Adds the orders to `unasked` for which there is no time left. */
async function syncExpired(paymentContext: PaymentContext, now: Date, unasked: Set<string>): Promise<void> {
  const { db, provider } = paymentContext
  if (!provider) return
  const { status, orderId } = paymentAttempts
  const expired = await db
    .select({ attempt: paymentAttempts })
    .from(orders)
    .innerJoin(paymentAttempts, eq(orderId, orders.id))
    .where(and(isExpiredAt(now), eq(paymentAttempts.provider, provider.name), inArray(status, UNDECIDED)))
    .orderBy(orders.heldUntil)
  const enough = Date.now() + LONGEST_ASKING_MS
  await atOnce(expired, async ({ attempt }) => {
    if (Date.now() < enough) await trySyncing(paymentContext, attempt)
    else unasked.add(attempt.orderId)
  })
}

/** Payments that their provider does not settle, or that nobody can be asked about, let their orders go on. */
async function expireUnsettled({ db, provider, log }: PaymentContext): Promise<void> {
  const { status, createdAt, askedAt } = paymentAttempts
  const isAskedOld = gt(askedAt, sql`${createdAt} + make_interval(hours => ${OFTEN_HOURS})`)
  const isForeign = ne(paymentAttempts.provider, provider?.name ?? '')
  const unsettled = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(status, 'processing'), isOld, or(isForeign, isAskedOld)))
    .orderBy(createdAt)
    .limit(MOST)
  await atOnce(unsettled, async ({ id: attemptId, orderId, provider, reference }) => {
    if (await expireAttempt(db, attemptId))
      log.warn(
        { orderId, attemptId, provider, reference },
        'a payment is never settled: its order waits for it no longer, look it up at its provider',
      )
  })
}

/**
 * Looks for money that has gone back without a webhook: hourly while there is something to ship without it, daily
 * otherwise. What there is no time for is asked about first the next time, orders still to be shipped before others.
 */
async function checkPaid(paymentContext: PaymentContext): Promise<void> {
  const { db, provider, log } = paymentContext
  if (!provider) return
  const { status, createdAt, askedAt } = paymentAttempts
  const unshipped = db
    .select({ id: sellerOrders.id })
    .from(sellerOrders)
    .where(and(eq(sellerOrders.orderId, paymentAttempts.orderId), eq(sellerOrders.deliveryStatus, 'Processing')))
  const isUrgent = and(not(isOld), exists(unshipped))
  const rest = sql`make_interval(hours => case when ${isUrgent} then ${CHECK_REST_HOURS}::int else ${LATER_REST_HOURS}::int end)`
  const paid = await db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.provider, provider.name),
        eq(status, 'succeeded'),
        gt(createdAt, sql`now() - make_interval(days => ${LONGEST_DAYS})`),
        or(isNull(askedAt), lt(askedAt, sql`now() - ${rest}`)),
      ),
    )
    .orderBy(notExists(unshipped), sql`${askedAt} nulls first`)
    .limit(MOST)
  const enough = Date.now() + LONGEST_ASKING_MS
  await atOnce(paid, async ({ id }) => {
    if (Date.now() >= enough) return
    try {
      await checkCharge(paymentContext, id)
    } catch (error) {
      if (!(error instanceof PaymentUnavailableError)) throw error
      log.warn({ err: error, attemptId: id }, 'the payment provider could not be asked')
    }
  })
}

/** Money that another provider has taken can be given back only by a shop with that provider. */
async function tellOfForeignRefunds({ db, provider, log }: PaymentContext): Promise<void> {
  const owing = await db
    .select({ provider: paymentAttempts.provider, count: count() })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.status, 'refund_pending'), ne(paymentAttempts.provider, provider?.name ?? '')))
    .groupBy(paymentAttempts.provider)
  for (const owed of owing) log.warn(owed, 'refunds wait until their payment provider is configured again')
}

/** Gives back the money of every attempt that is owed, so far as the provider can be asked. */
export async function payRefunds(paymentContext: PaymentContext): Promise<void> {
  const { db, provider, log } = paymentContext
  if (!provider) return
  const owed = await db.select({ id: paymentAttempts.id }).from(paymentAttempts).where(isOwedBy(provider)).limit(MOST)
  await atOnce(owed, async ({ id }) => {
    try {
      await payRefund(paymentContext, id)
    } catch (error) {
      if (!(error instanceof PaymentUnavailableError)) throw error
      log.warn({ err: error, attemptId: id }, 'a refund has to wait')
    }
  })
}

/**
 * Gives back the money of one attempt if it is owed and nobody else is at it. Rejects with `PaymentUnavailable` when that
 * must wait.
 */
export async function payRefund({ db, jobs, provider }: PaymentContext, attemptId: string): Promise<void> {
  if (!provider) return
  const [attempt] = await db
    .update(paymentAttempts)
    .set({ refundAskedAt: sql`now()` })
    .where(and(eq(paymentAttempts.id, attemptId), isOwedBy(provider)))
    .returning()
  if (!attempt) return
  const [charge] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.attemptId, attemptId), eq(payments.kind, 'charge')))
  if (!charge) throw new Error(`attempt ${attemptId} was never charged`)
  const state = await provider.refund({ ...attempt, amountCents: charge.amountCents })
  if (state === 'refunded') await settleRefund(db, jobs, attemptId)
}

/** Not all providers know a refund that they are asked for twice at the same time. */
function isOwedBy({ name }: PaymentProvider) {
  const { status, provider, refundAskedAt } = paymentAttempts
  const before = sql`now() - make_interval(secs => ${REFUND_REST_SECONDS})`
  return and(eq(status, 'refund_pending'), eq(provider, name), or(isNull(refundAskedAt), lt(refundAskedAt, before)))
}

/** Does the work for all of them, so many at once; what fails is thrown at the end. */
async function atOnce<Each>(all: Each[], work: (each: Each) => Promise<unknown>, most = AT_ONCE): Promise<void> {
  const limit = pLimit(most)
  const done = await Promise.allSettled(all.map(each => limit(() => work(each))))
  const failures = done.flatMap(each => (each.status === 'rejected' ? [each.reason as unknown] : []))
  if (failures.length > 0)
    throw new AggregateError(failures, `looking after payments: ${failures.length} of ${all.length} failed`)
}
