import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Review, ReviewPage } from '#contract/reviews.ts'
import { REVIEWS_PER_PAGE, type ReviewSort, STARS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { prepared } from '../db/prepared.ts'
import { products, reviewPictures, reviews } from '../db/schema.ts'
import { isVisible } from './products.ts'
import { type ReviewPictureRow, toReviewPicture } from './review-pictures.ts'
import { NotFoundError } from '../platform/errors.ts'
import { sumBy } from '../platform/sum.ts'

type Shown = Pick<
  typeof reviews.$inferSelect,
  'id' | 'name' | 'review' | 'rating' | 'isVerifiedBuyer' | 'helpfulCount' | 'answer' | 'answeredAt' | 'createdAt'
> & { pictures: Pick<ReviewPictureRow, 'id' | 'width' | 'height'>[] | null }

export interface StoredPage {
  counts: { rating: number; count: number }[] | null
  latest: (Omit<Shown, 'createdAt' | 'answeredAt'> & { createdAt: string; answeredAt: string | null })[] | null
}

const NEWEST = sql`created_at desc nulls last, id`

/** A column of `products` with a page of reviews, starting at the placeholder `offset`. */
function reviewPageColumn(order: SQL, where: SQL = sql`true`) {
  return sql<StoredPage>`json_build_object(
    'counts', (
      select json_agg(each) from (
        select rating, count(*)::int as count from ${reviews} where product_id = products.id and not is_hidden group by rating
      ) each
    ),
    'latest', (
      select json_agg(each) from (
        select id, name, review, rating, is_verified_buyer as "isVerifiedBuyer",
          helpful_count as "helpfulCount", answer, answered_at as "answeredAt", created_at as "createdAt", (
            select json_agg(json_build_object('id', picture.id, 'width', width, 'height', height) order by picture.id)
            from ${reviewPictures} picture where picture.review_id = reviews.id
          ) as pictures
        from ${reviews} where product_id = products.id and not is_hidden and ${where}
        order by ${order} limit ${REVIEWS_PER_PAGE} offset ${sql.placeholder('offset')}
      ) each
    )
  )`
}

/** The newest reviews of a product, as a column of `products`; convert it with `toReviewPage`. */
export const storedReviewPage = reviewPageColumn(NEWEST)

const pageOfReviews = (name: string, order: SQL) =>
  prepared(db =>
    db
      .select({
        page: reviewPageColumn(
          order,
          sql`(${sql.placeholder('stars')}::int is null or rating = ${sql.placeholder('stars')})`,
        ),
      })
      .from(products)
      .where(and(isVisible, eq(products.id, sql.placeholder('productId'))))
      .prepare(name),
  )

const PAGE_BY_SORT: Record<ReviewSort | 'newest', ReturnType<typeof pageOfReviews>> = {
  newest: pageOfReviews('newest_reviews', NEWEST),
  highest: pageOfReviews('highest_reviews', sql`rating desc, ${NEWEST}`),
  lowest: pageOfReviews('lowest_reviews', sql`rating, ${NEWEST}`),
  helpful: pageOfReviews('helpful_reviews', sql`helpful_count desc, ${NEWEST}`),
}

interface ReviewQuery {
  productId: string
  page?: number | undefined
  sort?: ReviewSort | undefined
  stars?: number | undefined
}

/** One page of a visible product's reviews, newest first without `sort`, with the count of each rating. */
export async function readReviews(db: Db, { productId, page = 1, sort, stars }: ReviewQuery): Promise<ReviewPage> {
  const [row] = await PAGE_BY_SORT[sort ?? 'newest'](db).execute({
    productId,
    stars: stars ?? null,
    offset: offsetOf(page),
  })
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
    reviews: latest?.map(fromJson).map(toReview) ?? [],
    total: sumBy(counts ?? [], ({ count }) => count),
    countByRating: STARS.map(rating => ({ rating, count: countOf(rating) })),
  }
}

/** The review for the API. */
export function toReview(row: Shown): Review {
  const { id, name, review, rating, createdAt, isVerifiedBuyer, helpfulCount, answer, answeredAt, pictures } = row
  return {
    _id: id,
    name,
    review,
    rating,
    date: createdAt.toISOString(),
    verifiedBuyer: isVerifiedBuyer,
    helpful: helpfulCount,
    answer: answer !== null && answeredAt ? { text: answer, date: answeredAt.toISOString() } : undefined,
    pictures: pictures?.map(toReviewPicture) ?? [],
  }
}

function fromJson({ createdAt, answeredAt, ...rest }: NonNullable<StoredPage['latest']>[number]): Shown {
  return { ...rest, createdAt: new Date(createdAt), answeredAt: answeredAt === null ? null : new Date(answeredAt) }
}
