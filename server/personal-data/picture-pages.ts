import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { orders, returnPictures, returns, reviewPictures, reviews } from '../db/schema.ts'
import { inPages, PAGE_ROWS } from './pages.ts'

interface Picture {
  id: string
  key: string
  originalName: string
}

/** The pictures of all of the customer's returns. */
export function returnPicturePages(db: Db, userId: string): AsyncGenerator<Picture[]> {
  return inPages(after =>
    db
      .select({ id: returnPictures.id, key: returnPictures.key, originalName: returnPictures.originalName })
      .from(returnPictures)
      .innerJoin(returns, eq(returns.id, returnPictures.returnId))
      .innerJoin(orders, eq(orders.id, returns.orderId))
      .where(and(eq(orders.userId, userId), gt(returnPictures.id, after)))
      .orderBy(asc(returnPictures.id))
      .limit(PAGE_ROWS),
  )
}

/** The pictures of all of the customer's reviews. */
export function reviewPicturePages(db: Db, userId: string): AsyncGenerator<Picture[]> {
  return inPages(after =>
    db
      .select({ id: reviewPictures.id, key: reviewPictures.key, originalName: reviewPictures.originalName })
      .from(reviewPictures)
      .innerJoin(reviews, eq(reviews.id, reviewPictures.reviewId))
      .where(and(eq(reviews.userId, userId), gt(reviewPictures.id, after)))
      .orderBy(asc(reviewPictures.id))
      .limit(PAGE_ROWS),
  )
}

/** A picture's name in its folder of the archive. */
export function pictureName({ id, originalName }: Pick<Picture, 'id' | 'originalName'>): string {
  return `${id}-${originalName.replaceAll(/[/\\]/g, '_')}`
}
