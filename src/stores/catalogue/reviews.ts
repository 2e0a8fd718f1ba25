import type { Review, ReviewForm } from '#contract/reviews.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { $customer } from '../accounts/session.ts'
import { toast } from '../ui/toasts.ts'

/** Submits a review and shows a toast. Returns the provider's message; throws `ApiError`. */
export async function submitReview(productId: string, form: ReviewForm): Promise<string> {
  const name = $customer.get()?.name
  const { message } = await client.api.submitReview({ ...form, productId, name })
  toast('success', message)
  return message
}

/** The customer's earlier review of a product; null if there is none or it cannot be loaded. */
export async function readOwnReview(productId: string): Promise<Review | null> {
  try {
    return (await client.api.getOwnReview({ productId })).review
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return null
  }
}
