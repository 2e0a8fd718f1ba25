import type { Message } from '#contract/chat.ts'
import { ApiError } from '#lib/api.ts'
import { sellerOf } from '#lib/chat/chat.ts'
import { oneAtATime } from '#lib/one-at-a-time.ts'
import { client } from '../client.ts'
import { fetchCurrent, noteChange } from './current.ts'
import { moveToTop, loadFriends } from './friends.ts'
import { isInView } from './open-chat.ts'
import { $customer } from '../accounts/session.ts'
import { dropMessages, isKnown, putMessage, putNewest, putNext, showSeen, syncedId } from './threads.ts'

/** Shows a stored message, sent or received. Loads missing messages before it. */
export function receiveMessage(message: Message): void {
  const userId = $customer.get()?.id
  if (!userId) return
  noteChange()
  const sellerId = sellerOf(message, userId)
  const isUnread = message.senderId === sellerId && message.status !== 'seen' && !isInView(sellerId)
  if (!moveToTop(sellerId, message, isUnread)) void loadFriends()
  // A conversation that was not opened yet is loaded whole when the customer opens it.
  if (isKnown(sellerId) && !putMessage(sellerId, message)) void catchUp(sellerId)
}

const loadersBySeller = new Map<string, () => Promise<void>>()

/**
 * Loads everything that happened in a conversation since the last message that is complete here. Failures are ignored,
 * because the next refresh tries again.
 */
export function catchUp(sellerId: string): Promise<void> {
  const load = loadersBySeller.get(sellerId) ?? oneAtATime(() => loadMissing(sellerId))
  loadersBySeller.set(sellerId, load)
  return load()
}

async function loadMissing(sellerId: string): Promise<void> {
  const userId = $customer.get()?.id
  if (!userId || !isKnown(sellerId)) return
  try {
    let hasMore = true
    while (hasMore) {
      const since = syncedId(sellerId)
      const answer = since
        ? await client.api.getMessages({ sellerId, since })
        : await fetchCurrent(() => client.api.getMessages({ sellerId }))
      if ($customer.get()?.id !== userId) return
      if (since) putNext(sellerId, answer.messages)
      else putNewest(sellerId, answer.messages)
      dropMessages(sellerId, answer.deletedIds)
      showSeen(sellerId, userId, answer.seenUpTo)
      hasMore = answer.hasMore && syncedId(sellerId) !== since
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
