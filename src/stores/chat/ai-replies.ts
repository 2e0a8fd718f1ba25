import { atom } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { receiveMessage } from './arrivals.ts'
import { client } from '../client.ts'
import { toast } from '../ui/toasts.ts'

const UNPROCESSABLE = 422
const NOT_FOUND = 404

/** The sellers whose automated reply is being fetched. */
export const $replying = atom<ReadonlySet<string>>(new Set())

const hasAiBySeller = new Map<string, boolean>()
const pendingBySeller = new Map<string, number>()

/** Whether a seller has automated replies. Cached; false if the provider does not respond. */
export async function loadHasAi(sellerId: string): Promise<boolean> {
  const known = hasAiBySeller.get(sellerId)
  if (known !== undefined) return known
  try {
    const answer = await client.api.getAiStatus({ sellerId })
    hasAiBySeller.set(sellerId, answer.hasAi)
    return answer.hasAi
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}

/** Fetches the automated reply to a stored message, if the seller has automated replies. */
export async function fetchReply(sellerId: string, messageId: string): Promise<void> {
  if (!(await loadHasAi(sellerId))) return
  countPending(sellerId, 1)
  try {
    const { message } = await client.api.getAiReply({ sellerId, messageId })
    receiveMessage(message)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The operator has turned automated replies off since.
    if (error.status === UNPROCESSABLE) hasAiBySeller.delete(sellerId)
    // A 404: the customer has deleted the message in the meantime, or a person has answered it.
    else if (error.status !== NOT_FOUND) toast('error', 'Error fetching AI response')
  } finally {
    countPending(sellerId, -1)
  }
}

/** Clears the cache when the customer changes. */
export function forgetReplies(): void {
  hasAiBySeller.clear()
}

function countPending(sellerId: string, by: 1 | -1): void {
  const pending = (pendingBySeller.get(sellerId) ?? 0) + by
  if (pending > 0) pendingBySeller.set(sellerId, pending)
  else pendingBySeller.delete(sellerId)
  $replying.set(new Set(pendingBySeller.keys()))
}
