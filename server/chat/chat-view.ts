import { asc, inArray } from 'drizzle-orm'
import type { Attachment, Message } from '#contract/chat.ts'
import type { Db } from '../db/types.ts'
import { attachments, type messages } from '../db/schema.ts'
import type { Conversation, Side } from './conversations.ts'

export type StoredAttachment = typeof attachments.$inferSelect
/** The address under which a browser gets a file; signed, it expires. */
export type AddressOf = (file: StoredAttachment) => string

/** The database, and where the files of messages are found. */
export interface Chat {
  db: Db
  addressOf: AddressOf
}

type Sides = Pick<Conversation, 'userId' | 'sellerId' | 'customerName' | 'shopName' | 'customerSeen' | 'sellerSeen'>
type StoredMessage = typeof messages.$inferSelect

/** What one side sees of messages of one conversation. */
export async function toMessages(
  { db, addressOf }: Chat,
  conversation: Conversation,
  rows: StoredMessage[],
  viewer: Side,
): Promise<Message[]> {
  const ids = rows.map(row => row.id)
  const files =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(attachments)
          .where(inArray(attachments.messageId, ids))
          .orderBy(asc(attachments.messageId), asc(attachments.position))
  const byMessage = Map.groupBy(files, file => file.messageId)
  return rows.map(row => toMessage(addressOf, conversation, row, viewer, byMessage.get(row.id) ?? []))
}

/** What one side sees of a message with these files. */
export function toMessage(
  addressOf: AddressOf,
  { userId, sellerId, customerName, shopName, customerSeen, sellerSeen }: Sides,
  { id, seq, sender, clientId, text, isAutomated, needsAttention, createdAt }: StoredMessage,
  viewer: Side,
  files: StoredAttachment[],
): Message {
  const isCustomers = sender === 'customer'
  return {
    id,
    seq,
    senderId: isCustomers ? userId : sellerId,
    receiverId: isCustomers ? sellerId : userId,
    senderName: isCustomers ? customerName : shopName,
    text,
    createdAt: createdAt.toISOString(),
    status: seq <= (isCustomers ? sellerSeen : customerSeen) ? 'seen' : 'sent',
    attachments: files.map(toAttachment(addressOf)),
    isAutomated,
    needsAttention,
    // What the other side calls its messages might be what this one calls another.
    ...(clientId !== null && sender === viewer && { clientId }),
  }
}

function toAttachment(addressOf: AddressOf) {
  return (file: StoredAttachment): Attachment => {
    const { type, mimeType, originalName, size, width, height } = file
    const measures = width === null || height === null ? {} : { width, height }
    return { type, url: addressOf(file), mimeType, originalName, size, ...measures }
  }
}
