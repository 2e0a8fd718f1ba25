import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Category, type Message, wordsOf } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import { DAY_MS } from '#contract/rules.ts'
import { conversations, messages } from '../db/schema.ts'
import type { Db } from '../db/types.ts'
import { isEmailConfirmed } from '../accounts/email-confirmation.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { ConflictError, NotFoundError, UnavailableError } from '../platform/errors.ts'
import { AssistantAwayError, type Reply } from './ai/assistant.ts'
import { asksForPerson, needsAttention } from './ai/escalation.ts'
import type { Assistants } from './ai/assistants.ts'
import type { Announcer } from './announcer.ts'
import { readQuestion } from './ai-question.ts'
import { announceMessage } from './announcing.ts'
import { storeMessage } from './messages.ts'
import { type Chat, toMessages } from './view.ts'
import { type Between, hasAi, readConversation } from './conversations.ts'

export interface AutomatedReply {
  message: Message
  category: Category
  needsAttention: boolean
}

export interface AiOptions extends Chat {
  assistants: Assistants
  announcer: Announcer
  limits: {
    take(name: 'ai' | 'aiPerDay', userId: string): Promise<void>
    allows(name: 'aiUnconfirmed' | 'aiBudget', key: string): Promise<boolean>
  }
  publicUrl: string
  log: Pick<Logger, 'warn'>
}

/** Counts a reply of the AI service against the limit of the client's address. Resolves to false beyond it. */
type IpLimit = () => Promise<boolean>

/** After a customer has asked for a person, no automated replies for this long, or for this many messages. */
const QUIET_MS = DAY_MS
const QUIET_MESSAGES = 50

type Stored = typeof messages.$inferSelect

const noMessage = () => new NotFoundError('There is no such message')

/**
 * Replies to customers' messages in the shop's name. `reply` answers one of the customer's own messages; the reply is
 * stored and announced like any other message, and repeated calls return it again. Throws a `NotFoundError` for any
 * other message, once a person of the shop has answered, and after the customer has asked for one; a `ConflictError` if
 * the shop has no automated replies; a `TooManyRequestsError` beyond the limits; and an `UnavailableError` when no
 * reply can be made now. Without a reply, only a mark that a person should read the message may be stored and
 * announced.
 */
export function openAiReplies(options: AiOptions) {
  const { db, limits } = options
  const replies = singleFlight<AutomatedReply>()

  async function findOrWriteReply(between: Between, asked: Stored, withinIpLimit: IpLimit): Promise<AutomatedReply> {
    const stored = await readReply(options, between, asked.id)
    if (stored) return stored
    if (await isAnswered(db, asked)) throw noMessage()
    if (!(await hasAi(db, between.sellerId))) throw new ConflictError('This shop does not answer automatically')
    if (await isWaitingForPerson(db, asked)) {
      await markForPerson(options, between, asked)
      throw noMessage()
    }
    try {
      await limits.take('ai', between.userId)
      await limits.take('aiPerDay', between.userId)
    } catch (error) {
      await markForPerson(options, between, asked)
      throw error
    }
    return writeReply(options, between, asked, withinIpLimit)
  }

  return {
    async reply(between: Between, messageId: string, withinIpLimit: IpLimit): Promise<AutomatedReply> {
      const isMatch = and(eq(messages.id, messageId), eq(messages.sender, 'customer'), isNull(messages.deletedAt))
      const isTheirs = and(eq(conversations.userId, between.userId), eq(conversations.sellerId, between.sellerId))
      const [found] = await db
        .select({ asked: messages })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(and(isMatch, isTheirs))
      if (!found) throw noMessage()
      return replies.share(messageId, () => findOrWriteReply(between, found.asked, withinIpLimit))
    },
  }
}

async function readReply(chat: Chat, between: Between, replyTo: string): Promise<AutomatedReply | null> {
  const rows = await chat.db.select().from(messages).where(eq(messages.replyTo, replyTo))
  const [row] = rows
  const [message] = row ? await toMessages(chat, await readConversation(chat.db, between), rows, 'customer') : []
  return row && message
    ? { message, category: row.category ?? 'general_query', needsAttention: row.needsAttention }
    : null
}

/** Whether a person of the shop has written since this message. */
async function isAnswered(db: Db, { conversationId, seq }: Stored): Promise<boolean> {
  const isLater = and(eq(messages.conversationId, conversationId), gt(messages.seq, seq))
  return (await db.$count(messages, and(isLater, eq(messages.sender, 'seller'), eq(messages.isAutomated, false)))) > 0
}

/** Whether the customer has asked for a person before this message, within `QUIET_MS`. */
async function isWaitingForPerson(db: Db, { conversationId, seq, createdAt }: Stored): Promise<boolean> {
  const since = new Date(createdAt.getTime() - QUIET_MS)
  const isEarlier = and(eq(messages.conversationId, conversationId), lt(messages.seq, seq))
  const rows = await db
    .select({ text: messages.text })
    .from(messages)
    .where(and(isEarlier, eq(messages.sender, 'customer'), gt(messages.createdAt, since)))
    .orderBy(desc(messages.seq))
    .limit(QUIET_MESSAGES)
  return rows.some(({ text }) => asksForPerson(text))
}

/** Makes and stores a reply. No transaction is open while the AI service responds. */
async function writeReply(
  options: AiOptions,
  between: Between,
  asked: Stored,
  withinIpLimit: IpLimit,
): Promise<AutomatedReply> {
  const { announcer } = options
  const { category, text } = await requestReply(options, between, asked, withinIpLimit)
  const isUrgent = needsAttention(wordsOf(asked), category)
  const from = { ...between, sender: 'seller' as const }
  const automated = { replyTo: asked.id, category, needsAttention: isUrgent }
  const { message, isNew } = await storeMessage(options, { ...from, text, automated })
  if (isNew) announceMessage(announcer, from, message)
  // Another process may have stored its own reply first.
  const first = isNew ? null : await readReply(options, between, asked.id)
  return first ?? { message, category, needsAttention: isUrgent }
}

/**
 * Without an automated reply, marks a message that a person should read, and shows the mark in all windows of the
 * customer.
 */
async function markForPerson(options: AiOptions, between: Between, asked: Stored): Promise<void> {
  const text = wordsOf(asked)
  const category = asksForPerson(text) ? 'urgent_support' : 'general_query'
  if (asked.needsAttention || !needsAttention(text, category)) return
  const { db, announcer } = options
  const isMatch = and(eq(messages.id, asked.id), isNull(messages.deletedAt))
  const marked = await db.update(messages).set({ needsAttention: true }).where(isMatch).returning()
  const [message] = await toMessages(options, await readConversation(db, between), marked, 'customer')
  if (message) announcer.toCustomer(between.userId, events.ownMessage, message)
}

async function requestReply(
  options: AiOptions,
  between: Between,
  asked: Stored,
  withinIpLimit: IpLimit,
): Promise<Reply> {
  const { db, assistants, publicUrl, log } = options
  const question = { ...(await readQuestion(db, between, asked)), publicUrl }
  const { remote, local } = assistants
  const assistant = remote && (await isAffordable(options, between.userId, withinIpLimit)) ? remote : local
  try {
    return await assistant.reply(question)
  } catch (error) {
    if (!(error instanceof AssistantAwayError)) throw error
    log.warn({ reason: error.message }, 'a customer got no automated reply')
    await markForPerson(options, between, asked)
    throw new UnavailableError('Error fetching AI response')
  }
}

/** Whether a reply of the AI service, which costs money, is within the limits. */
async function isAffordable({ db, limits }: AiOptions, userId: string, withinIpLimit: IpLimit): Promise<boolean> {
  if (!(await isEmailConfirmed(db, userId)) && !(await limits.allows('aiUnconfirmed', userId))) return false
  return (await withinIpLimit()) && (await limits.allows('aiBudget', 'everybody'))
}
