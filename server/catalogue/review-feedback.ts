import { and, count, countDistinct, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { reviewsPath } from '#contract/page-urls.ts'
import type { Db, Tx } from '../db/types.ts'
import { products, reviewReports, reviews, reviewVotes } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { notify } from '../notifications/notifications.ts'
import { recordAudit } from '../platform/audit.ts'
import { ConflictError, InvalidInputError, NotFoundError } from '../platform/errors.ts'
import { isVisible } from './products.ts'
import type { ListedReview } from './review-moderation.ts'

/** Condition for reports that still need the operator's decision. */
const isWaiting = and(eq(reviews.isHidden, false), isNull(reviewReports.dismissedAt))

/**
 * Stores that a customer finds a review helpful, or no longer; returns how many do. Throws a `NotFoundError` for a
 * review that is not shown, an `InvalidInputError` for the customer's own.
 */
export async function voteReview(db: Db, userId: string, reviewId: string, isHelpful: boolean): Promise<number> {
  return transact(db, async tx => {
    await checkOthers(tx, userId, reviewId, 'You cannot vote for your own review')
    const own = and(eq(reviewVotes.reviewId, reviewId), eq(reviewVotes.userId, userId))
    if (isHelpful) await tx.insert(reviewVotes).values({ reviewId, userId }).onConflictDoNothing()
    else await tx.delete(reviewVotes).where(own)
    const [voted] = await tx.select({ count: reviews.helpfulCount }).from(reviews).where(eq(reviews.id, reviewId))
    return voted?.count ?? 0
  })
}

/** Stores a customer's report of a review, once. Throws as `voteReview` does. */
export async function reportReview(db: Db, userId: string, reviewId: string): Promise<void> {
  await transact(db, async tx => {
    await checkOthers(tx, userId, reviewId, 'You cannot report your own review')
    await tx.insert(reviewReports).values({ reviewId, userId }).onConflictDoNothing()
  })
}

/** The ids of the reviews of a product that a customer found helpful. */
export async function readVotes(db: Db, userId: string, productId: string): Promise<string[]> {
  const rows = await db
    .select({ id: reviewVotes.reviewId })
    .from(reviewVotes)
    .innerJoin(reviews, eq(reviews.id, reviewVotes.reviewId))
    .where(and(eq(reviewVotes.userId, userId), eq(reviews.productId, productId)))
  return rows.map(({ id }) => id)
}

/**
 * Stores a shop's answer to a review and notifies its author. Replaces an answer from before the review was rewritten.
 * Throws a `NotFoundError` for an unknown review, a `ConflictError` if it has an answer already.
 */
export async function answerReview(db: Db, id: string, answer: string): Promise<{ name: string; slug: string }> {
  return transact(db, async tx => {
    const [found] = await tx
      .select({ review: reviews, slug: products.slug, product: products.name, shopName: products.shopName })
      .from(reviews)
      .innerJoin(products, eq(products.id, reviews.productId))
      .where(eq(reviews.id, id))
      .for('no key update', { of: reviews })
    if (!found) throw new NotFoundError(`There is no review ${id}: 'review list' names them`)
    const { review, slug, product, shopName } = found
    if (review.answeredAt && review.answeredAt >= review.createdAt)
      throw new ConflictError('The shop has answered this review already')
    await tx.update(reviews).set({ answer, answeredAt: new Date() }).where(eq(reviews.id, id))
    await recordAudit(tx, { event: 'review_answered', outcome: 'ok', details: { id, productId: review.productId } })
    if (review.userId !== null && !review.isHidden)
      await notify(tx, {
        userId: review.userId,
        title: `${shopName} answered your review`,
        message: `See what the shop says about your review of ${product}.`,
        priority: 'low',
        link: reviewsPath({ slug }),
        eventKey: `review-answer:${id}:${review.createdAt.getTime()}`,
      })
    return { name: review.name, slug }
  })
}

/**
 * Dismisses the reports of a review, which stays as it is; returns how many there were. Throws a `NotFoundError` for an
 * unknown review.
 */
export async function dismissReports(db: Db, id: string): Promise<{ name: string; slug: string; count: number }> {
  return transact(db, async tx => {
    const [found] = await tx
      .select({ name: reviews.name, slug: products.slug, productId: products.id })
      .from(reviews)
      .innerJoin(products, eq(products.id, reviews.productId))
      .where(eq(reviews.id, id))
    if (!found) throw new NotFoundError(`There is no review ${id}: 'review list' names them`)
    const dismissed = await tx
      .update(reviewReports)
      .set({ dismissedAt: new Date() })
      .where(and(eq(reviewReports.reviewId, id), isNull(reviewReports.dismissedAt)))
      .returning({ id: reviewReports.reviewId })
    const { productId, ...review } = found
    const details = { id, productId, count: dismissed.length }
    if (dismissed.length > 0) await recordAudit(tx, { event: 'review_reports_dismissed', outcome: 'ok', details })
    return { ...review, count: dismissed.length }
  })
}

/** How many reviews wait for the operator's decision. */
export async function countReported(db: Db): Promise<number> {
  const [found] = await db
    .select({ count: countDistinct(reviewReports.reviewId) })
    .from(reviewReports)
    .innerJoin(reviews, eq(reviews.id, reviewReports.reviewId))
    .where(isWaiting)
  return found?.count ?? 0
}

/**
 * Reviews that customers have reported, with how many did: those that wait for the operator's decision, or with `isAll`
 * also those that are hidden and those whose reports were dismissed.
 */
export async function listReports(
  db: Db,
  { isAll, limit }: { isAll: boolean; limit: number },
): Promise<(ListedReview & { reportCount: number })[]> {
  const reportCount = count(reviewReports.userId)
  const rows = await db
    .select({ review: reviews, slug: products.slug, reportCount })
    .from(reviewReports)
    .innerJoin(reviews, eq(reviews.id, reviewReports.reviewId))
    .innerJoin(products, eq(products.id, reviews.productId))
    .where(isAll ? undefined : isWaiting)
    .groupBy(reviews.id, products.slug)
    .orderBy(desc(reportCount), desc(sql`max(${reviewReports.createdAt})`))
    .limit(limit)
  return rows.map(({ review, ...rest }) => ({ ...review, ...rest }))
}

async function checkOthers(tx: Tx, userId: string, reviewId: string, whyNotOwn: string): Promise<void> {
  const [review] = await tx
    .select({ userId: reviews.userId })
    .from(reviews)
    .innerJoin(products, eq(products.id, reviews.productId))
    .where(and(eq(reviews.id, reviewId), ne(reviews.isHidden, true), isVisible))
  if (!review) throw new NotFoundError('There is no such review')
  if (review.userId === userId) throw new InvalidInputError(whyNotOwn)
}
