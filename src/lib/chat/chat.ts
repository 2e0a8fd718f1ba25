import type { Message } from '#contract/chat.ts'

/** The seller whose conversation the address names; null for none. */
export function sellerIdOf(pathname: string): string | null {
  const [, , , name = ''] = pathname.split('/')
  try {
    return decodeURIComponent(name) || null
  } catch {
    // Not an address of ours.
    return null
  }
}

/** The other side of a message that the customer wrote or received. */
export function sellerOf({ senderId, receiverId }: Message, customerId: string): string {
  return senderId === customerId ? receiverId : senderId
}

/** Both in the order of the provider, each message once; what is news replaces what was known, but for what was seen. */
export function merged(known: Message[], news: Message[]): Message[] {
  const byId = new Map([...known, ...stillSeen(known, news)].map(message => [message.id, message]))
  return [...byId.values()].toSorted((a, b) => a.seq - b.seq)
}

/**
 * As `merged` where `newest` is everything from its first message to its last: what is missing there was deleted. What
 * ends before a whole page of them goes: nobody knows what came between.
 */
export function withNewest(known: Message[], newest: Message[], isPage: boolean): Message[] {
  const [first, last] = [newest[0]?.seq ?? 0, newest.at(-1)?.seq ?? Infinity]
  const isApart = isPage && (known.findLast(({ seq }) => seq <= last)?.seq ?? 0) < first
  return merged(
    known.filter(({ seq }) => (seq < first && !isApart) || seq > last),
    stillSeen(known, newest),
  )
}

/** An answer that is older than what the socket told may come after it. */
function stillSeen(known: Message[], news: Message[]): Message[] {
  const seen = new Set(known.filter(({ status }) => status === 'seen').map(({ id }) => id))
  return news.map(message => (seen.has(message.id) ? { ...message, status: 'seen' } : message))
}

/**
 * Whether a person should look at the conversation: something in it was escalated, and none has written to the customer
 * since.
 */
export function needsAttention(messages: Message[], sellerId: string): boolean {
  const escalated = messages.findLastIndex(message => message.needsAttention)
  const answered = messages.findLastIndex(({ senderId, isAutomated }) => senderId === sellerId && !isAutomated)
  return escalated > answered
}

/** One line for a list: the text, or what else was sent. */
export function previewOf({ text, attachments }: Pick<Message, 'text' | 'attachments'>): string {
  return text.trim() || attachments.map(({ originalName }) => originalName).join(', ')
}

const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'short', day: 'numeric' })
const YEAR = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

/** '2:05 PM', where the customer is. */
export function formatTime(iso: string): string {
  return TIME.format(new Date(iso))
}

/** 'Today', 'Yesterday', 'Friday, Oct 3', or with the year when it is another one. */
export function formatChatDay(iso: string, now = new Date()): string {
  const day = new Date(iso)
  if (day.toDateString() === now.toDateString()) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (day.getFullYear() === now.getFullYear() ? DAY : YEAR).format(day)
}

/** When a conversation was last used, in a few characters: the time today, the day before. */
export function formatLast(iso: string, now = new Date()): string {
  const day = formatChatDay(iso, now)
  return day === 'Today' ? formatTime(iso) : day.replace(/^\w+day, /, '')
}
