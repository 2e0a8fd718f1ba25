import { type Message, wordsOf } from '#contract/chat.ts'
import { lazily } from '#lib/lazily.ts'

/** The seller id in the path of a conversation; null for none. */
export function sellerIdOf(pathname: string): string | null {
  const [, , , name = ''] = pathname.split('/')
  try {
    return decodeURIComponent(name) || null
  } catch {
    // Not one of our paths.
    return null
  }
}

/** The seller of a message that the customer wrote or received. */
export function sellerOf({ senderId, receiverId }: Message, customerId: string): string {
  return senderId === customerId ? receiverId : senderId
}

/** Merges messages by id, in the provider's order. `updates` replace known messages, but a seen message stays seen. */
export function merged(known: Message[], updates: Message[]): Message[] {
  const byId = new Map([...known, ...stillSeen(known, updates)].map(message => [message.id, message]))
  return [...byId.values()].toSorted((a, b) => a.seq - b.seq)
}

/**
 * Like `merged`, but `newest` has no gaps: known messages missing within its range were deleted. If `newest` is a full
 * page and the known messages end before it, they are dropped, because messages in between may be missing.
 */
export function withNewest(known: Message[], newest: Message[], isPage: boolean): Message[] {
  const [first, last] = [newest[0]?.seq ?? 0, newest.at(-1)?.seq ?? Infinity]
  const isApart = isPage && (known.findLast(({ seq }) => seq <= last)?.seq ?? 0) < first
  return merged(
    known.filter(({ seq }) => (seq < first && !isApart) || seq > last),
    stillSeen(known, newest),
  )
}

/** A response may be older than the socket events that came before it. */
function stillSeen(known: Message[], updates: Message[]): Message[] {
  const seen = new Set(known.filter(({ status }) => status === 'seen').map(({ id }) => id))
  return updates.map(message => (seen.has(message.id) ? { ...message, status: 'seen' } : message))
}

/** Whether a person at the shop should reply: a message was escalated and no person has written since. */
export function needsAttention(messages: Message[], sellerId: string): boolean {
  const escalated = messages.findLastIndex(message => message.needsAttention)
  const answered = messages.findLastIndex(({ senderId, isAutomated }) => senderId === sellerId && !isAutomated)
  return escalated > answered
}

/** One line for the list of conversations: the text, the names of the files, or that of the card. */
export function previewOf({ text, attachments, about }: Pick<Message, 'text' | 'attachments' | 'about'>): string {
  const files = attachments.map(({ originalName }) => originalName).join(', ')
  return wordsOf({ text, about }).trim() || files || (about?.name ?? '')
}

const times = lazily(() => new Intl.DateTimeFormat('en', { timeStyle: 'short' }))
const days = lazily(() => new Intl.DateTimeFormat('en', { weekday: 'long', month: 'short', day: 'numeric' }))
const daysOfYears = lazily(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium' }))

/** '2:05 PM', in the customer's time zone. */
export function formatTime(iso: string): string {
  return times().format(new Date(iso))
}

/** 'Today', 'Yesterday', 'Friday, Oct 3'; with the year if it is not the current one. */
export function formatChatDay(iso: string, now = new Date()): string {
  const day = new Date(iso)
  if (day.toDateString() === now.toDateString()) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (day.getFullYear() === now.getFullYear() ? days() : daysOfYears()).format(day)
}

/** When a conversation was last used: the time if today, otherwise the day. */
export function formatLast(iso: string, now = new Date()): string {
  const day = formatChatDay(iso, now)
  return day === 'Today' ? formatTime(iso) : day.replace(/^\w+day, /, '')
}
