import { asc, inArray } from 'drizzle-orm'
import type { Attachment, Message } from '#contract/chat.ts'
import type { Db } from '../db/types.ts'
import { attachments, type messages } from '../db/schema.ts'
import { toAbout } from './about.ts'
import type { Conversation, Side } from './conversations.ts'

export type StoredAttachment = typeof attachments.$inferSelect
/** Returns the URL of a file for browsers; it is signed and expires. */
export type AddressOf = (file: Pick<StoredAttachment, 'id' | 'key' | 'originalName'>) => string

/** The database, and how to address the files of messages. */
export interface Chat {
  db: Db
  addressOf: AddressOf
}

type Sides = Pick<Conversation, 'userId' | 'sellerId' | 'customerName' | 'shopName' | 'customerSeen' | 'sellerSeen'>
type StoredMessage = typeof messages.$inferSelect

/** Messages of one conversation, as one side sees them. */
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
  return rows.map(row => toMessage(addressOf, { sides: conversation, row, files: byMessage.get(row.id) ?? [], viewer }))
}

interface MessageParts {
  sides: Sides
  row: StoredMessage
  files: StoredAttachment[]
  viewer: Side
}

/** One message with its files, as one side sees it. */
export function toMessage(addressOf: AddressOf, { sides, row, files, viewer }: MessageParts): Message {
  const { userId, sellerId, customerName, shopName, customerSeen, sellerSeen } = sides
  const { id, seq, sender, clientId, text, isAutomated, needsAttention, about, createdAt } = row
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
    ...(about && { about: toAbout(about) }),
    // Only for the sender: the two sides may choose the same id for different messages.
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
