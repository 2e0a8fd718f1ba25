import { and, eq, sql } from 'drizzle-orm'
import type { Review, ReviewPage } from '#contract/reviews.ts'
import { REVIEWS_PER_PAGE, STARS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { prepared } from '../db/prepared.ts'
import { products, reviews } from '../db/schema.ts'
import { isVisible } from './products.ts'
import { NotFoundError } from '../platform/errors.ts'

type Shown = Pick<typeof reviews.$inferSelect, 'id' | 'name' | 'review' | 'rating' | 'isVerifiedBuyer' | 'createdAt'>

export interface StoredPage {
  counts: { rating: number; count: number }[] | null
  latest: (Omit<Shown, 'createdAt'> & { createdAt: string })[] | null
}

/** A page of a product's reviews from `offset`, as a column of `products`; convert it with `toReviewPage`. */
export const storedReviewPage = sql<StoredPage>`json_build_object(
  'counts', (
    select json_agg(each) from (
      select rating, count(*)::int as count from ${reviews} where product_id = products.id and not is_hidden group by rating
    ) each
  ),
  'latest', (
    select json_agg(each) from (
      select id, name, review, rating, is_verified_buyer as "isVerifiedBuyer", created_at as "createdAt"
      from ${reviews} where product_id = products.id and not is_hidden
      order by created_at desc nulls last, id limit ${REVIEWS_PER_PAGE} offset ${sql.placeholder('offset')}
    ) each
  )
)`

const pageOfReviews = prepared(db =>
  db
    .select({ page: storedReviewPage })
    .from(products)
    .where(and(isVisible, eq(products.id, sql.placeholder('productId'))))
    .prepare('page_of_reviews'),
)

/** One page of a visible product's reviews, newest first, with the count of each rating. */
export async function readReviews(db: Db, productId: string, page = 1): Promise<ReviewPage> {
  const [row] = await pageOfReviews(db).execute({ productId, offset: offsetOf(page) })
  if (!row) throw new NotFoundError('Product not found')
  return toReviewPage(row.page)
}

/** The offset of a page of reviews; pages count from 1. */
export function offsetOf(page: number): number {
  return (page - 1) * REVIEWS_PER_PAGE
}

/** The page of reviews for the API. */
export function toReviewPage({ counts, latest }: StoredPage): ReviewPage {
  const countOf = (rating: number) => counts?.find(each => each.rating === rating)?.count ?? 0
  return {
    reviews: latest?.map(({ createdAt, ...review }) => toReview({ ...review, createdAt: new Date(createdAt) })) ?? [],
    total: counts?.reduce((sum, { count }) => sum + count, 0) ?? 0,
    countByRating: STARS.map(rating => ({ rating, count: countOf(rating) })),
  }
}

/** The review for the API. */
export function toReview(row: Shown): Review {
  const { id, name, review, rating, createdAt, isVerifiedBuyer } = row
  return { _id: id, name, review, rating, date: createdAt.toISOString(), verifiedBuyer: isVerifiedBuyer }
}
