import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import type { Attachment, Category } from '#contract/chat.ts'
import type { Priority } from '#contract/notifications.ts'
import { users } from './accounts.ts'
import type { StoredPicture } from './banners.ts'
import { sellers } from './catalogue.ts'
import { belongsTo, createdAt, id, moment } from './columns.ts'

export const conversations = pgTable(
  'conversations',
  {
    id: id(),
    userId: belongsTo('user_id', () => users.id),
    sellerId: belongsTo('seller_id', () => sellers.id),
    /** The `seq` of the latest message; incremented under this row's lock when a message is stored. */
    lastSeq: integer('last_seq').notNull().default(0),
    lastAt: moment('last_at').notNull().defaultNow(),
    /** The `seq` of the latest message that each side has seen. */
    customerSeen: integer('customer_seen').notNull().default(0),
    sellerSeen: integer('seller_seen').notNull().default(0),
    createdAt: createdAt(),
  },
  table => [
    // Columns that change with each message are not indexed, so that PostgreSQL writes one row per message instead of
    // five.
    unique('conversations_user_seller').on(table.userId, table.sellerId),
    index('conversations_seller').on(table.sellerId),
  ],
)

/** A snapshot of a message's subject from when the message was sent. */
export interface StoredAbout {
  kind: 'product' | 'order'
  id: string
  name: string
  picture: StoredPicture | undefined
  priceCents: number
  /** The path of its page. */
  path: string
}

export const messages = pgTable(
  'messages',
  {
    id: id(),
    conversationId: belongsTo('conversation_id', () => conversations.id),
    /** 1, 2, 3 … within the conversation, in the order in which they were stored. */
    seq: integer('seq').notNull(),
    sender: text('sender').$type<'customer' | 'seller'>().notNull(),
    /** The sender's id for the message, so that sending it again stores it only once. */
    clientId: text('client_id'),
    text: text('text').notNull(),
    isAutomated: boolean('is_automated').notNull().default(false),
    /** The customer's message that this one answers automatically. */
    replyTo: text('reply_to'),
    category: text('category').$type<Category>(),
    needsAttention: boolean('needs_attention').notNull().default(false),
    about: jsonb('about').$type<StoredAbout>(),
    /** A deleted message keeps its row, without its text, files and subject. */
    deletedAt: moment('deleted_at'),
    createdAt: createdAt(),
  },
  table => [
    unique('messages_seq').on(table.conversationId, table.seq),
    unique('messages_client').on(table.conversationId, table.sender, table.clientId),
    unique('messages_reply').on(table.replyTo),
    index('messages_deleted')
      .on(table.conversationId, table.deletedAt.desc())
      .where(sql`${table.deletedAt} is not null`),
    check('messages_sender', sql`${table.sender} in ('customer', 'seller')`),
  ],
)

export const attachments = pgTable(
  'attachments',
  {
    id: id(),
    messageId: belongsTo('message_id', () => messages.id),
    position: integer('position').notNull(),
    type: text('type').$type<Attachment['type']>().notNull(),
    /** The file's key on the disk or in the bucket. */
    key: text('key').notNull().unique('attachments_key'),
    mimeType: text('mime_type').notNull(),
    originalName: text('original_name').notNull(),
    size: integer('size').notNull(),
    width: integer('width'),
    height: integer('height'),
  },
  table => [index('attachments_message').on(table.messageId, table.position)],
)

export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    /** Null: for every customer whose account exists by `createdAt`. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    message: text('message').notNull(),
    priority: text('priority').$type<Priority>().notNull().default('medium'),
    /** A path in the shop with more details. */
    link: text('link'),
    /** The event that the notification reports; unique, so that no event is reported twice. */
    about: text('about').unique('notifications_about'),
    createdAt: createdAt(),
  },
  table => [
    index('notifications_latest').on(table.userId, table.createdAt.desc(), table.id.desc()),
    check('notifications_priority', sql`${table.priority} in ('high', 'medium', 'low')`),
  ],
)

export const notificationReads = pgTable(
  'notification_reads',
  {
    notificationId: belongsTo('notification_id', () => notifications.id),
    userId: belongsTo('user_id', () => users.id),
    readAt: moment('read_at').notNull().defaultNow(),
  },
  table => [
    primaryKey({ columns: [table.notificationId, table.userId] }),
    index('notification_reads_user').on(table.userId),
  ],
)
