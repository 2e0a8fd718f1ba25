import { atom } from 'nanostores'
import type { Friend, Message } from '#contract/chat.ts'
import { previewOf } from '#lib/chat/chat.ts'
import { client } from '../client.ts'
import { type Load, loadInto } from '../load.ts'
import { $customer } from '../accounts/session.ts'

/** The sellers whom the customer talks to, the latest first. */
export const $friends = atom<Load<Friend[]>>({ state: 'loading' })

/** Asks who they are. Failures are on the store where nothing else is shown. */
export async function loadFriends(): Promise<void> {
  const userId = $customer.get()?.id
  if (userId) await loadInto($friends, () => ask(userId))
}

/** Rises with each change: what was asked before it is no news any more. */
let changes = 0

async function ask(userId: string): Promise<Friend[]> {
  const asked = changes
  const { friends } = await client.api.openConversation({ sellerId: '', userId })
  return asked === changes ? friends : ask(userId)
}

/** Shows these as the provider has just told them, the latest first. */
export function showFriends(friends: Friend[]): void {
  changes += 1
  $friends.set({ state: 'ready', value: friends })
}

/** Puts the conversation of a message first; false when the seller is none of those who are known. */
export function bringForward(sellerId: string, message: Message, isUnread: boolean): boolean {
  const shown = $friends.get()
  const friend = shown.state === 'ready' ? shown.value.find(({ id }) => id === sellerId) : undefined
  if (shown.state !== 'ready' || !friend) return false
  // One that is known already, as a reply that came twice, counts once.
  if (friend.lastAt && friend.lastAt >= message.createdAt) return true
  const unread = friend.unread + (isUnread ? 1 : 0)
  const next = { ...friend, unread, lastMessage: previewOf(message), lastAt: message.createdAt }
  showFriends([next, ...shown.value.filter(each => each !== friend)])
  return true
}

/** The customer has seen everything that this seller wrote. */
export function clearUnread(sellerId: string): void {
  const shown = $friends.get()
  if (shown.state !== 'ready' || !shown.value.some(({ id, unread }) => id === sellerId && unread > 0)) return
  showFriends(shown.value.map(each => (each.id === sellerId ? { ...each, unread: 0 } : each)))
}
