import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { EMPTY_SHIPPING_FORM } from '#contract/orders.ts'
import { countOpenOrders, hasOpenOrders } from '../accounts/deletion.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { rateProducts } from '../catalogue/ratings.ts'
import type { Db, Tx } from '../db/types.ts'
import {
  conversations,
  messages,
  orderRequests,
  orders,
  payments,
  products,
  returnPictures,
  returns,
  reviews,
  users,
} from '../db/schema.ts'
import { ConflictError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import type { Jobs } from '../platform/jobs.ts'
import { countDone } from '../platform/run-all.ts'
import { cancelUnpaid } from './cancelling.ts'

interface Erased {
  id: string
  email: string
}

const MESSAGES_AT_ONCE = 5000

/** Throws a `ConflictError` while the customer has an order to be shipped, a payment being processed or a return. */
export async function requireNoOpenOrders(db: Db | Tx, { id, email }: Erased): Promise<void> {
  const { toShip, processing, returning } = await countOpenOrders(db, id)
  if (toShip > 0)
    throw new ConflictError(`${email} has paid orders that are not shipped: ship, cancel or refund them first`)
  if (processing > 0)
    throw new ConflictError(`A payment of ${email} is on its way: erase the account once it is settled`)
  if (returning > 0)
    throw new ConflictError(
      `${email} has returns under way: decline, receive or decide them first, or wait until they lapse`,
    )
}

/**
 * Erases a customer whose row is locked: account, sessions, cart, wishlist, conversations, notifications and reviews;
 * cancels unpaid orders. Orders stay with their amounts, but keep only the country of the address. Throws a
 * `ConflictError` while an order has to be shipped, a payment is being processed or a return is under way.
 */
export async function eraseAccount(
  tx: Tx,
  sessions: Pick<Sessions, 'revokeAll'>,
  account: Erased,
  by: 'operator' | 'customer',
): Promise<void> {
  const { id } = account
  // First, because the lock waits for payments that are being settled. One may revive a cancelled order, to be shipped.
  const own = tx.select({ id: orders.id }).from(orders).where(eq(orders.userId, id))
  await own.orderBy(orders.id).for('no key update')
  await cancelUnpaid(tx, id)
  await requireNoOpenOrders(tx, account)
  const orderCount = await tx.$count(orders, eq(orders.userId, id))
  await forgetAddresses(tx, id)
  await forgetReturns(tx, id)
  await forgetPayments(tx, id)
  await tx.delete(orderRequests).where(eq(orderRequests.userId, id))
  await removeMessages(tx, id)
  await removeReviews(tx, id)
  await sessions.revokeAll(id, { tx })
  await tx.delete(users).where(eq(users.id, id))
  await recordAudit(tx, { event: 'customer_erased', outcome: 'ok', actorId: id, details: { by, orderCount } })
}

interface Services {
  db: Db
  sessions: Pick<Sessions, 'revokeAll'>
  jobs: Jobs
}

/**
 * Erases the accounts whose customers have requested it and whose waiting period is over, and mails those customers a
 * confirmation. Accounts with open orders or returns wait for the next run. Returns how many were erased. A failure
 * does not stop the rest; all errors are thrown together at the end.
 */
export async function eraseDueAccounts({ db, sessions, jobs }: Services, now = new Date()): Promise<number> {
  const isDue = lte(users.eraseAt, now)
  const waiting = await db.select({ id: users.id }).from(users).where(isDue).orderBy(asc(users.id))
  return countDone(waiting, ({ id }) =>
    jobs.transact(db, async (tx, sendJob) => {
      // The customer may have withdrawn the request.
      const [account] = await tx
        .select()
        .from(users)
        .where(and(eq(users.id, id), isDue))
        .for('no key update')
      if (!account || (await hasOpenOrders(tx, id))) return false
      await eraseAccount(tx, sessions, account, 'customer')
      if (account.emailConfirmedAt) await sendJob('accountMail', { kind: 'erased', email: account.email })
      return true
    }),
  )
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

/** Erases what the customer wrote about returns, and their pictures; a sweep removes the files. */
async function forgetReturns(tx: Tx, userId: string): Promise<void> {
  const own = tx.select({ id: orders.id }).from(orders).where(eq(orders.userId, userId))
  const theirs = tx.select({ id: returns.id }).from(returns).where(inArray(returns.orderId, own))
  await tx.delete(returnPictures).where(inArray(returnPictures.returnId, theirs))
  await tx.update(returns).set({ words: '', tracking: '' }).where(inArray(returns.orderId, own))
}

/** Keeps the amounts. */
async function forgetPayments(tx: Tx, userId: string): Promise<void> {
  const own = tx.select({ id: orders.id }).from(orders).where(eq(orders.userId, userId))
  await tx.update(payments).set({ paidWith: null }).where(inArray(payments.orderId, own))
}

/** In steps: a customer may have written more than a single statement can delete in its time. */
async function removeMessages(tx: Tx, userId: string): Promise<void> {
  const some = tx
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(eq(conversations.userId, userId))
    .limit(MESSAGES_AT_ONCE)
  for (let count = MESSAGES_AT_ONCE; count === MESSAGES_AT_ONCE;) {
    const removed = await tx.delete(messages).where(inArray(messages.id, some)).returning({ id: messages.id })
    count = removed.length
  }
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
