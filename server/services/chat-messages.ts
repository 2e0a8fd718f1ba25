import { and, eq, or, sql } from 'drizzle-orm'
import type { Category, Message } from '#contract/chat.ts'
import type { Tx } from '../db/open.ts'
import { attachments, conversations, messages } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { Refusal } from '../errors.ts'
import { type Chat, type StoredAttachment, toMessage, toMessages } from './chat-view.ts'
import {
  befriend,
  type Between,
  countUp,
  isBetween,
  noConversation,
  readConversation,
  type Side,
} from './conversations.ts'

/** A file that is stored already. */
type StoredFile = Pick<StoredAttachment, 'type' | 'key' | 'mimeType' | 'originalName' | 'size'> & {
  width?: number | null | undefined
  height?: number | null | undefined
}

export interface NewMessage extends Between {
  sender: Side
  text: string
  /** What the sender calls it: a message of this name is stored once. */
  clientId?: string | undefined
  files?: StoredFile[]
  /** The shop's own answer to the customer's message `replyTo`: there is one at most. */
  automated?: { replyTo: string; category: Category; needsAttention: boolean }
}

/** Undoes the transaction that would store a message again. */
class StoredAlready extends Error {}

/**
 * Stores a message behind all others of its conversation, as its sender sees it; the same one again is answered as it
 * was stored, with `isNew` false. Refuses (404) an unknown shop, and a shop's message to somebody who never wrote to it.
 */
export async function storeMessage(chat: Chat, message: NewMessage): Promise<{ message: Message; isNew: boolean }> {
  const stored = (await insertMessage(chat, message)) ?? (await firstMessage(chat, message))
  if (stored) return { message: stored, isNew: true }
  return { message: await readStored(chat, message), isNew: false }
}

async function firstMessage(chat: Chat, message: NewMessage): Promise<Message | null> {
  const [found] = await chat.db.select({ id: conversations.id }).from(conversations).where(isBetween(message))
  if (found) return null
  if (message.sender === 'seller') throw noConversation()
  await befriend(chat.db, message)
  return insertMessage(chat, message)
}

/** Null where there is no conversation yet, or the message is stored. */
async function insertMessage({ db, addressOf }: Chat, message: NewMessage): Promise<Message | null> {
  try {
    return await transact(db, async tx => {
      const conversation = await countUp(tx, message)
      if (!conversation) return null
      const { sender, text, clientId, automated } = message
      const [row] = await tx
        .insert(messages)
        .values({
          conversationId: conversation.id,
          seq: conversation.lastSeq,
          sender,
          text,
          clientId: clientId ?? null,
          // Later than whatever came before, however long this one waited for its turn.
          createdAt: sql`clock_timestamp()`,
          ...(automated && { ...automated, isAutomated: true }),
        })
        .onConflictDoNothing()
        .returning()
      if (!row) throw new StoredAlready()
      const files = await storeFiles(tx, row.id, message.files ?? [])
      return toMessage(addressOf, conversation, row, sender, files)
    })
  } catch (error) {
    if (error instanceof StoredAlready) return null
    throw error
  }
}

async function storeFiles(tx: Tx, messageId: string, files: StoredFile[]): Promise<StoredAttachment[]> {
  if (files.length === 0) return []
  const rows = files.map((file, position) => ({ ...file, messageId, position }))
  return tx.insert(attachments).values(rows).returning()
}

async function readStored(chat: Chat, message: NewMessage): Promise<Message> {
  const { sender, clientId, automated } = message
  const conversation = await readConversation(chat.db, message)
  const isSame = or(
    clientId === undefined ? undefined : and(eq(messages.sender, sender), eq(messages.clientId, clientId)),
    automated && eq(messages.replyTo, automated.replyTo),
  )
  const rows = await chat.db
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, conversation.id), isSame))
    .limit(1)
  if (rows[0]?.deletedAt) throw new Refusal(422, 'This message was deleted')
  const [stored] = await toMessages(chat, conversation, rows, sender)
  if (!stored) throw new Error('a message was neither stored nor found')
  return stored
}
