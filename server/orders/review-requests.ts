import { and, asc, eq, exists, gt, isNull, lte, notExists, notInArray, type SQL, sql } from 'drizzle-orm'
import { orderPath, writeReviewPath } from '#contract/page-urls.ts'
import type { ReturnStatus } from '#contract/returns.ts'
import { DAY_MS } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import {
  orderLines,
  orders,
  parcels,
  products,
  returnLines,
  returns,
  reviews,
  sellerOrders,
  users,
} from '../db/schema.ts'
import { isVisible } from '../catalogue/products.ts'
import { sendWithinLimit } from '../mail/within-limit.ts'
import type { UnsubscribeLinks } from '../mail/unsubscribe-links.ts'
import { reviewLetter } from '../mail/review-letter.ts'
import { notify } from '../notifications/notifications.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import type { MailOptions } from './mail.ts'
import { countDone } from '../platform/run-all.ts'

/** Time between the delivery of a shop's part and the request to review it. */
const AFTER_DAYS = 7
/** No review is requested for parts that were delivered longer ago, for example before an update. */
const UNTIL_DAYS = 28
/** Statuses of returns and cancellations that were not carried out. */
const NOT_CARRIED_OUT: ReturnStatus[] = ['withdrawn', 'declined', 'refused', 'lapsed']

/** Whether the customer has not ended such requests. */
const wantsRequests = isNull(users.reviewRequestsEndedAt)

type ReviewMailOptions = Omit<MailOptions, 'trackingLinks'> & { unsubscribeLinks: UnsubscribeLinks }

interface Reviewable {
  name: string
  slug: string
}

/**
 * Asks customers to review a shop's part of their order a week after its delivery, by notification and mail; returns
 * how many. Asks once for each part, even if several processes run this at the same time. A failure does not stop the
 * rest; all errors are thrown together at the end.
 */
export async function askForReviews(db: Db, jobs: Jobs, now = Date.now()): Promise<number> {
  const due = await db
    .select({ id: sellerOrders.id })
    .from(sellerOrders)
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(isDue(now), eq(orders.isDemo, false), isNull(users.blockedAt), isNull(users.eraseAt), wantsRequests))
    .orderBy(asc(sellerOrders.deliveredAt))
  return countDone(due, ({ id }) => jobs.transact(db, (tx, sendJob) => requestReview(tx, sendJob, id)))
}

/**
 * Mails the request to review a shop's part, with a link for each product that is still to be reviewed; rejects when
 * the mail cannot be sent. Sends nothing to an unconfirmed address, to a customer who has ended such mails, or when
 * there is nothing left to review.
 */
export async function mailReviewRequest(
  { db, mail, publicUrl, unsubscribeLinks, limits }: ReviewMailOptions,
  sellerOrderId: string,
): Promise<void> {
  const assumed = db
    .select({ id: parcels.id })
    .from(parcels)
    .where(and(eq(parcels.sellerOrderId, sellerOrders.id), eq(parcels.reportedBy, 'time')))
  const [found] = await db
    .select({
      user: users,
      orderId: orders.id,
      orderNumber: orders.number,
      shopName: sellerOrders.shopName,
      isArrivalAssumed: sql<boolean>`${exists(assumed)}`,
    })
    .from(sellerOrders)
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(eq(sellerOrders.id, sellerOrderId), isNull(users.blockedAt), wantsRequests))
  if (!found?.user.emailConfirmedAt) return
  const { user, ...about } = found
  const left = await readReviewable(db, sellerOrderId)
  if (left.length === 0) return
  const links = unsubscribeLinks.linksFor('reviews', user.id, publicUrl)
  const letter = reviewLetter({ ...about, ...links, customerName: user.name, products: left, publicUrl })
  await sendWithinLimit(limits, 'orderMail', user.id, () => mail.send({ to: user.email, ...letter }))
}

function isDue(now: number): SQL | undefined {
  return and(
    isNull(sellerOrders.reviewAskedAt),
    lte(sellerOrders.deliveredAt, new Date(now - AFTER_DAYS * DAY_MS)),
    gt(sellerOrders.deliveredAt, new Date(now - UNTIL_DAYS * DAY_MS)),
    eq(orders.paymentStatus, 'paid'),
  )
}

/** Returns false if another process has asked in the meantime, or there is nothing to review. */
async function requestReview(tx: Tx, sendJob: SendJob, id: string): Promise<boolean> {
  const [asked] = await tx
    .update(sellerOrders)
    .set({ reviewAskedAt: new Date() })
    .where(and(eq(sellerOrders.id, id), isNull(sellerOrders.reviewAskedAt)))
    .returning({ orderId: sellerOrders.orderId, shopName: sellerOrders.shopName })
  if (!asked) return false
  const left = await readReviewable(tx, id)
  const [order] = await tx.select({ userId: orders.userId }).from(orders).where(eq(orders.id, asked.orderId))
  const [first, ...more] = left
  if (!first || !order?.userId) return false
  await notify(tx, {
    userId: order.userId,
    title: `How do you like your order from ${asked.shopName}?`,
    message: `Write a review of ${first.name}${more.length > 0 ? ` and ${more.length} more` : ''}: it helps other shoppers choose.`,
    priority: 'low',
    link: more.length === 0 ? writeReviewPath(first) : orderPath(asked.orderId),
    eventKey: `review:${id}`,
  })
  await sendJob('reviewMail', { sellerOrderId: id })
  return true
}

/** Products of a part that the customer keeps and has not reviewed, and that can still be found in the shop. */
function readReviewable(db: Db | Tx, sellerOrderId: string): Promise<Reviewable[]> {
  const written = db
    .select({ id: reviews.id })
    .from(reviews)
    .where(and(eq(reviews.productId, products.id), eq(reviews.userId, orders.userId)))
  const goingBack = db
    .select({ id: returns.id })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .where(and(eq(returnLines.lineId, orderLines.id), notInArray(returns.status, NOT_CARRIED_OUT)))
  return db
    .selectDistinct({ name: products.name, slug: products.slug })
    .from(orderLines)
    .innerJoin(sellerOrders, eq(sellerOrders.id, orderLines.sellerOrderId))
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .innerJoin(products, eq(products.id, orderLines.productId))
    .where(
      and(
        eq(sellerOrders.id, sellerOrderId),
        isVisible,
        sql`${orderLines.restocked} < ${orderLines.quantity}`,
        notExists(written),
        notExists(goingBack),
      ),
    )
    .orderBy(asc(products.name))
}
