import { and, eq, sql } from 'drizzle-orm'
import type { Review } from '#contract/reviews.ts'
import { REVIEWS_PER_PAGE, STARS } from '#contract/rules.ts'
import type { Db } from '../db/open.ts'
import { prepared } from '../db/prepared.ts'
import { products, reviews } from '../db/schema.ts'
import { Refusal } from '../errors.ts'
import { isVisible } from './products.ts'

const counts = prepared(db =>
  db
    .select({ rating: reviews.rating, count: sql<number>`count(${reviews.id})::int` })
    .from(products)
    .leftJoin(reviews, eq(reviews.productId, products.id))
    .where(and(isVisible, eq(products.id, sql.placeholder('productId'))))
    .groupBy(reviews.rating)
    .prepare('review_counts'),
)

const latest = prepared(db =>
  db
    .select()
    .from(reviews)
    .where(eq(reviews.productId, sql.placeholder('productId')))
    .orderBy(sql`${reviews.createdAt} desc nulls last`, reviews.id)
    .limit(REVIEWS_PER_PAGE)
    .offset(sql.placeholder('offset'))
    .prepare('latest_reviews'),
)

/** One page of a visible product's reviews, newest first, with how many there are of each rating. */
export async function readReviews(
  db: Db,
  productId: string,
  page = 1,
): Promise<{ reviews: Review[]; total: number; countByRating: { rating: number; count: number }[] }> {
  const rows = await counts(db).execute({ productId })
  if (rows.length === 0) throw new Refusal(404, 'Product not found')
  const countByRating = STARS.map(rating => ({ rating, count: rows.find(row => row.rating === rating)?.count ?? 0 }))
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  const offset = (page - 1) * REVIEWS_PER_PAGE
  const found = offset < total ? await latest(db).execute({ productId, offset }) : []
  return {
    reviews: found.map(toReview),
    total,
    countByRating,
  }
}

/** What shoppers see of a review. */
export function toReview(row: typeof reviews.$inferSelect): Review {
  const { id, name, review, rating, createdAt, isVerifiedBuyer } = row
  return { _id: id, name, review, rating, date: createdAt.toISOString(), verifiedBuyer: isVerifiedBuyer }
}
