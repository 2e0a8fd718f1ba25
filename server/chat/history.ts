import { and, asc, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { type Message, MESSAGES_PAGE } from '#contract/chat.ts'
import { DAY_MS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { attachments, conversations, messages } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { NotFoundError } from '../platform/errors.ts'
import { type Chat, toMessages } from './view.ts'
import { type Between, readConversation, type Side } from './conversations.ts'

interface MessagePage {
  /** Oldest first. */
  messages: Message[]
  /** Messages deleted in the last seven days, latest deletion first; only with `since`. */
  deletedIds: string[]
  /** The other side has seen all messages up to this `seq`. */
  seenUpTo: number
  /** More messages follow these or, with `before`, precede them. False for the newest messages. */
  hasMore: boolean
}

interface Reading {
  viewer: Side
  /** The id of the last message that the client knows. */
  since?: string | undefined
  /** The id of the first message that the client knows. */
  before?: string | undefined
}

const DELETED_PAGE = 500
/** Longer than any window stays open without a request. */
const DELETED_MS = 7 * DAY_MS

/**
 * A page of a conversation: the newest messages, the first ones after `since` or the last ones before `before`. Throws
 * a `NotFoundError` for an unknown conversation or a message that is not in it.
 */
export async function readMessages(chat: Chat, between: Between, reading: Reading): Promise<MessagePage> {
  const { viewer, since } = reading
  const conversation = await readConversation(chat.db, between)
  const seenUpTo = viewer === 'customer' ? conversation.sellerSeen : conversation.customerSeen
  const found = await pageOf(chat.db, conversation.id, reading)
  return {
    messages: await toMessages(chat, conversation, found.rows, viewer),
    // Read after the messages, so that a message deleted meanwhile is either missing above or listed here.
    deletedIds: since ? await deletedOf(chat.db, conversation.id) : [],
    seenUpTo,
    hasMore: found.hasMore,
  }
}

async function pageOf(db: Db, conversationId: string, { since, before }: Reading) {
  if (since) return messagesAfter(db, conversationId, await seqOf(db, conversationId, since))
  if (before) return messagesBefore(db, conversationId, await seqOf(db, conversationId, before))
  const { rows } = await messagesBefore(db, conversationId)
  return { rows, hasMore: false }
}

async function messagesBefore(db: Db, conversationId: string, seq?: number) {
  const rows = await db
    .select()
    .from(messages)
    .where(and(isIn(conversationId), seq === undefined ? undefined : lt(messages.seq, seq)))
    .orderBy(desc(messages.seq))
    .limit(MESSAGES_PAGE + 1)
  return { rows: rows.slice(0, MESSAGES_PAGE).toReversed(), hasMore: rows.length > MESSAGES_PAGE }
}

async function messagesAfter(db: Db, conversationId: string, seq: number) {
  const rows = await db
    .select()
    .from(messages)
    .where(and(isIn(conversationId), gt(messages.seq, seq)))
    .orderBy(asc(messages.seq))
    .limit(MESSAGES_PAGE + 1)
  return { rows: rows.slice(0, MESSAGES_PAGE), hasMore: rows.length > MESSAGES_PAGE }
}

/** Also for deleted messages, which keep their `seq`. */
async function seqOf(db: Db, conversationId: string, id: string): Promise<number> {
  const [message] = await db
    .select({ seq: messages.seq })
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.conversationId, conversationId)))
  if (!message) throw messageNotFound()
  return message.seq
}

async function deletedOf(db: Db, conversationId: string): Promise<string[]> {
  const rows = await db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        isNotNull(messages.deletedAt),
        gt(messages.deletedAt, new Date(Date.now() - DELETED_MS)),
      ),
    )
    .orderBy(sql`${messages.deletedAt} desc nulls last`)
    .limit(DELETED_PAGE)
  return rows.map(row => row.id)
}

/**
 * Deletes text, files and card of one of the customer's own messages; may be repeated. Returns the shop's id and the
 * keys of the files, which the caller must remove. Throws a `NotFoundError` for any other message.
 */
export async function deleteMessage(
  db: Db,
  userId: string,
  messageId: string,
): Promise<{ sellerId: string; fileKeys: string[] }> {
  return transact(db, async tx => {
    const [deleted] = await tx
      .update(messages)
      .set({ text: '', about: null, deletedAt: sql`coalesce(${messages.deletedAt}, now())` })
      .from(conversations)
      .where(
        and(
          eq(messages.id, messageId),
          eq(messages.sender, 'customer'),
          eq(conversations.id, messages.conversationId),
          eq(conversations.userId, userId),
        ),
      )
      .returning({ id: messages.id, sellerId: conversations.sellerId })
    if (!deleted) throw messageNotFound()
    const files = await tx
      .delete(attachments)
      .where(eq(attachments.messageId, deleted.id))
      .returning({ key: attachments.key })
    return { sellerId: deleted.sellerId, fileKeys: files.map(file => file.key) }
  })
}

const messageNotFound = () => new NotFoundError('There is no such message')

function isIn(conversationId: string) {
  return and(eq(messages.conversationId, conversationId), isNull(messages.deletedAt))
}
