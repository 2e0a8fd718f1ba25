import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { MAX_REVIEW_PICTURES, REVIEW_LENGTH, REVIEW_SORTS } from './rules.ts'
import { Acknowledgement, completed, hint, Id, isBlank, plain, queryChoice, queryInteger, queryPage } from './wire.ts'

/** `thumbnail` is a square section. Sizes in pixels. */
const ReviewPicture = z.object({
  _id: z.string(),
  url: z.string(),
  thumbnail: z.string(),
  width: z.int(),
  height: z.int(),
})
export type ReviewPicture = z.output<typeof ReviewPicture>

/** Dates are ISO 8601. `helpful` counts the customers who found it helpful. `answer` is the shop's reply. */
export const Review = completed(
  z.object({
    _id: z.string(),
    name: z.string(),
    review: z.string(),
    rating: z.int(),
    date: z.string(),
    verifiedBuyer: z._default(z.boolean(), false),
    helpful: z._default(z.int(), 0),
    answer: z.optional(z.object({ text: z.string(), date: z.string() })),
    pictures: z._default(z.array(ReviewPicture), []),
  }),
  ({ name, date }) => ({ _id: `${String(date)} ${String(name)}` }),
)
export type Review = z.output<typeof Review>

const RatingCount = renamed({ rating: z.int(), sum: z.int() }, { sum: 'count' })

/** `countByRating` has five entries, from five stars to one; they and `total` count all reviews of the product. */
export const ReviewPage = renamed(
  { reviews: z.array(Review), totalReview: z.int(), rating_review: z.array(RatingCount) },
  { totalReview: 'total', rating_review: 'countByRating' },
)
export type ReviewPage = z.output<typeof ReviewPage>

/** Newest first unless `sort` says otherwise. `stars` selects the reviews with this rating. */
export const getReviews = endpoint({
  method: 'GET',
  path: '/home/customer/get-reviews/:productId',
  input: renamed(
    {
      productId: Id('productId'),
      pageNo: queryPage('pageNo'),
      sort: queryChoice('sort', REVIEW_SORTS),
      stars: queryInteger('stars', 1, 5),
    },
    { pageNo: 'page' },
  ),
  output: ReviewPage,
})

const REVIEW_MISSING = 'Review is required'
const RATING_MISSING = 'Please choose a rating from 1 to 5 stars'

/** The review form. The browser and the provider both validate with it. */
export const ReviewForm = z.object({
  rating: z.int({ error: RATING_MISSING }).check(z.minimum(1, RATING_MISSING), z.maximum(5, RATING_MISSING)),
  review: plain('Review', REVIEW_MISSING).check(
    z.trim(),
    z.refine(value => !isBlank(value), REVIEW_MISSING),
    z.maxLength(REVIEW_LENGTH, `Review must be at most ${REVIEW_LENGTH} characters`),
  ),
})
export type ReviewForm = z.output<typeof ReviewForm>

/**
 * The provider takes the author's name from the account and ignores `name`. A second review replaces the first with its
 * pictures, except those whose ids are in `pictures`.
 */
export const submitReview = endpoint({
  method: 'POST',
  path: '/home/customer/submit-review',
  input: z.extend(ReviewForm, {
    productId: Id('productId'),
    name: hint(z.string()),
    pictures: z.optional(z.array(Id('pictures')).check(z.maxLength(MAX_REVIEW_PICTURES))),
  }),
  output: Acknowledgement,
  isForCustomers: true,
})

/**
 * Adds pictures to the customer's review of a product, up to `MAX_REVIEW_PICTURES`. Sent as multipart: `productId`
 * first, then the pictures in the field `files`. The size limits are those of the chat. A file that is sent again under
 * the same name is stored once.
 */
export const addReviewPictures = endpoint({
  method: 'POST',
  path: '/home/customer/review-pictures',
  input: z.object({ productId: Id('productId') }),
  output: Acknowledgement,
  isForCustomers: true,
  isMultipart: true,
})

/** The customer's own review of a product, or null, and the ids of the product's reviews that they found helpful. */
export const getOwnReview = endpoint({
  method: 'GET',
  path: '/home/customer/get-own-review/:productId',
  input: z.object({ productId: Id('productId') }),
  output: z.object({ review: z.nullable(Review), votes: z._default(z.array(z.string()), []) }),
  isForCustomers: true,
})

/** Marks a review as helpful, or removes the mark. Returns how many customers find it helpful now. */
export const voteReview = endpoint({
  method: 'PUT',
  path: '/home/customer/review/:reviewId/helpful',
  input: z.object({ reviewId: Id('reviewId'), isHelpful: z.boolean() }),
  output: z.object({ helpful: z.int() }),
  isForCustomers: true,
})

/** Reports a review to the operator. Repeating it changes nothing. */
export const reportReview = endpoint({
  method: 'POST',
  path: '/home/customer/review/:reviewId/report',
  input: z.object({ reviewId: Id('reviewId') }),
  output: Acknowledgement,
  isForCustomers: true,
})
