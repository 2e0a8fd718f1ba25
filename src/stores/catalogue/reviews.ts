import type { Review, ReviewForm } from '#contract/reviews.ts'
import { ApiError } from '#lib/api.ts'
import { client } from '../client.ts'
import { $customer } from '../accounts/session.ts'
import { toast } from '../ui/toasts.ts'

/** Sends the customer's review of a product. Resolves with the provider's words; rejects with an `ApiError`. */
export async function submitReview(productId: string, form: ReviewForm): Promise<string> {
  const name = $customer.get()?.name
  const { message } = await client.api.submitReview({ ...form, productId, name })
  toast('success', message)
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
