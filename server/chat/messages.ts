import { and, eq, getTableColumns, or, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Category, Message } from '#contract/chat.ts'
import { isDuplicate } from '../db/errors.ts'
import type { Db, Tx } from '../db/types.ts'
import { named } from '../db/prepared.ts'
import { attachments, conversations, messages, sellers, type StoredAbout, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { checkStoredFiles } from '../uploads/quota.ts'
import { ConflictError } from '../platform/errors.ts'
import { type Chat, type StoredAttachment, toMessage, toMessages } from './view.ts'
import {
  type Between,
  isBetween,
  noConversation,
  openConversation,
  readConversation,
  type Side,
} from './conversations.ts'

/** A file whose bytes are stored already. */
type StoredFile = Pick<StoredAttachment, 'type' | 'key' | 'mimeType' | 'originalName' | 'size'> & {
  width?: number | null | undefined
  height?: number | null | undefined
}

export interface NewMessage extends Between {
  sender: Side
  text: string
  /** The sender's id for the message; a second message with the same id is not stored. */
  clientId?: string | undefined
  files?: StoredFile[]
  about?: StoredAbout | undefined
  /**
   * Set for the shop's automated reply to the message `replyTo`. A message has at most one such reply, and gets none
   * once it is deleted or a person of the shop has written.
   */
  automated?: { replyTo: string; category: Category; needsAttention: boolean }
}

/**
 * Appends a message to its conversation and returns it as its sender sees it. A repeated message is returned as it was
 * stored, with `isNew` false. Throws a `NotFoundError` for an unknown shop, for a shop's message to a customer who
 * never wrote to it, and for a reply to a message that was deleted or answered by a person.
 */
export async function storeMessage(chat: Chat, given: NewMessage): Promise<{ message: Message; isNew: boolean }> {
  // Treat an empty id as none: otherwise all messages with an empty id would be the same one.
  const message = { ...given, clientId: given.clientId || undefined }
  try {
    return { message: (await insertMessage(chat, message)) ?? (await insertFirst(chat, message)), isNew: true }
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return { message: await readStored(chat, message), isNew: false }
  }
}

/** Another request may open the same conversation at the same time; `openConversation` may be repeated. */
async function insertFirst(chat: Chat, message: NewMessage): Promise<Message> {
  if (message.sender === 'seller') throw noConversation()
  await openConversation(chat.db, message)
  const stored = await insertMessage(chat, message)
  if (!stored) throw noConversation()
  return stored
}

/**
 * Returns null if there is no such conversation, or the message to reply to was deleted or answered by a person;
 * rejects with a duplicate error if the message is stored already.
 */
async function insertMessage({ db, addressOf }: Chat, message: NewMessage): Promise<Message | null> {
  const { sender, files = [] } = message
  if (files.length > 0)
    return transact(db, async tx => {
      if (sender === 'customer') await lockCustomer(tx, message.userId)
      const appended = await appendMessage(tx, message)
      // After `appendMessage`, which rejects a repeated message: its files are stored already.
      if (sender === 'customer') await checkStoredFiles(tx, message.userId, files)
      if (!appended) return null
      const stored = await storeFiles(tx, appended.row.id, files)
      return toMessage(addressOf, { sides: appended, row: appended.row, files: stored, viewer: sender })
    })
  const appended = await appendMessage(db, message)
  return appended && toMessage(addressOf, { sides: appended, row: appended.row, files: [], viewer: sender })
}

interface Appended {
  seq: number
  createdMs: number
  conversationId: string
  customerSeen: number
  sellerSeen: number
  customerName: string
  shopName: string
}

/**
 * Increments the conversation's `seq` and inserts the message, in one statement, because messages are this shop's most
 * frequent writes. Locks the conversation until it is done. Returns no row if there is no conversation, or the message
 * to reply to was deleted or answered by a person.
 */
const appendStatement = named<Appended>(
  'place_message',
  given => sql`
    with place as (
      update ${conversations} talk set last_seq = talk.last_seq + 1, last_at = clock_timestamp()
      from ${users} customer, ${sellers} seller
      where talk.user_id = ${given('userId')} and talk.seller_id = ${given('sellerId')}
        and customer.id = talk.user_id and seller.id = talk.seller_id
        and (${given('replyTo')}::text is null or exists (
          select from ${messages} asked where asked.id = ${given('replyTo')} and asked.deleted_at is null and not exists (
            select from ${messages} later where later.conversation_id = asked.conversation_id
              and later.seq > asked.seq and later.sender = 'seller' and not later.is_automated
          )
        ))
      returning talk.*, customer.name as customer_name, seller.shop_name
    ), stored as (
      insert into ${messages}
        (id, conversation_id, seq, sender, client_id, text, is_automated, reply_to, category, needs_attention, about, created_at)
      select ${given('id')}, id, last_seq, ${given('sender')}, ${given('clientId')}, ${given('text')},
        ${given('isAutomated')}::boolean, ${given('replyTo')}, ${given('category')}, ${given('needsAttention')}::boolean,
        ${given('about')}::jsonb, clock_timestamp()
      from place
      returning seq, created_at
    )
    select stored.seq, extract(epoch from stored.created_at)::float8 * 1000 as "createdMs", place.id as "conversationId",
      customer_seen as "customerSeen", seller_seen as "sellerSeen", customer_name as "customerName", shop_name as "shopName"
    from place, stored`,
)

async function appendMessage(db: Db | Tx, { userId, sellerId, sender, text, clientId, about, automated }: NewMessage) {
  const { replyTo = null, category = null, needsAttention = false } = automated ?? {}
  const own = { id: v7(), sender, text, clientId: clientId ?? null, isAutomated: automated !== undefined }
  const columns = { ...own, replyTo, category, needsAttention }
  const card = about ? JSON.stringify(about) : null
  const [appended] = await appendStatement(db, { userId, sellerId, ...columns, about: card })
  if (!appended) return null
  const { seq, createdMs, conversationId, ...known } = appended
  const row = { ...columns, about: about ?? null, conversationId, seq, deletedAt: null, createdAt: new Date(createdMs) }
  return { ...known, userId, sellerId, row }
}

async function storeFiles(tx: Tx, messageId: string, files: StoredFile[]): Promise<StoredAttachment[]> {
  const rows = files.map((file, position) => ({ ...file, messageId, position }))
  return tx.insert(attachments).values(rows).returning()
}

async function readStored(chat: Chat, message: NewMessage): Promise<Message> {
  const stored = await findStored(chat, message)
  if (!stored) throw new Error('a message was neither stored nor found')
  return stored
}

/**
 * The message that was stored for the same `clientId`, or as the reply to the same message; null if there is none.
 * Throws a `ConflictError` if it was deleted.
 */
export async function findStored(chat: Chat, message: NewMessage): Promise<Message | null> {
  const { sender, clientId, automated } = message
  const sameClientId = clientId ? and(eq(messages.sender, sender), eq(messages.clientId, clientId)) : undefined
  const isSame = or(sameClientId, automated && eq(messages.replyTo, automated.replyTo))
  if (!isSame) return null
  const [row] = await chat.db
    .select(getTableColumns(messages))
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(isBetween(message), isSame))
    .limit(1)
  if (!row) return null
  if (row.deletedAt) throw new ConflictError('This message was deleted')
  const [stored] = await toMessages(chat, await readConversation(chat.db, message), [row], sender)
  return stored ?? null
}
