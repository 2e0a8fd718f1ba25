import type { Hono } from 'hono'
import * as contract from '#contract/reviews.ts'
import type { Database } from '../db/types.ts'
import type { Env } from '../http/env.ts'
import { mount, signedIn } from '../http/mount.ts'
import type { MountUpload } from '../uploads/routes.ts'
import { readVotes, reportReview, voteReview } from './review-feedback.ts'
import { addPictures, type AddressOf } from './review-pictures.ts'
import { readOwnReview, submitReview } from './review-writing.ts'
import { readReviews } from './reviews.ts'

interface Options {
  addressOf: AddressOf
  mountUpload: MountUpload
}

/** Large enough to fill the screen of a laptop. */
const MAX_PX = 1600

export function reviewRoutes(app: Hono<Env>, database: Database, { addressOf, mountUpload }: Options): void {
  const { db } = database

  mount(app, contract.getReviews, query => readReviews(db, query))

  mount(app, contract.getOwnReview, async ({ productId }, c) => ({
    review: await readOwnReview({ db, addressOf }, signedIn(c).id, productId),
    votes: await readVotes(db, signedIn(c).id, productId),
  }))

  mount(app, contract.voteReview, async ({ reviewId, isHelpful }, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('reviewVote', id)
    const helpful = await voteReview(db, id, reviewId, isHelpful)
    // The page that shows the count must not be stale.
    await database.settled()
    return { helpful }
  })

  mount(app, contract.reportReview, async ({ reviewId }, c) => {
    const { id } = signedIn(c)
    await c.get('limits').take('reviewReport', id)
    await reportReview(db, id, reviewId)
    return { message: 'Thank you. We will look into it' }
  })

  mountUpload(app, contract.addReviewPictures, {
    hasPicturesOnly: true,
    maxPx: MAX_PX,
    async store({ productId }, files, c) {
      const isNew = await addPictures(db, signedIn(c).id, productId, files)
      await database.settled()
      return { answer: { message: 'Thank you for your pictures' }, isNew }
    },
  })

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
    { status: 201 },
  )
}
