import { and, asc, eq, notInArray } from 'drizzle-orm'
import type { ReviewPicture } from '#contract/reviews.ts'
import { MAX_REVIEW_PICTURES } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { checkStoredFiles } from '../uploads/quota.ts'
import { isOneOf } from '../db/one-of.ts'
import { products, reviewPictures, reviews } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { type NewPicture, withoutKnown } from '../media/sent-pictures.ts'
import { recordAudit } from '../platform/audit.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { isVisible } from './products.ts'

export type ReviewPictureRow = typeof reviewPictures.$inferSelect

/** Returns the signed URL of a picture, which expires. */
export type AddressOf = (picture: Pick<ReviewPictureRow, 'id' | 'originalName'>) => string

/** Unlike the files of chats, these are shown on stored pages: their addresses are not signed and do not expire. */
export const REVIEW_PICTURES_PATH = '/media/reviews'
export const THUMBNAIL = 'thumbnail'

/**
 * Adds stored pictures to a customer's review of a product, except those that it has already; returns whether any were
 * new. Throws a `NotFoundError` if there is no review, and a `ConflictError` if it would have too many.
 */
export async function addPictures(db: Db, userId: string, productId: string, pictures: NewPicture[]): Promise<boolean> {
  return transact(db, async tx => {
    await lockCustomer(tx, userId)
    const [review] = await tx
      .select({ id: reviews.id })
      .from(reviews)
      .where(and(eq(reviews.productId, productId), eq(reviews.userId, userId)))
      .for('no key update')
    if (!review) throw new NotFoundError('Write your review first')
    const known = await tx.select().from(reviewPictures).where(eq(reviewPictures.reviewId, review.id))
    const added = withoutKnown(pictures, known)
    if (added.length === 0) return false
    if (known.length + added.length > MAX_REVIEW_PICTURES)
      throw new ConflictError(`A review has at most ${MAX_REVIEW_PICTURES} pictures`)
    await checkStoredFiles(tx, userId, added)
    for (const { width = 0, height = 0, ...picture } of added)
      await tx.insert(reviewPictures).values({ reviewId: review.id, width, height, ...picture })
    const details = { id: review.id, productId, pictures: added.length }
    await recordAudit(tx, { event: 'review_pictures', outcome: 'ok', actorId: userId, details })
    return true
  })
}

/** Removes the pictures of a review except those with the given ids; a sweep removes the files. */
export async function keepPictures(tx: Tx, reviewId: string, ids: string[]): Promise<void> {
  await tx.delete(reviewPictures).where(and(eq(reviewPictures.reviewId, reviewId), notInArray(reviewPictures.id, ids)))
}

/** A picture of a review that is shown; null for an unknown one, or one of a hidden review or product. */
export async function readShownPicture(db: Db, id: string): Promise<ReviewPictureRow | null> {
  const [found] = await db
    .select({ picture: reviewPictures })
    .from(reviewPictures)
    .innerJoin(reviews, eq(reviews.id, reviewPictures.reviewId))
    .innerJoin(products, eq(products.id, reviews.productId))
    .where(and(eq(reviewPictures.id, id), eq(reviews.isHidden, false), isVisible))
  return found?.picture ?? null
}

/** The pictures of reviews by review, in the order in which they were added; none for a review without pictures. */
export async function readPicturesOf(db: Db, reviewIds: string[]): Promise<Map<string, ReviewPictureRow[]>> {
  const rows = await db
    .select()
    .from(reviewPictures)
    .where(isOneOf(reviewPictures.reviewId, reviewIds))
    .orderBy(asc(reviewPictures.id))
  return Map.groupBy(rows, ({ reviewId }) => reviewId)
}

/** The picture for the API. */
export function toReviewPicture({
  id,
  width,
  height,
}: Pick<ReviewPictureRow, 'id' | 'width' | 'height'>): ReviewPicture {
  const url = `${REVIEW_PICTURES_PATH}/${id}`
  return { _id: id, url, thumbnail: `${url}/${THUMBNAIL}`, width, height }
}
