import { computed } from 'nanostores'
import { events } from '#contract/realtime.ts'
import { ApiError } from '#lib/api.ts'
import { FRESH_FILES_MS } from '#lib/constants.ts'
import { forgetReplies, learnAi } from './ai-replies.ts'
import { arrive, catchUp } from './arrivals.ts'
import { client } from '../client.ts'
import { renewBefore } from './earlier.ts'
import { $friends, clearUnread, loadFriends, showFriends } from './friends.ts'
import { clear } from '../load.ts'
import { keepFresh, tellOtherTabs } from '../cross-tab-sync.ts'
import { $openChat, isLookedAt, openSellerId } from './open-chat.ts'
import { $outbox, sendWaiting } from './outbox.ts'
import { $isConnected, hear } from '../realtime.ts'
import { $customer } from '../accounts/session.ts'
import { $threads, dropMessages, forgetThreads, isKnown, messagesOf, putNewest, showSeen } from './threads.ts'
import { toast } from '../ui/toasts.ts'

/** The messages of the conversation that is shown. */
export const $messages = computed([$openChat, $threads], (open, threads) =>
  open.state === 'none' ? [] : (threads.get(open.sellerId) ?? []),
)

/** The seller with whom it is; null until they are known. */
export const $currentFriend = computed([$openChat, $friends], (open, friends) =>
  open.state === 'none' || friends.state !== 'ready'
    ? null
    : (friends.value.find(({ id }) => id === open.sellerId) ?? null),
)

/** What the customer wrote in it that the provider has not confirmed, oldest first. */
export const $waiting = computed([$openChat, $outbox, $messages], (open, outbox, messages) => {
  const stored = new Set(messages.map(({ clientId }) => clientId))
  return outbox.filter(each => open.state !== 'none' && each.sellerId === open.sellerId && !stored.has(each.clientId))
})

/** Shows the conversation with a seller, who becomes a friend; what is known of it at once. */
export async function openChat(sellerId: string): Promise<void> {
  const userId = $customer.get()?.id
  if (!userId) return
  $openChat.set({ state: isKnown(sellerId) ? 'ready' : 'loading', sellerId })
  void learnAi(sellerId)
  try {
    const { messages = [], friends } = await client.api.openConversation({ sellerId, userId })
    if ($customer.get()?.id !== userId) return
    showFriends(friends)
    putNewest(sellerId, messages)
    if (openSellerId() === sellerId) $openChat.set({ state: 'ready', sellerId })
    await seeMessages()
    await renewBefore(sellerId, messages[0]?.id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (openSellerId() === sellerId) explain(sellerId, error)
  }
}

function explain(sellerId: string, { status, message }: ApiError): void {
  if (status === 404 || status === 400) $openChat.set({ state: 'missing', sellerId })
  else if (!isKnown(sellerId)) $openChat.set({ state: 'failed', sellerId, message })
}

/** No conversation is shown. */
export function closeChat(): void {
  $openChat.set({ state: 'none' })
}

let seeing: Promise<void> | undefined

/** Tells the provider that the customer has seen what is shown, if somebody looks at it; quiet where that fails. */
export function seeMessages(): Promise<void> {
  seeing ??= see().finally(() => (seeing = undefined))
  return seeing
}

async function see(): Promise<void> {
  for (let sellerId = unseenSeller(); sellerId; sellerId = unseenSeller()) {
    const userId = $customer.get()?.id
    if (!userId) return
    const upTo = messagesOf(sellerId).at(-1)?.seq ?? 0
    try {
      await client.api.markSeen({ sellerId, userId })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return
    }
    showSeen(sellerId, sellerId, upTo)
    clearUnread(sellerId)
  }
}

/** The seller whose conversation somebody looks at, if there is anything new in it. */
function unseenSeller(): string | null {
  const sellerId = openSellerId()
  if (!sellerId || !isLookedAt(sellerId)) return null
  const isNew = messagesOf(sellerId).some(({ senderId, status }) => senderId === sellerId && status !== 'seen')
  return isNew ? sellerId : null
}

/** Deletes one of the customer's own messages, for both sides, and says how that went. */
export async function deleteMessage(sellerId: string, messageId: string): Promise<void> {
  try {
    const { message } = await client.api.deleteMessage({ messageId })
    dropMessages(sellerId, [messageId])
    if (!$isConnected.get()) tellOtherTabs('chat')
    void loadFriends()
    toast('success', message || 'Message deleted successfully')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast('error', error.isSilent ? 'An error occurred while deleting the message' : error.message)
  }
}

/** Asks for everything that may have happened while nobody told it. */
function refresh(): void {
  const sellerId = openSellerId()
  void loadFriends()
  if (sellerId && isKnown(sellerId)) void catchUp(sellerId)
  else if (sellerId) void openChat(sellerId)
  void sendWaiting()
}

let renewedAt = 0

/** The same messages with addresses that have not expired; a device that slept finds old ones when it wakes. */
function renewAddresses(): void {
  if (Date.now() - renewedAt < FRESH_FILES_MS) return
  renewedAt = Date.now()
  const sellerId = openSellerId()
  if (sellerId && messagesOf(sellerId).some(({ attachments }) => attachments.length > 0)) void openChat(sellerId)
}

function restart(): void {
  const sellerId = openSellerId()
  forgetThreads()
  forgetReplies()
  clear($friends)
  if (!$customer.get()) return closeChat()
  void loadFriends()
  if (sellerId) void openChat(sellerId)
}

function listen(): (() => void)[] {
  return [
    hear(events.sellerMessage, arrive),
    hear(events.ownMessage, arrive),
    hear(events.messageDeleted, ({ sellerId, messageId }) => dropMessages(sellerId, [messageId])),
    hear(events.messagesSeen, ({ sellerId, upTo }) => showSeen(sellerId, $customer.get()?.id ?? '', upTo)),
    hear(events.messagesRead, ({ sellerId, upTo }) => {
      showSeen(sellerId, sellerId, upTo)
      clearUnread(sellerId)
    }),
  ]
}

/** Keeps everything about the chat as it is at the provider, as long as its page is shown; answers how to stop. */
export function followChat(): () => void {
  renewedAt = Date.now()
  const online = () => void sendWaiting()
  addEventListener('online', online)
  const stops = [
    ...listen(),
    $customer.listen(restart),
    // Whatever comes into the conversation that somebody looks at is seen.
    $messages.listen(() => void seeMessages()),
    $isConnected.listen(isConnected => isConnected && refresh()),
    keepFresh('chat', () => {
      refresh()
      renewAddresses()
      void seeMessages()
    }),
  ]
  // Opening a conversation tells of all friends.
  if (!openSellerId()) void loadFriends()
  void sendWaiting()
  return () => {
    removeEventListener('online', online)
    for (const stop of stops) stop()
  }
}
