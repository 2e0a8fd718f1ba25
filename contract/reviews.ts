import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { queryPage, text } from './wire.ts'

/** `date` is ISO 8601. */
export const Review = z.object({
  _id: z.string(),
  name: z.string(),
  review: z.string(),
  rating: z.int(),
  date: z.string(),
  verifiedBuyer: z._default(z.boolean(), false),
})
export type Review = z.output<typeof Review>

const RatingCount = renamed({ rating: z.int(), sum: z.int() }, { sum: 'count' })

/** `countByRating` has five entries, five stars first. */
export const getReviews = endpoint({
  method: 'GET',
  path: '/home/customer/get-reviews/:productId',
  input: renamed({ productId: text('productId', 100), pageNo: queryPage('pageNo') }, { pageNo: 'page' }),
  output: renamed(
    { reviews: z.array(Review), totalReview: z.int(), rating_review: z.array(RatingCount) },
    { totalReview: 'total', rating_review: 'countByRating' },
  ),
})
