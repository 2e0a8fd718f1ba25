import { and, eq, isNull } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Category, Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import { AssistantAwayError, type Reply } from './ai/assistant.ts'
import { needsAttention } from './ai/escalation.ts'
import type { Assistants } from './ai/open.ts'
import { conversations, messages } from '../db/schema.ts'
import { Refusal } from '../http/errors.ts'
import type { Limits } from '../http/limits.ts'
import type { Announcer } from './announcer.ts'
import { readQuestion } from './ai-question.ts'
import { announceMessage } from './chat-announcing.ts'
import { storeMessage } from './chat-messages.ts'
import { type Chat, toMessages } from './chat-view.ts'
import { type Between, hasAi, readConversation } from './conversations.ts'

export interface AutomatedReply {
  message: Message
  category: Category
  needsAttention: boolean
}

interface Options extends Chat {
  assistants: Assistants
  announcer: Announcer
  limits: Pick<Limits, 'take' | 'allows'>
  publicUrl: string
  log: Pick<Logger, 'warn'>
}

type Stored = typeof messages.$inferSelect

/**
 * Answers customers' messages in the shop's name. `reply` answers one of the customer's own messages once, however
 * often it is asked for: it is stored and announced like any other message. Refuses (404) any other message, (422) where
 * the shop has no automated replies, (429) too many, and (503) when there is no answer now: with these two nothing is
 * stored and told but that somebody should look at the message, if so.
 */
export function openAiReplies(options: Options) {
  const { db, limits } = options
  /** Who asks twice at once waits for one reply. */
  const underWay = new Map<string, Promise<AutomatedReply>>()

  async function answerOnce(between: Between, asked: Stored): Promise<AutomatedReply> {
    const known = underWay.get(asked.id)
    if (known) return known
    try {
      await limits.take('ai', between.userId)
      await limits.take('aiPerDay', between.userId)
    } catch (error) {
      await leaveToPerson(options, between, asked)
      throw error
    }
    const begun = underWay.get(asked.id) ?? answer(options, between, asked)
    underWay.set(asked.id, begun)
    return begun.finally(() => underWay.delete(asked.id))
  }

  return {
    async reply(between: Between, messageId: string): Promise<AutomatedReply> {
      const isIt = and(eq(messages.id, messageId), eq(messages.sender, 'customer'), isNull(messages.deletedAt))
      const isTheirs = and(eq(conversations.userId, between.userId), eq(conversations.sellerId, between.sellerId))
      const [found] = await db
        .select({ asked: messages })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(and(isIt, isTheirs))
      if (!found) throw new Refusal(404, 'There is no such message')
      const stored = await readReply(options, between, messageId)
      if (stored) return stored
      if (!(await hasAi(db, between.sellerId))) throw new Refusal(422, 'This shop does not answer automatically')
      return answerOnce(between, found.asked)
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

/** No transaction is open while an AI service is asked. */
async function answer(options: Options, between: Between, asked: Stored): Promise<AutomatedReply> {
  const { announcer } = options
  const { category, text } = await think(options, between, asked)
  const isUrgent = needsAttention(asked.text, category)
  const from = { ...between, sender: 'seller' as const }
  const automated = { replyTo: asked.id, category, needsAttention: isUrgent }
  const { message, isNew } = await storeMessage(options, { ...from, text, automated })
  if (isNew) announceMessage(announcer, from, message)
  // Another process may have been first, with another one.
  const first = isNew ? null : await readReply(options, between, asked.id)
  return first ?? { message, category, needsAttention: isUrgent }
}

/** Nobody answers now: where a person should, all windows of the customer say so at once. */
async function leaveToPerson(options: Options, between: Between, asked: Stored): Promise<void> {
  if (asked.needsAttention || !needsAttention(asked.text, 'general_query')) return
  const { db, announcer } = options
  const isIt = and(eq(messages.id, asked.id), isNull(messages.deletedAt))
  const marked = await db.update(messages).set({ needsAttention: true }).where(isIt).returning()
  const [message] = await toMessages(options, await readConversation(db, between), marked, 'customer')
  if (message) announcer.toCustomer(between.userId, events.ownMessage, message)
}

async function think(options: Options, between: Between, asked: Stored): Promise<Reply> {
  const { db, assistants, limits, publicUrl, log } = options
  const question = { ...(await readQuestion(db, between, asked)), publicUrl }
  const isAffordable = assistants.remote !== null && (await limits.allows('aiBudget', 'everybody'))
  const assistant = (isAffordable && assistants.remote) || assistants.local
  try {
    return await assistant.reply(question)
  } catch (error) {
    if (!(error instanceof AssistantAwayError)) throw error
    log.warn({ reason: error.message }, 'a customer got no automated reply')
    await leaveToPerson(options, between, asked)
    throw new Refusal(503, 'Error fetching AI response')
  }
}
