import { and, eq, or, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Category, Message } from '#contract/chat.ts'
import { isDuplicate } from '../db/errors.ts'
import type { Db, Tx } from '../db/types.ts'
import { named } from '../db/prepared.ts'
import { attachments, conversations, messages, sellers, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { Refusal } from '../http/errors.ts'
import { checkStoredFiles } from './chat-files.ts'
import { type Chat, type StoredAttachment, toMessage, toMessages } from './chat-view.ts'
import { befriend, type Between, noConversation, readConversation, type Side } from './conversations.ts'
import { lockCustomer } from '../accounts/customers.ts'

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

/**
 * Stores a message behind all others of its conversation, as its sender sees it; the same one again is answered as it
 * was stored, with `isNew` false. Refuses (404) an unknown shop, and a shop's message to somebody who never wrote to it.
 */
export async function storeMessage(chat: Chat, said: NewMessage): Promise<{ message: Message; isNew: boolean }> {
  // No name is no name, however it is written: messages of one name are one.
  const message = { ...said, clientId: said.clientId || undefined }
  try {
    return { message: (await insertMessage(chat, message)) ?? (await insertFirst(chat, message)), isNew: true }
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return { message: await readStored(chat, message), isNew: false }
  }
}

/** Others may open the conversation at the same moment: opening it again changes nothing. */
async function insertFirst(chat: Chat, message: NewMessage): Promise<Message> {
  if (message.sender === 'seller') throw noConversation()
  await befriend(chat.db, message)
  const stored = await insertMessage(chat, message)
  if (!stored) throw noConversation()
  return stored
}

/** Null where there is no conversation yet; rejects with a duplicate where it holds the message already. */
async function insertMessage({ db, addressOf }: Chat, message: NewMessage): Promise<Message | null> {
  const { sender, files = [] } = message
  if (files.length > 0)
    return transact(db, async tx => {
      if (sender === 'customer') {
        // Uploads at the same moment must not each find room for themselves alone.
        await lockCustomer(tx, message.userId)
        await checkStoredFiles(tx, message.userId, totalSize(files))
      }
      const placed = await place(tx, message)
      return placed && toMessage(addressOf, placed, placed.row, sender, await storeFiles(tx, placed.row.id, files))
    })
  const placed = await place(db, message)
  return placed && toMessage(addressOf, placed, placed.row, sender, [])
}

function totalSize(files: StoredFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

interface Placed {
  seq: number
  createdMs: number
  conversationId: string
  customerSeen: number
  sellerSeen: number
  customerName: string
  shopName: string
}

/**
 * Counts the conversation up and puts the message there, both or neither, in one statement: what customers and shops say
 * is what this shop writes most. Whoever writes next waits until it is done. Null where there is no conversation.
 */
const placing = named<Placed>(
  'place_message',
  given => sql`
    with place as (
      update ${conversations} talk set last_seq = talk.last_seq + 1, last_at = clock_timestamp()
      from ${users} customer, ${sellers} seller
      where talk.user_id = ${given('userId')} and talk.seller_id = ${given('sellerId')}
        and customer.id = talk.user_id and seller.id = talk.seller_id
      returning talk.*, customer.name as customer_name, seller.shop_name
    ), stored as (
      insert into ${messages}
        (id, conversation_id, seq, sender, client_id, text, is_automated, reply_to, category, needs_attention, created_at)
      select ${given('id')}, id, last_seq, ${given('sender')}, ${given('clientId')}, ${given('text')},
        ${given('isAutomated')}::boolean, ${given('replyTo')}, ${given('category')}, ${given('needsAttention')}::boolean,
        clock_timestamp()
      from place
      returning seq, created_at
    )
    select stored.seq, extract(epoch from stored.created_at)::float8 * 1000 as "createdMs", place.id as "conversationId",
      customer_seen as "customerSeen", seller_seen as "sellerSeen", customer_name as "customerName", shop_name as "shopName"
    from place, stored`,
)

async function place(db: Db | Tx, { userId, sellerId, sender, text, clientId, automated }: NewMessage) {
  const { replyTo = null, category = null, needsAttention = false } = automated ?? {}
  const own = { id: v7(), sender, text, clientId: clientId ?? null, isAutomated: automated !== undefined }
  const said = { ...own, replyTo, category, needsAttention }
  const [placed] = await placing(db, { userId, sellerId, ...said })
  if (!placed) return null
  const { seq, createdMs, conversationId, ...known } = placed
  const row = { ...said, conversationId, seq, deletedAt: null, createdAt: new Date(createdMs) }
  return { ...known, userId, sellerId, row }
}

async function storeFiles(tx: Tx, messageId: string, files: StoredFile[]): Promise<StoredAttachment[]> {
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
