import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Account } from '#contract/account.ts'
import type { ReturnStatus } from '#contract/returns.ts'
import { DAY_MS, DELETION_DAYS, endOfDay } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { orders, parcels, returns, sellerOrders, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import type { Jobs } from '../platform/jobs.ts'
import { deletionLetter } from '../mail/account-letters.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { DeletionMail } from '../platform/job-data.ts'
import { lockCustomer } from './customers.ts'
import type { Sessions } from './sessions.ts'
import { invalidToken } from './tokens.ts'

interface Services {
  db: Db
  sessions: Sessions
  jobs: Jobs
}

/** Statuses that a deadline, the shop or the operator will end. Returns in other statuses may never change again. */
export const RETURNS_UNDER_WAY: ReturnStatus[] = ['requested', 'approved', 'sent_back', 'unconfirmed', 'escalated']
/** The operator decides an unanswered return when the day of the deletion has come (`moveDueReturns`). */
const RETURNS_TO_WAIT_FOR: ReturnStatus[] = [...RETURNS_UNDER_WAY, 'unanswered']

interface OpenOrders {
  /** Parts of orders. */
  toShip: number
  /** Parts of paid orders with parcels that have not arrived. Refunded parcels may be lost: nobody waits for them. */
  onTheWay: number
  /** Parts of orders whose payment is processing. */
  processing: number
  /** Returns that are under way. */
  returning: number
}

/** Counts what a customer's account has to wait for before it is erased. */
export async function countOpenOrders(db: Db | Tx, userId: string): Promise<OpenOrders> {
  const isOwn = eq(orders.userId, userId)
  const [open] = await db
    .select({
      toShip: sql<number>`count(*) filter (where ${sellerOrders.deliveryStatus} = 'Processing')::int`,
      onTheWay: sql<number>`count(*) filter (where ${isOnTheWay()})::int`,
      processing: sql<number>`count(*) filter (where ${orders.paymentStatus} = 'processing')::int`,
    })
    .from(orders)
    .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
    .where(isOwn)
  const [found] = await db
    .select({ returning: count() })
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .where(and(isOwn, inArray(returns.status, RETURNS_TO_WAIT_FOR)))
  return { toShip: 0, onTheWay: 0, processing: 0, ...open, returning: found?.returning ?? 0 }
}

function isOnTheWay() {
  return sql`${orders.paymentStatus} = 'paid' and exists (
    select from ${parcels} where ${parcels.sellerOrderId} = ${sellerOrders.id} and ${parcels.status} = 'sent'
  )`
}

/** Whether an account has to wait for orders or returns. */
export async function hasOpenOrders(db: Db | Tx, userId: string): Promise<boolean> {
  return Object.values(await countOpenOrders(db, userId)).some(openCount => openCount > 0)
}

/** When an account will be erased, for the customer. It waits for open orders and returns. */
export async function describeDeletion(
  db: Db | Tx,
  userId: string,
  eraseAt: Date,
): Promise<NonNullable<Account['deletion']>> {
  return { at: eraseAt.toISOString(), waitsForOrders: await hasOpenOrders(db, userId) }
}

/**
 * Schedules the deletion of the account for the end of the day in `DELETION_DAYS` days, or keeps the date of an earlier
 * request. Mails the date to the customer's confirmed address and ends all their sessions.
 */
export async function requestDeletion(
  { db, sessions, jobs }: Services,
  userId: string,
  origin: RequestOrigin,
): Promise<NonNullable<Account['deletion']>> {
  return jobs.transact(db, async (tx, sendJob) => {
    await lockCustomer(tx, userId)
    const scheduledFor = new Date(endOfDay(Date.now() + DELETION_DAYS * DAY_MS))
    const [user] = await tx
      .update(users)
      .set({ eraseAt: sql`coalesce(${users.eraseAt}, ${scheduledFor.toISOString()}::timestamptz)` })
      .where(eq(users.id, userId))
      .returning({ email: users.email, eraseAt: users.eraseAt, confirmedAt: users.emailConfirmedAt })
    if (!user?.eraseAt) throw invalidToken()
    const deletion = await describeDeletion(tx, userId, user.eraseAt)
    await sessions.revokeAll(userId, { tx })
    if (user.confirmedAt) await sendJob('deletionMail', { email: user.email, ...deletion })
    await recordAudit(tx, { event: 'deletion_requested', outcome: 'ok', actorId: userId, ...origin })
    return deletion
  })
}

/** Cancels the deletion, if one was requested. */
export async function cancelDeletion(db: Db, userId: string, origin: RequestOrigin): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    await tx.update(users).set({ eraseAt: null }).where(eq(users.id, userId))
    await recordAudit(tx, { event: 'deletion_cancelled', outcome: 'ok', actorId: userId, ...origin })
  })
}

/** Mails when the account is deleted; sends nothing if its customer has decided to keep it in the meantime. */
export async function mailDeletion(
  { db, mail, publicUrl }: { db: Db; mail: Mailer; publicUrl: string },
  about: DeletionMail,
): Promise<void> {
  const isScheduled = and(eq(users.email, about.email), isNotNull(users.eraseAt))
  if ((await db.$count(users, isScheduled)) === 0) return
  await mail.send({ to: about.email, ...deletionLetter({ ...about, publicUrl }) })
}
