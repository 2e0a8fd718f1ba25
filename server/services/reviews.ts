import { sql } from 'drizzle-orm'
import type { Review } from '#contract/reviews.ts'
import { REVIEWS_PER_PAGE, STARS } from '#contract/rules.ts'
import type { Db } from '../db/open.ts'
import { named } from '../db/prepared.ts'
import { products, reviews } from '../db/schema.ts'
import { Refusal } from '../errors.ts'

type Shown = Pick<typeof reviews.$inferSelect, 'id' | 'name' | 'review' | 'rating' | 'isVerifiedBuyer' | 'createdAt'>

interface Row {
  counts: { rating: number; count: number }[] | null
  latest: (Omit<Shown, 'createdAt'> & { createdAt: string })[] | null
}

// One statement: a product's page waits for it.
const pageOfReviews = named<Row>(
  'page_of_reviews',
  given => sql`
    select (
      select json_agg(each) from (
        select rating, count(*)::int as count from ${reviews} where product_id = shown.id group by rating
      ) each
    ) as counts, (
      select json_agg(each) from (
        select id, name, review, rating, is_verified_buyer as "isVerifiedBuyer", created_at as "createdAt"
        from ${reviews} where product_id = shown.id
        order by ${reviews.createdAt} desc nulls last, id limit ${REVIEWS_PER_PAGE} offset ${given('offset')}
      ) each
    ) as latest
    from ${products} shown where shown.id = ${given('productId')} and not shown.is_hidden`,
)

/** One page of a visible product's reviews, newest first, with how many there are of each rating. */
export async function readReviews(
  db: Db,
  productId: string,
  page = 1,
): Promise<{ reviews: Review[]; total: number; countByRating: { rating: number; count: number }[] }> {
  const [row] = await pageOfReviews(db, { productId, offset: (page - 1) * REVIEWS_PER_PAGE })
  if (!row) throw new Refusal(404, 'Product not found')
  const counts = row.counts ?? []
  return {
    reviews: (row.latest ?? []).map(({ createdAt, ...review }) =>
      toReview({ ...review, createdAt: new Date(createdAt) }),
    ),
    total: counts.reduce((sum, { count }) => sum + count, 0),
    countByRating: STARS.map(rating => ({ rating, count: counts.find(each => each.rating === rating)?.count ?? 0 })),
  }
}

/** What shoppers see of a review. */
export function toReview(row: Shown): Review {
  const { id, name, review, rating, createdAt, isVerifiedBuyer } = row
  return { _id: id, name, review, rating, date: createdAt.toISOString(), verifiedBuyer: isVerifiedBuyer }
}
