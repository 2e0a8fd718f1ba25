import { and, desc, eq, ilike, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { EMPTY_SHIPPING_FORM } from '#contract/orders.ts'
import { containing } from '../catalogue/containing.ts'
import type { Db, Tx } from '../db/types.ts'
import {
  cartLines,
  conversations,
  orderRequests,
  orders,
  products,
  returns,
  reviews,
  sellerOrders,
  sessions,
  users,
  wishlistItems,
} from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockCustomer, sameAddress } from '../accounts/customers.ts'
import { cancelUnpaid } from '../orders/cancelling.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { rateProducts } from '../catalogue/upkeep.ts'

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
    .where(eq(users.email, sameAddress(email)))
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

/** Counts the data that the shop stores of a customer besides the account itself. */
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

/** Throws a `ConflictError` while the customer has an order to be shipped or a payment being processed. */
export async function refuseOpenOrders(db: Db | Tx, { id, email }: Pick<Account, 'id' | 'email'>): Promise<void> {
  const [open] = await db
    .select({
      toShip: sql<number>`count(*) filter (where ${sellerOrders.deliveryStatus} = 'Processing')::int`,
      processing: sql<number>`count(*) filter (where ${orders.paymentStatus} = 'processing')::int`,
    })
    .from(orders)
    .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
    .where(eq(orders.userId, id))
  if (open && open.toShip > 0)
    throw new ConflictError(`${email} has paid orders that are not shipped: ship, cancel or refund them first`)
  if (open && open.processing > 0)
    throw new ConflictError(`A payment of ${email} is on its way: erase the account once it is settled`)
}

/**
 * Erases a customer permanently: account, sessions, cart, wishlist, conversations, notifications and reviews; cancels
 * unpaid orders. Orders stay with their amounts, but keep only the country of the address. Throws a `NotFoundError` for
 * an unknown address, and a `ConflictError` while an order has to be shipped or a payment is being processed.
 */
export async function eraseCustomer(
  db: Db,
  owned: Pick<Sessions, 'revokeAll'>,
  email: string,
): Promise<CustomerRecords> {
  const account = await findAccount(db, email)
  const { id } = account
  return transact(db, async tx => {
    await lockCustomer(tx, id)
    await refuseOpenOrders(tx, account)
    const found = await readRecords(tx, account)
    await cancelUnpaid(tx, id)
    await forgetAddresses(tx, id)
    await forgetReturns(tx, id)
    await tx.delete(orderRequests).where(eq(orderRequests.userId, id))
    await removeReviews(tx, id)
    await owned.revokeAll(id, { tx })
    await tx.delete(users).where(eq(users.id, id))
    const details = { by: 'operator', orderCount: found.orderCount }
    await recordAudit(tx, { event: 'customer_erased', outcome: 'ok', actorId: id, details })
    return found
  })
}

/** Keeps the country of each order, which the shop's accounting needs. */
async function forgetAddresses(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(orders)
    .set({
      destination: sql`${JSON.stringify(EMPTY_SHIPPING_FORM)}::jsonb || jsonb_build_object('country', destination->'country')`,
    })
    .where(and(eq(orders.userId, userId), isNotNull(orders.destination)))
}

/** Erases what the customer wrote about returns. */
async function forgetReturns(tx: Tx, userId: string): Promise<void> {
  const own = tx.select({ id: orders.id }).from(orders).where(eq(orders.userId, userId))
  await tx.update(returns).set({ words: '', tracking: '' }).where(inArray(returns.orderId, own))
}

async function removeReviews(tx: Tx, userId: string): Promise<void> {
  const own = tx.select({ id: reviews.productId }).from(reviews).where(eq(reviews.userId, userId))
  const reviewed = await tx
    .select({ id: products.id })
    .from(products)
    .where(inArray(products.id, own))
    .orderBy(products.id)
    .for('update')
  await tx.delete(reviews).where(eq(reviews.userId, userId))
  await rateProducts(
    tx,
    reviewed.map(({ id }) => id),
  )
}

function isLiveOf(userId: string) {
  return and(eq(sessions.userId, userId), isNull(sessions.revokedAt), sql`${sessions.expiresAt} > now()`)
}
