import { and, count, eq, exists, gt, inArray, isNull, lt, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { orders, paymentAttempts, sellerOrders } from '../db/schema.ts'
import type { Attempt } from '../orders/attempt-rows.ts'
import { UNDECIDED } from '../orders/payment-states.ts'
import { isExpiredAt, releaseExpired, releaseIfExpired } from '../orders/cancelling.ts'
import { runAll, runForEach } from '../platform/run-all.ts'
import { isOwing, payRefunds } from './refund-paying.ts'
import { expireAttempt } from './settling.ts'
import { LOOKUPS_AT_ONCE, type PaymentContext } from './context.ts'
import { tolerateOutage } from './outages.ts'
import { trySyncing } from './syncing.ts'
import { CHECKED, checkCharge } from './charges.ts'

/** How long an attempt counts as recent, and its order may stay `processing`. */
const RECENT_HOURS = 48
/** Minimum time between two lookups of an attempt. */
const RECENT_INTERVAL_MINUTES = 4
/** The same for a recent attempt that is not processing, if its order no longer waits to be paid. */
const LATE_INTERVAL_HOURS = 1
const OLD_INTERVAL_HOURS = 24
/** Minimum time between charge checks of a recent order that is still to be shipped; `OLD_INTERVAL_HOURS` of others. */
const URGENT_INTERVAL_HOURS = 1
/** No provider settles a payment after this time. */
const MAX_DAYS = 30
const MAX_ATTEMPTS_PER_RUN = 500
/** About as many as there is time for in `CHECK_MS`. */
const MAX_CHECKS_PER_RUN = 2000
/** A run starts no lookup after this time, so that it ends before the next one, half a minute after it. */
const RELEASE_MS = 20_000
/** The same for urgent charge checks, then for the others, every five minutes. */
const CHECK_MS = 90_000

const isOld = lt(paymentAttempts.createdAt, sql`now() - make_interval(hours => ${RECENT_HOURS})`)
/** When a charge was last checked; at first, when its payment began. */
const checkedAt = sql`coalesce(${paymentAttempts.lookedUpAt}, ${paymentAttempts.createdAt})`

/**
 * Looks up unsettled attempts and pays requested refunds, because webhooks and jobs may be lost. Several processes may
 * do this at the same time. A failure does not stop the rest; all errors are thrown together at the end.
 */
export async function reconcile(paymentContext: PaymentContext, closing?: AbortSignal): Promise<void> {
  const works = [syncForgotten, expireUnsettled, payRefunds, warnOfForeignRefunds, checkPaid]
  await runAll(works.map(work => () => work(paymentContext, closing)))
}

async function syncForgotten(paymentContext: PaymentContext): Promise<void> {
  const { db, provider } = paymentContext
  if (!provider) return
  const { status, createdAt, lookedUpAt } = paymentAttempts
  const isWaiting = or(eq(status, 'processing'), eq(orders.status, 'pending'))
  const interval = sql`case when ${isOld} then make_interval(hours => ${OLD_INTERVAL_HOURS}) when ${isWaiting} then make_interval(mins => ${RECENT_INTERVAL_MINUTES}) else make_interval(hours => ${LATE_INTERVAL_HOURS}) end`
  const forgotten = await db
    .select({ attempt: paymentAttempts })
    .from(paymentAttempts)
    .innerJoin(orders, eq(orders.id, paymentAttempts.orderId))
    .where(
      and(
        eq(paymentAttempts.provider, provider.name),
        // Also failed ones: the customer may have tried again in the same modal.
        inArray(status, UNDECIDED),
        // Also old ones: the shop may have been closed, or the provider unreachable.
        gt(createdAt, sql`now() - make_interval(days => ${MAX_DAYS})`),
        or(isNull(lookedUpAt), lt(lookedUpAt, sql`now() - ${interval}`)),
      ),
    )
    // Processing ones first, then the most overdue: payment pages that were just opened do not displace older ones.
    .orderBy(ne(status, 'processing'), sql`coalesce(${lookedUpAt}, ${createdAt}) + ${interval}`)
    .limit(MAX_ATTEMPTS_PER_RUN)
  const sync = async ({ attempt }: { attempt: Attempt }) => {
    if (await trySyncing(paymentContext, attempt)) return
    // The lookup failed: reset `lookedUpAt`, or an old attempt would wait a day for the next one.
    await db.update(paymentAttempts).set({ lookedUpAt: attempt.lookedUpAt }).where(eq(paymentAttempts.id, attempt.id))
  }
  await runForEach(forgotten, sync, LOOKUPS_AT_ONCE)
}

/**
 * Cancels the orders whose time to pay is over, after a lookup at the provider: otherwise units of a paid order might
 * go to another customer. Does not wait for a provider that cannot be reached. Orders that need no lookup come first;
 * the others end one by one as they are looked up. When a slow provider or the end of the process leaves no time for a
 * lookup, the order waits for the next run.
 */
export async function releaseUnpaid(paymentContext: PaymentContext, closing?: AbortSignal): Promise<void> {
  const { db, jobs } = paymentContext
  const now = new Date()
  const unchecked = await readUnchecked(paymentContext, now)
  /** Missing lookups by order. */
  const missing = new Map<string, number>()
  for (const { orderId } of unchecked) missing.set(orderId, (missing.get(orderId) ?? 0) + 1)

  const lookUp = async (attempt: Attempt) => {
    const { orderId } = attempt
    try {
      await trySyncing(paymentContext, attempt)
    } finally {
      const left = missing.get(orderId)! - 1
      missing.set(orderId, left)
      if (left === 0) await releaseIfExpired(db, jobs, orderId, now)
    }
  }
  await runAll([
    () => releaseExpired(db, jobs, now, new Set(missing.keys())),
    () => runInTime(unchecked, lookUp, RELEASE_MS, closing),
  ])
}

/** The attempts that are to be looked up before their orders are released. */
async function readUnchecked({ db, provider }: PaymentContext, now: Date): Promise<Attempt[]> {
  if (!provider) return []
  const { status, orderId, lookedUpAt } = paymentAttempts
  // Each attempt once after the hold. Otherwise an order with more attempts than fit into a run would never be
  // released, nor would the orders behind it.
  const isUnchecked = or(isNull(lookedUpAt), lt(lookedUpAt, orders.heldUntil))
  const isOurs = eq(paymentAttempts.provider, provider.name)
  const expired = await db
    .select({ attempt: paymentAttempts })
    .from(orders)
    .innerJoin(paymentAttempts, eq(orderId, orders.id))
    .where(and(isExpiredAt(now), isOurs, inArray(status, UNDECIDED), isUnchecked))
    .orderBy(orders.heldUntil)
  return expired.map(({ attempt }) => attempt)
}

/** Does `work` for the items until the time is over or the process closes; what has started by then is finished. */
async function runInTime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  ms: number,
  closing: AbortSignal | undefined,
): Promise<void> {
  const deadline = Date.now() + ms
  const workInTime = async (item: Item) => {
    if (!closing?.aborted && Date.now() < deadline) await work(item)
  }
  await runForEach(items, workInTime, LOOKUPS_AT_ONCE)
}

/** Stops waiting for payments that their provider has not settled in time, or whose provider the shop does not use. */
async function expireUnsettled({ db, provider, log }: PaymentContext): Promise<void> {
  const { status, createdAt, lookedUpAt } = paymentAttempts
  const hasLateLookup = gt(lookedUpAt, sql`${createdAt} + make_interval(hours => ${RECENT_HOURS})`)
  const isForeign = ne(paymentAttempts.provider, provider?.name ?? '')
  const unsettled = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(status, 'processing'), isOld, or(isForeign, hasLateLookup)))
    .orderBy(createdAt)
    .limit(MAX_ATTEMPTS_PER_RUN)
  await runForEach(unsettled, async ({ id: attemptId, orderId, provider, reference }) => {
    if (await expireAttempt(db, attemptId))
      log.warn(
        { orderId, attemptId, provider, reference },
        'a payment was not settled in time, and its order no longer waits for it: look it up at its provider',
      )
  })
}

/**
 * Looks for money that was returned without a webhook, and for refunds that came back: hourly for recent orders still
 * to be shipped, because goods must not leave without their money, then daily for all. Both have their own time, so
 * that neither waits for the other for good.
 */
async function checkPaid(paymentContext: PaymentContext, closing?: AbortSignal): Promise<void> {
  const unshipped = paymentContext.db
    .select({ id: sellerOrders.id })
    .from(sellerOrders)
    .where(and(eq(sellerOrders.orderId, paymentAttempts.orderId), eq(sellerOrders.deliveryStatus, 'Processing')))
  const isUrgent = and(not(isOld), exists(unshipped))
  const { createdAt } = paymentAttempts
  const earliest = sql`now() - make_interval(days => ${MAX_DAYS})`
  // The first condition and the interval imply the others, but `payment_attempts_checks` serves only a query that has
  // all three, and lists no older charges before those that are due.
  const isDaily = and(
    gt(createdAt, earliest),
    sql`${checkedAt} - ${createdAt} < interval '${sql.raw(String(MAX_DAYS - 1))} days'`,
    gt(checkedAt, earliest),
  )
  await runAll([
    () => checkOverdue(paymentContext, URGENT_INTERVAL_HOURS, isUrgent, closing),
    () => checkOverdue(paymentContext, OLD_INTERVAL_HOURS, isDaily, closing),
  ])
}

/** Checks the charges of the attempts that match, the most overdue first; what does not fit waits for the next run. */
async function checkOverdue(
  paymentContext: PaymentContext,
  intervalHours: number,
  isMatch: SQL | undefined,
  closing: AbortSignal | undefined,
): Promise<void> {
  const { db, provider } = paymentContext
  if (!provider) return
  const overdue = await db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.provider, provider.name),
        inArray(paymentAttempts.status, CHECKED),
        lt(checkedAt, sql`now() - make_interval(hours => ${intervalHours})`),
        isMatch,
      ),
    )
    .orderBy(checkedAt)
    .limit(MAX_CHECKS_PER_RUN)
  const check = async ({ id }: { id: string }) => {
    const isChecked = await tolerateOutage(paymentContext, id, () => checkCharge(paymentContext, id))
    if (!isChecked) return
    await db
      .update(paymentAttempts)
      .set({ lookedUpAt: sql`now()` })
      .where(eq(paymentAttempts.id, id))
  }
  await runInTime(overdue, check, CHECK_MS, closing)
}

/** Warns of refunds that only a shop with another payment provider can pay. */
async function warnOfForeignRefunds({ db, provider, log }: PaymentContext): Promise<void> {
  const owing = await db
    .select({ provider: paymentAttempts.provider, count: count() })
    .from(paymentAttempts)
    .where(and(isOwing(db), ne(paymentAttempts.provider, provider?.name ?? '')))
    .groupBy(paymentAttempts.provider)
  for (const owed of owing) log.warn(owed, 'refunds wait until their payment provider is configured again')
}
