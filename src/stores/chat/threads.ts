import { atom } from 'nanostores'
import { type Message, MESSAGES_PAGE } from '#contract/chat.ts'
import { merged, withNewest } from '#lib/chat/chat.ts'

/** The messages of the conversations opened on this page, by seller, in the provider's order. */
export const $threads = atom<ReadonlyMap<string, Message[]>>(new Map())

/** The sellers whose conversations have older messages that are not loaded. */
export const $hasEarlier = atom<ReadonlySet<string>>(new Set())

/** By seller: the last message up to which none is missing. `catchUp` loads what comes after it. */
const lastSynced = new Map<string, Pick<Message, 'id' | 'seq'>>()

/** The ids of deleted messages: a response from before the deletion still contains them. */
const deleted = new Set<string>()

/** The loaded messages, oldest first; empty for a conversation that was not opened. */
export function messagesOf(sellerId: string): Message[] {
  return $threads.get().get(sellerId) ?? []
}

/** Whether the conversation was opened on this page. */
export function isKnown(sellerId: string): boolean {
  return $threads.get().has(sellerId)
}

/** The id of the last message up to which none is missing; undefined if there is none. */
export function syncedId(sellerId: string): string | undefined {
  return lastSynced.get(sellerId)?.id
}

/** Adds a message to a conversation. Returns false if messages before it are missing. */
export function putMessage(sellerId: string, message: Message): boolean {
  updateThread(sellerId, known => merged(known, [message]))
  const last = lastSynced.get(sellerId)?.seq ?? 0
  if (message.seq > last + 1) return false
  if (message.seq === last + 1) lastSynced.set(sellerId, message)
  return true
}

/** Adds messages that the provider stored after the last known one; it may be one page of several. */
export function putNext(sellerId: string, next: Message[]): void {
  updateThread(sellerId, known => merged(known, next))
  const last = next.at(-1)
  if (last && last.seq > (lastSynced.get(sellerId)?.seq ?? 0)) lastSynced.set(sellerId, last)
}

/** Adds the newest messages, which have no gaps: a known message missing among them was deleted. */
export function putNewest(sellerId: string, answer: Message[]): void {
  const isPage = answer.length >= MESSAGES_PAGE
  const newest = answer.filter(isThere)
  const known = withNewest(messagesOf(sellerId), newest, isPage)
  $threads.set(new Map($threads.get()).set(sellerId, known))
  if (known[0]?.id === newest[0]?.id) showEarlier(sellerId, isPage && (newest[0]?.seq ?? 1) > 1)
  const last = newest.at(-1)
  if (last) lastSynced.set(sellerId, last)
  else lastSynced.delete(sellerId)
}

/** Adds the page before the message `before`, if that is still known. Returns the id of the page's first message. */
export function putEarlier(sellerId: string, before: string, page: Message[], hasMore: boolean): string | undefined {
  const known = messagesOf(sellerId)
  const next = known.find(({ id }) => id === before)
  // Some providers of this API ignore `before` and return the newest messages.
  const earlier = page.filter(({ seq }) => next && seq < next.seq)
  updateThread(sellerId, () => merged(known, earlier))
  if (next === known[0]) showEarlier(sellerId, hasMore && earlier.length > 0)
  return earlier[0]?.id
}

/** Removes deleted messages. */
export function dropMessages(sellerId: string, ids: string[]): void {
  for (const id of ids) deleted.add(id)
  updateThread(sellerId, known => known)
}

/** Marks the messages that `senderId` wrote, up to this `seq`, as seen by the other side. */
export function showSeen(sellerId: string, senderId: string, upTo: number): void {
  // 0 comes from providers that do not number messages.
  if (upTo === 0) return
  updateThread(sellerId, known =>
    known.map(message =>
      message.senderId === senderId && message.seq <= upTo && message.status !== 'seen'
        ? { ...message, status: 'seen' }
        : message,
    ),
  )
}

/** Clears all conversations when the customer changes. */
export function forgetThreads(): void {
  lastSynced.clear()
  deleted.clear()
  $hasEarlier.set(new Set())
  $threads.set(new Map())
}

function showEarlier(sellerId: string, hasEarlier: boolean): void {
  const sellers = new Set($hasEarlier.get())
  if (hasEarlier) sellers.add(sellerId)
  else sellers.delete(sellerId)
  $hasEarlier.set(sellers)
}

/** Changes the known messages, and leaves out deleted ones. */
function updateThread(sellerId: string, update: (known: Message[]) => Message[]): void {
  const known = messagesOf(sellerId)
  const next = update(known).filter(isThere)
  const isSame = next.length === known.length && next.every((message, at) => message === known[at])
  if (!isSame) $threads.set(new Map($threads.get()).set(sellerId, next))
}

function isThere({ id }: Message): boolean {
  return !deleted.has(id)
}
