import { atom } from 'nanostores'
import type { Review, ReviewForm } from '#contract/reviews.ts'
import { ApiError } from '#lib/api.ts'
import type { OnProgress } from '#lib/chat/upload.ts'
import { client } from '../client.ts'
import { $customer, $customerId, hasEndedSession } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

interface Pictures {
  /** New ones. */
  files?: File[]
  /** The ids of those of the former review that stay. */
  kept?: string[]
  onProgress?: OnProgress
}

/**
 * Submits a review, and sends its pictures after that. Throws an `ApiError` if the review is rejected, or the session
 * ends before the pictures are sent. If only the pictures are rejected, a toast says so and the result is false.
 */
export async function submitReview(
  productId: string,
  form: ReviewForm,
  { files = [], kept = [], onProgress = () => {} }: Pictures = {},
): Promise<boolean> {
  const name = $customer.get()?.name
  const { message } = await client.api.submitReview({ ...form, productId, name, pictures: kept })
  if (files.length > 0 && !(await sendPictures(productId, files, onProgress))) return false
  toast('success', message)
  return true
}

async function sendPictures(productId: string, files: File[], onProgress: OnProgress): Promise<boolean> {
  onProgress(0)
  try {
    await client.upload(onProgress, new AbortController().signal).addReviewPictures({ productId, files })
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || hasEndedSession(error)) throw error
    const title = 'Your review is saved, but its pictures could not be sent. Please try again.'
    toast('error', title, { details: error.message })
    return false
  }
}

/** The reviews that the customer found helpful, as far as they are known. */
export const $votes = atom<ReadonlySet<string>>(new Set())

startInBrowser($votes, () => [$customerId.listen(() => $votes.set(new Set()))])

/** The customer's earlier review of a product; null if there is none. Loads their votes too. Throws `ApiError`. */
export async function readOwnReview(productId: string): Promise<Review | null> {
  const userId = $customerId.get()
  try {
    const { review, votes } = await client.api.getOwnReview({ productId })
    if ($customerId.get() === userId) $votes.set(new Set(votes))
    return review
  } catch (error) {
    // A provider of this API may not have the call.
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** The same; undefined if it cannot be loaded. */
export async function peekOwnReview(productId: string): Promise<Review | null | undefined> {
  try {
    return await readOwnReview(productId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

/** Marks a review as helpful, or removes the mark. Returns how many customers find it helpful; throws `ApiError`. */
export async function voteReview(reviewId: string, isHelpful: boolean): Promise<number> {
  const { helpful } = await client.api.voteReview({ reviewId, isHelpful })
  const votes = new Set($votes.get())
  if (isHelpful) votes.add(reviewId)
  else votes.delete(reviewId)
  $votes.set(votes)
  return helpful
}

/** Reports a review and shows a toast. Throws `ApiError`. */
export async function reportReview(reviewId: string): Promise<void> {
  const { message } = await client.api.reportReview({ reviewId })
  toast('success', message)
}
