import { and, desc, eq, ilike, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { containing } from '../catalogue/containing.ts'
import type { Db, Tx } from '../db/types.ts'
import { cartLines, conversations, orders, reviews, sessions, users, wishlistItems } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { NotFoundError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockCustomer, normaliseEmail } from '../accounts/customers.ts'
import { eraseAccount } from '../orders/erasing.ts'
import type { Sessions } from '../accounts/sessions.ts'

export type Account = typeof users.$inferSelect
export type ListedCustomer = Account & { orderCount: number }

const listed = {
  account: users,
  orderCount: sql<number>`(select count(*)::int from ${orders} placed where placed.user_id = ${users}.id)`,
}

/** The customers whose name or email contains `text`, newest first. */
export async function listCustomers(db: Db, text: string, limit: number): Promise<ListedCustomer[]> {
  const rows = await db
    .select(listed)
    .from(users)
    .where(or(ilike(users.email, containing(text)), ilike(users.name, containing(text))))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit)
  return rows.map(({ account, orderCount }) => ({ ...account, orderCount }))
}

/** The account with this email address. Throws a `NotFoundError` if there is none. */
export async function findAccount(db: Db | Tx, email: string): Promise<Account> {
  const [account] = await db
    .select()
    .from(users)
    .where(eq(users.email, normaliseEmail(email)))
  if (!account) throw new NotFoundError(`No customer has the address ${email}`)
  return account
}

export interface CustomerRecords {
  orderCount: number
  /** The latest orders, newest first. */
  latestOrders: (typeof orders.$inferSelect)[]
  sessionCount: number
  cartLineCount: number
  wishlistCount: number
  reviewCount: number
  conversationCount: number
}

const LATEST_ORDERS = 5

/** Counts the data that the shop stores about a customer besides the account itself. */
export async function readRecords(db: Db | Tx, { id }: Pick<Account, 'id'>): Promise<CustomerRecords> {
  const isOwn = eq(orders.userId, id)
  return {
    orderCount: await db.$count(orders, isOwn),
    latestOrders: await db
      .select()
      .from(orders)
      .where(isOwn)
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(LATEST_ORDERS),
    sessionCount: await db.$count(sessions, isLiveOf(id)),
    cartLineCount: await db.$count(cartLines, and(eq(cartLines.userId, id), isNull(cartLines.removedAt))),
    wishlistCount: await db.$count(wishlistItems, eq(wishlistItems.userId, id)),
    reviewCount: await db.$count(reviews, eq(reviews.userId, id)),
    conversationCount: await db.$count(conversations, eq(conversations.userId, id)),
  }
}

/**
 * Blocks a customer and ends their sessions, or lets them sign in again. Does not touch orders. Returns whether
 * anything changed and how many sessions ended. Throws a `NotFoundError` for an unknown address.
 */
export async function blockCustomer(
  db: Db,
  owned: Pick<Sessions, 'revokeAll'>,
  email: string,
  isBlocked: boolean,
): Promise<{ email: string; isNew: boolean; endedCount: number }> {
  const account = await findAccount(db, email)
  const { id } = account
  return transact(db, async tx => {
    const isOther = isBlocked ? isNull(users.blockedAt) : isNotNull(users.blockedAt)
    const rows = await tx
      .update(users)
      .set({ blockedAt: isBlocked ? new Date() : null })
      .where(and(eq(users.id, id), isOther))
      .returning({ id: users.id })
    const endedCount = await tx.$count(sessions, isLiveOf(id))
    if (isBlocked) await owned.revokeAll(id, { tx })
    const isNew = rows.length > 0
    const event = isBlocked ? 'customer_blocked' : 'customer_unblocked'
    if (isNew) await recordAudit(tx, { event, outcome: 'ok', actorId: id, details: { by: 'operator' } })
    return { email: account.email, isNew, endedCount }
  })
}

/**
 * Erases a customer permanently (see `eraseAccount`), and returns how much data the shop had stored about them. Throws
 * a `NotFoundError` for an unknown address.
 */
export async function eraseCustomer(
  db: Db,
  owned: Pick<Sessions, 'revokeAll'>,
  email: string,
): Promise<CustomerRecords> {
  const account = await findAccount(db, email)
  return transact(db, async tx => {
    await lockCustomer(tx, account.id)
    const found = await readRecords(tx, account)
    await eraseAccount(tx, owned, account, 'operator')
    return found
  })
}

function isLiveOf(userId: string) {
  return and(eq(sessions.userId, userId), isNull(sessions.revokedAt), sql`${sessions.expiresAt} > now()`)
}
