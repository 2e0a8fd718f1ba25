import { computed } from 'nanostores'
import { events } from '#contract/realtime.ts'
import { ApiError } from '#lib/api.ts'
import { FRESH_FILES_MS } from '#lib/constants.ts'
import { forgetReplies, loadHasAi } from './ai-replies.ts'
import { catchUp, receiveMessage } from './arrivals.ts'
import { client } from '../client.ts'
import { fetchCurrent } from './current.ts'
import { renewBefore } from './earlier.ts'
import { $friends, clearUnread, loadFriends, showFriends } from './friends.ts'
import { clear } from '../load.ts'
import { keepFresh, notifyOtherTabs } from '../cross-tab-sync.ts'
import { $openChat, isInView, openSellerId } from './open-chat.ts'
import { $outbox, sendWaiting } from './outbox.ts'
import { $isConnected, onEvent } from '../socket-events.ts'
import { $customer } from '../accounts/session.ts'
import { $threads, dropMessages, forgetThreads, isKnown, messagesOf, putNewest, showSeen } from './threads.ts'
import { toast } from '../ui/toasts.ts'

/** The messages of the open conversation. */
export const $messages = computed([$openChat, $threads], (open, threads) =>
  open.state === 'none' ? [] : (threads.get(open.sellerId) ?? []),
)

/** The seller of the open conversation; null until loaded. */
export const $currentFriend = computed([$openChat, $friends], (open, friends) =>
  open.state === 'none' || friends.state !== 'ready'
    ? null
    : (friends.value.find(({ id }) => id === open.sellerId) ?? null),
)

/** The customer's messages in the open conversation that the provider has not confirmed, oldest first. */
export const $waiting = computed([$openChat, $outbox, $messages], (open, outbox, messages) => {
  const stored = new Set(messages.map(({ clientId }) => clientId))
  return outbox.filter(each => open.state !== 'none' && each.sellerId === open.sellerId && !stored.has(each.clientId))
})

/** Opens the conversation with a seller, who becomes a friend. Known messages are shown before the rest has loaded. */
export async function openChat(sellerId: string): Promise<void> {
  const userId = $customer.get()?.id
  if (!userId) return
  $openChat.set({ state: isKnown(sellerId) ? 'ready' : 'loading', sellerId })
  void loadHasAi(sellerId)
  try {
    const { messages = [], friends } = await fetchCurrent(() => client.api.openConversation({ sellerId, userId }))
    if ($customer.get()?.id !== userId) return
    showFriends(friends)
    putNewest(sellerId, messages)
    if (openSellerId() === sellerId) $openChat.set({ state: 'ready', sellerId })
    await markMessagesSeen()
    await renewBefore(sellerId, messages[0]?.id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (openSellerId() === sellerId && $customer.get()?.id === userId) showFailure(sellerId, error)
  }
}

function showFailure(sellerId: string, { status, message }: ApiError): void {
  if (status === 404 || status === 400) $openChat.set({ state: 'missing', sellerId })
  else if (!isKnown(sellerId)) $openChat.set({ state: 'failed', sellerId, message })
}

export function closeChat(): void {
  $openChat.set({ state: 'none' })
}

let marking: Promise<void> | undefined

/** Marks the messages that the customer is looking at as seen. Failures are ignored. */
export function markMessagesSeen(): Promise<void> {
  marking ??= markUnseen().finally(() => (marking = undefined))
  return marking
}

async function markUnseen(): Promise<void> {
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
    // Messages that a provider does not number are not marked here: asking again would change nothing.
    if (upTo === 0) return
  }
}

/** The seller whose conversation the customer is looking at, if it has unseen messages. */
function unseenSeller(): string | null {
  const sellerId = openSellerId()
  if (!sellerId || !isInView(sellerId)) return null
  const isNew = messagesOf(sellerId).some(({ senderId, status }) => senderId === sellerId && status !== 'seen')
  return isNew ? sellerId : null
}

/** Deletes one of the customer's own messages for both sides and shows the outcome in a toast. */
export async function deleteMessage(sellerId: string, messageId: string): Promise<void> {
  try {
    const { message } = await client.api.deleteMessage({ messageId })
    dropMessages(sellerId, [messageId])
    if (!$isConnected.get()) notifyOtherTabs('chat')
    void loadFriends()
    toast('success', message || 'Message deleted successfully')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast('error', error.isSilent ? 'An error occurred while deleting the message' : error.message)
  }
}

/** Loads everything that may have been missed without a connection. */
function refresh(): void {
  const sellerId = openSellerId()
  void loadFriends()
  if (sellerId && isKnown(sellerId)) void catchUp(sellerId)
  else if (sellerId) void openChat(sellerId)
  void sendWaiting()
}

let renewedAt = 0

/** Reloads the conversation so that its files get new URLs: the old ones expire, for example while a laptop sleeps. */
function renewFileUrls(): void {
  if (Date.now() - renewedAt < FRESH_FILES_MS) return
  renewedAt = Date.now()
  const sellerId = openSellerId()
  if (sellerId && messagesOf(sellerId).some(({ attachments }) => attachments.length > 0)) void openChat(sellerId)
}

function resetForCustomer(): void {
  const sellerId = openSellerId()
  forgetThreads()
  forgetReplies()
  clear($friends)
  if (!$customer.get()) return closeChat()
  void loadFriends()
  if (sellerId) void openChat(sellerId)
}

function listenToEvents(): (() => void)[] {
  return [
    onEvent(events.sellerMessage, receiveMessage),
    onEvent(events.ownMessage, receiveMessage),
    onEvent(events.messageDeleted, ({ sellerId, messageId }) => dropMessages(sellerId, [messageId])),
    onEvent(events.messagesSeen, ({ sellerId, upTo }) => showSeen(sellerId, $customer.get()?.id ?? '', upTo)),
    onEvent(events.messagesRead, ({ sellerId, upTo }) => {
      showSeen(sellerId, sellerId, upTo)
      clearUnread(sellerId)
    }),
  ]
}

/** Keeps the chat up to date while its page is shown. Returns a function that stops it. */
export function followChat(): () => void {
  renewedAt = Date.now()
  const online = () => void sendWaiting()
  addEventListener('online', online)
  const stops = [
    ...listenToEvents(),
    $customer.listen(resetForCustomer),
    // Messages that arrive in the conversation the customer is looking at count as seen.
    $messages.listen(() => void markMessagesSeen()),
    $isConnected.listen(isConnected => isConnected && refresh()),
    keepFresh('chat', () => {
      refresh()
      renewFileUrls()
      void markMessagesSeen()
    }),
  ]
  // Opening a conversation loads the friends as well.
  if (!openSellerId()) void loadFriends()
  void sendWaiting()
  return () => {
    removeEventListener('online', online)
    for (const stop of stops) stop()
  }
}
