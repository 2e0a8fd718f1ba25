import { atom } from 'nanostores'
import type { Friend, Message } from '#contract/chat.ts'
import { previewOf } from '#lib/chat/chat.ts'
import { client } from '../client.ts'
import { fetchCurrent, noteChange } from './current.ts'
import { type Load, loadInto } from '../load.ts'
import { $customer } from '../accounts/session.ts'

/** The sellers whom the customer chats with, most recent first. */
export const $friends = atom<Load<Friend[]>>({ state: 'loading' })

/** Loads the friends. A failure is shown through `$friends` if nothing is loaded yet. */
export async function loadFriends(): Promise<void> {
  const userId = $customer.get()?.id
  if (!userId) return
  await loadInto($friends, async () => {
    const { friends } = await fetchCurrent(() => client.api.openConversation({ sellerId: '', userId }))
    return friends
  })
}

/** Shows the friends that the provider has just returned, most recent first. */
export function showFriends(friends: Friend[]): void {
  noteChange()
  $friends.set({ state: 'ready', value: friends })
}

/** Moves the message's conversation to the top. Returns false if the seller is not a known friend. */
export function moveToTop(sellerId: string, message: Message, isUnread: boolean): boolean {
  const shown = $friends.get()
  const friend = shown.state === 'ready' ? shown.value.find(({ id }) => id === sellerId) : undefined
  if (shown.state !== 'ready' || !friend) return false
  // The same message can arrive twice, by HTTP and by socket; count it once.
  if (friend.lastAt && friend.lastAt >= message.createdAt) return true
  const unread = friend.unread + (isUnread ? 1 : 0)
  const next = { ...friend, unread, lastMessage: previewOf(message), lastAt: message.createdAt }
  showFriends([next, ...shown.value.filter(each => each !== friend)])
  return true
}

/** Sets a seller's count of unread messages to 0. */
export function clearUnread(sellerId: string): void {
  const shown = $friends.get()
  if (shown.state !== 'ready' || !shown.value.some(({ id, unread }) => id === sellerId && unread > 0)) return
  showFriends(shown.value.map(each => (each.id === sellerId ? { ...each, unread: 0 } : each)))
}
