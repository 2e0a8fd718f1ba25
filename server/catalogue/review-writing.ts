import { and, eq, inArray, isNotNull, or, sql, sum } from 'drizzle-orm'
import type { Review, ReviewForm } from '#contract/reviews.ts'
import type { Db, Tx } from '../db/types.ts'
import {
  orderLines,
  orders,
  products,
  returnLines,
  returns,
  reviewReports,
  reviews,
  reviewVotes,
  sellerOrders,
} from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { isAgreedCancellation } from './cancelled-units.ts'
import { isVisible } from './products.ts'
import { type AddressOf, keepPictures, readPicturesOf, toReviewPicture } from './review-pictures.ts'
import { toReview } from './reviews.ts'
import { rateProducts } from './ratings.ts'
import { NotFoundError } from '../platform/errors.ts'

interface Author {
  id: string
  name: string
}

/**
 * Stores a customer's review of a product and updates the ratings of the product and its shop in the same transaction.
 * It replaces their previous one with its pictures, except those whose ids are in `pictures`. Throws a `NotFoundError`
 * for a product that is not sold, and the error of an ended session for a customer who has been erased. Returns whether
 * it is their first review of the product.
 */
export async function submitReview(
  db: Db,
  author: Author,
  productId: string,
  { pictures = [], ...form }: ReviewForm & { pictures?: string[] | undefined },
): Promise<boolean> {
  return transact(db, async tx => {
    // So that no review is left when the customer is being erased.
    await lockCustomer(tx, author.id)
    // One review of a product at a time, so that the next one counts this one.
    const [product] = await tx
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.id, productId), isVisible))
      .for('update')
    if (!product) throw new NotFoundError('Product not found')
    const isVerifiedBuyer = await hasBought(tx, author.id, productId)
    const written = { ...form, name: author.name, isVerifiedBuyer, createdAt: new Date() }
    const [stored] = await tx
      .insert(reviews)
      .values({ ...written, userId: author.id, productId })
      .onConflictDoUpdate({ target: [reviews.productId, reviews.userId], set: written })
      .returning({ id: reviews.id, isNew: sql<boolean>`xmax = 0` })
    if (stored?.isNew === false) {
      await forgetOpinions(tx, stored.id)
      await keepPictures(tx, stored.id, pictures)
    }
    await rateProducts(tx, [productId])
    return stored?.isNew ?? true
  })
}

/** The customer's own review of a product, or null. */
export async function readOwnReview(
  { db, addressOf }: { db: Db; addressOf: AddressOf },
  userId: string,
  productId: string,
): Promise<Review | null> {
  const [row] = await db
    .select()
    .from(reviews)
    .where(and(eq(reviews.productId, productId), eq(reviews.userId, userId)))
  if (!row) return null
  const pictures = (await readPicturesOf(db, [row.id])).get(row.id) ?? []
  // Signed, because the pictures of a hidden review have no public address.
  const signed = pictures.map(picture => {
    const url = addressOf(picture)
    return { ...toReviewPicture(picture), url, thumbnail: url }
  })
  return { ...toReview({ ...row, pictures }), pictures: signed }
}

/** Deletes votes for the former text, and dismissed reports, so that the new text can be reported. */
async function forgetOpinions(tx: Tx, reviewId: string): Promise<void> {
  await tx.delete(reviewVotes).where(eq(reviewVotes.reviewId, reviewId))
  await tx.delete(reviewReports).where(and(eq(reviewReports.reviewId, reviewId), isNotNull(reviewReports.dismissedAt)))
}

/** Whether the customer has paid for the product and not cancelled all of it. What they have returned counts. */
async function hasBought(tx: Tx, userId: string, productId: string): Promise<boolean> {
  const cancelled = tx
    .select({ units: sum(returnLines.quantity) })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .where(and(eq(returnLines.lineId, orderLines.id), isAgreedCancellation))
  const [bought] = await tx
    .select({ id: orderLines.id })
    .from(orders)
    .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
    .innerJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
    .where(
      and(
        eq(orders.userId, userId),
        // A refunded order may have been sent and returned.
        or(eq(orders.paymentStatus, 'paid'), inArray(sellerOrders.deliveryStatus, ['Shipped', 'Delivered'])),
        eq(orderLines.productId, productId),
        sql`${orderLines.quantity} > coalesce((${cancelled}), 0)`,
      ),
    )
    .limit(1)
  return bought !== undefined
}
