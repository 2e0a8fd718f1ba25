import type { Review, ReviewForm } from '#contract/reviews.ts'
import { ApiError } from '#lib/api.ts'
import { showNewReviews } from '#page-scripts/catalogue/review-pager.ts'
import { client } from '../client.ts'
import { $customer } from '../accounts/session.ts'
import { toast } from '../ui/toasts.ts'

/** Sends what the customer thinks of a product and shows the page's reviews anew. Answers what it said; throws `ApiError`. */
export async function submitReview(productId: string, form: ReviewForm): Promise<string> {
  const name = $customer.get()?.name
  const { message } = await client.api.submitReview({ ...form, productId, name })
  toast('success', message)
  await showNewReviews()
  return message
}

/** What the customer wrote about a product before; null for nothing, or when it cannot be told right now. */
export async function readOwnReview(productId: string): Promise<Review | null> {
  try {
    return (await client.api.getOwnReview({ productId })).review
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return null
  }
}
