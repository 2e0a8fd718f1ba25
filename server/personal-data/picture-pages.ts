import { eq } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { orders, returnPictures, returns, reviewPictures, reviews } from '../db/schema.ts'
import { inPages } from './pages.ts'

interface Picture {
  id: string
  key: string
  originalName: string
}

/** The pictures of all of the customer's returns. */
export function returnPicturePages(db: Db, userId: string): AsyncGenerator<Picture[]> {
  return inPages(returnPictures.id, eq(orders.userId, userId), () =>
    db
      .select({ id: returnPictures.id, key: returnPictures.key, originalName: returnPictures.originalName })
      .from(returnPictures)
      .innerJoin(returns, eq(returns.id, returnPictures.returnId))
      .innerJoin(orders, eq(orders.id, returns.orderId)),
  )
}

/** The pictures of all of the customer's reviews. */
export function reviewPicturePages(db: Db, userId: string): AsyncGenerator<Picture[]> {
  return inPages(reviewPictures.id, eq(reviews.userId, userId), () =>
    db
      .select({ id: reviewPictures.id, key: reviewPictures.key, originalName: reviewPictures.originalName })
      .from(reviewPictures)
      .innerJoin(reviews, eq(reviews.id, reviewPictures.reviewId)),
  )
}
