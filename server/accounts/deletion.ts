import { eq, sql } from 'drizzle-orm'
import type { Account } from '#contract/account.ts'
import { DAY_MS, DELETION_DAYS } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { orders, sellerOrders, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import type { Jobs } from '../platform/jobs.ts'
import { lockCustomer } from './customers.ts'
import type { Sessions } from './sessions.ts'
import { invalidToken } from './tokens.ts'

interface Services {
  db: Db
  sessions: Sessions
  jobs: Jobs
}

/** Counts the parts of a customer's orders that must still be shipped, and those whose payment is processing. */
export async function countOpenOrders(db: Db | Tx, userId: string): Promise<{ toShip: number; processing: number }> {
  const [open] = await db
    .select({
      toShip: sql<number>`count(*) filter (where ${sellerOrders.deliveryStatus} = 'Processing')::int`,
      processing: sql<number>`count(*) filter (where ${orders.paymentStatus} = 'processing')::int`,
    })
    .from(orders)
    .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
    .where(eq(orders.userId, userId))
  return open ?? { toShip: 0, processing: 0 }
}

/** When an account will be erased, for the customer. It waits for orders to be shipped or their payments to end. */
export async function describeDeletion(
  db: Db | Tx,
  userId: string,
  eraseAt: Date,
): Promise<NonNullable<Account['deletion']>> {
  const { toShip, processing } = await countOpenOrders(db, userId)
  return { at: eraseAt.toISOString(), waitsForOrders: toShip + processing > 0 }
}

/**
 * Schedules the deletion of the account in `DELETION_DAYS` days, or keeps the date of an earlier request. Mails the
 * date to the customer and ends all their sessions.
 */
export async function requestDeletion(
  { db, sessions, jobs }: Services,
  userId: string,
  origin: RequestOrigin,
): Promise<NonNullable<Account['deletion']>> {
  return jobs.transact(db, async (tx, sendJob) => {
    await lockCustomer(tx, userId)
    const scheduledFor = new Date(Date.now() + DELETION_DAYS * DAY_MS)
    const [user] = await tx
      .update(users)
      .set({ eraseAt: sql`coalesce(${users.eraseAt}, ${scheduledFor.toISOString()}::timestamptz)` })
      .where(eq(users.id, userId))
      .returning({ email: users.email, eraseAt: users.eraseAt })
    if (!user?.eraseAt) throw invalidToken()
    const deletion = await describeDeletion(tx, userId, user.eraseAt)
    await sessions.revokeAll(userId, { tx })
    await sendJob('deletionMail', { email: user.email, ...deletion })
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
