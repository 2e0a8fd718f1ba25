import type { Hono } from 'hono'
import * as contract from '#contract/reviews.ts'
import type { Database } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn } from '../http/mount.ts'
import { readOwnReview, submitReview } from './review-writing.ts'
import { readReviews } from './reviews.ts'

export function reviewRoutes(app: Hono<Env>, database: Database): void {
  const { db } = database

  mount(app, contract.getReviews, query => readReviews(db, query))

  mount(app, contract.getOwnReview, async ({ productId }, c) => ({
    review: await readOwnReview(db, signedIn(c).id, productId),
  }))

  mount(
    app,
    contract.submitReview,
    async ({ productId, ...form }, c) => {
      const author = signedIn(c)
      await c.get('limits').take('review', author.id)
      const isFirst = await submitReview(db, author, productId, form)
      // The product's page, which the author sees next, must show the review.
      await database.settled()
      return { message: isFirst ? 'Thank you for your review' : 'Your review was updated' }
    },
    201,
  )
}
