import { and, desc, eq, getTableColumns, gt, lt, sql, type SQLWrapper } from 'drizzle-orm'
import type { Friend } from '#contract/chat.ts'
import type { Db } from '../db/types.ts'
import { attachments, conversations, messages, sellers, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { pictureAddress } from '../catalogue/pictures.ts'
import { NotFoundError } from '../platform/errors.ts'

/** Identifies a conversation: one customer and one shop. */
export interface Between {
  userId: string
  sellerId: string
}

export type Side = 'customer' | 'seller'

/** A customer in a shop's list of conversations. */
export interface ChatCustomer {
  id: string
  name: string
  unread: number
  lastMessage: string
  /** A message asks for a person, and none of the shop has written since. Never for blocked customers. */
  needsAttention: boolean
}

const storeNotFound = () => new NotFoundError('Store not found')
/** The same error for a missing conversation and for one of other people. */
export const noConversation = () => new NotFoundError('There is no such conversation')

/** Length of conversation lists. */
const MAX_FRIENDS = 200
const MAX_UNREAD = 100
const EXCERPT = 120
/** Null if the text has only one line. No regular expression, which takes quadratic time for a long line. */
const BEFORE_LAST_LINE = sql`left(message.text, length(message.text) - nullif(strpos(reverse(message.text), chr(10)), 0))`
const LATEST = sql`${conversations.lastAt} desc nulls last`

export function isBetween({ userId, sellerId }: Between) {
  return and(eq(conversations.userId, userId), eq(conversations.sellerId, sellerId))
}

const conversationColumns = {
  ...getTableColumns(conversations),
  customerName: users.name,
  shopName: sellers.shopName,
}
/** A conversation with the current names of both sides. */
export type Conversation = typeof conversations.$inferSelect & { customerName: string; shopName: string }

/** Throws a `NotFoundError` for an unknown conversation. */
export async function readConversation(db: Db, between: Between): Promise<Conversation> {
  const [conversation] = await db
    .select(conversationColumns)
    .from(conversations)
    .innerJoin(users, eq(users.id, conversations.userId))
    .innerJoin(sellers, eq(sellers.id, conversations.sellerId))
    .where(isBetween(between))
  if (!conversation) throw noConversation()
  return conversation
}

/**
 * Opens a conversation with a shop; does nothing if there is one. Throws a `NotFoundError` for an unknown shop, and the
 * error of an ended session for a customer whose account has been deleted.
 */
export async function openConversation(db: Db, { userId, sellerId }: Between): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    const [seller] = await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId))
    if (!seller) throw storeNotFound()
    await tx.insert(conversations).values({ userId, sellerId }).onConflictDoNothing()
  })
}

/** The customer's conversations with shops, or with one shop, with current names; latest message first. */
export async function readFriends(db: Db, userId: string, sellerId?: string): Promise<Friend[]> {
  const rows = await db
    .select({
      id: sellers.id,
      name: sellers.shopName,
      picture: sellers.picture,
      unread: unreadCount('seller', conversations.customerSeen),
      lastMessage: lastMessage(),
      lastSeq: conversations.lastSeq,
      lastAt: conversations.lastAt,
      replyHours: sellers.replyHours,
    })
    .from(conversations)
    .innerJoin(sellers, eq(sellers.id, conversations.sellerId))
    .where(and(eq(conversations.userId, userId), sellerId ? eq(sellers.id, sellerId) : undefined))
    .orderBy(LATEST, desc(conversations.id))
    .limit(MAX_FRIENDS)
  return rows.map(({ picture, lastSeq, lastAt, ...row }) => ({
    ...row,
    image: pictureAddress(picture) ?? '',
    ...(lastSeq > 0 && { lastAt: lastAt.toISOString() }),
  }))
}

/**
 * The customers who have written to a shop: those who wait for it, then the others, the latest message first; blocked
 * ones, whom nobody needs to answer, last. Of the first 200 by this order, the ones who ask for a person come first.
 */
export async function readCustomers(db: Db, sellerId: string): Promise<ChatCustomer[]> {
  const customers = await db
    .select({
      id: users.id,
      name: users.name,
      unread: unreadCount('customer', conversations.sellerSeen),
      lastMessage: lastMessage(),
      needsAttention: sql<boolean>`${users.blockedAt} is null and ${isAskingForPerson()}`,
    })
    .from(conversations)
    .innerJoin(users, eq(users.id, conversations.userId))
    .where(and(eq(conversations.sellerId, sellerId), gt(conversations.lastSeq, 0)))
    .orderBy(sql`${users.blockedAt} is not null`, desc(isWaiting()), LATEST, desc(conversations.id))
    .limit(MAX_FRIENDS)
  // Sorted here: the database would have to read the messages of all the shop's conversations.
  return customers.toSorted((one, other) => Number(other.needsAttention) - Number(one.needsAttention))
}

/**
 * Marks all messages so far as seen by one side. Returns the highest seen `seq`, or null if all were seen already.
 * Throws a `NotFoundError` for an unknown conversation.
 */
export async function markSeen(db: Db, between: Between, side: Side): Promise<number | null> {
  const { customerSeen, sellerSeen } = getTableColumns(conversations)
  const [seen, field] = side === 'customer' ? [customerSeen, 'customerSeen'] : [sellerSeen, 'sellerSeen']
  const [moved] = await db
    .update(conversations)
    .set({ [field]: sql`${conversations.lastSeq}` })
    .where(and(isBetween(between), lt(seen, conversations.lastSeq)))
    .returning({ upTo: conversations.lastSeq })
  if (moved) return moved.upTo
  const [found] = await db.select({ id: conversations.id }).from(conversations).where(isBetween(between))
  if (!found) throw noConversation()
  return null
}

/** Whether a shop replies automatically; hidden shops do not. Throws a `NotFoundError` for an unknown one. */
export async function hasAi(db: Db, sellerId: string): Promise<boolean> {
  const [seller] = await db
    .select({ hasAi: sellers.hasAi, isHidden: sellers.isHidden })
    .from(sellers)
    .where(eq(sellers.id, sellerId))
  if (!seller) throw storeNotFound()
  return seller.hasAi && !seller.isHidden
}

/** Unread messages per conversation, counted up to 100. */
function unreadCount(sender: Side, seen: SQLWrapper) {
  return sql<number>`(select count(*)::int from (${unread(sender, seen)} limit ${MAX_UNREAD}) unread)`
}

/** Whether the shop has unseen messages of the customer. Most conversations are decided without reading messages. */
function isWaiting() {
  const { sellerSeen, lastSeq } = conversations
  return sql`case when ${sellerSeen} < ${lastSeq} then exists (${unread('customer', sellerSeen)}) else false end`
}

/** Whether a message asks for a person, and none of the shop has written since. */
function isAskingForPerson() {
  return sql<boolean>`exists (
    select from ${messages} marked
    where marked.conversation_id = ${conversations.id} and marked.needs_attention and marked.deleted_at is null
      and marked.seq > coalesce((
        select max(person.seq) from ${messages} person
        where person.conversation_id = ${conversations.id} and person.sender = 'seller' and not person.is_automated
      ), 0)
  )`
}

function unread(sender: Side, seen: SQLWrapper) {
  return sql`
    select from ${messages} message
    where message.conversation_id = ${conversations.id} and message.seq > ${seen}
      and message.sender = ${sender} and message.deleted_at is null
  `
}

/** The start of the latest message's text without the URL of its card, or the name of its first file or of its card. */
function lastMessage() {
  return sql<string>`coalesce((
    select coalesce(
      nullif(left(case
        when right(message.text, length(message.about ->> 'path')) = message.about ->> 'path'
        then ${BEFORE_LAST_LINE} else message.text
      end, ${EXCERPT}), ''),
      (select file.original_name from ${attachments} file where file.message_id = message.id order by file.position limit 1),
      message.about ->> 'name'
    )
    from ${messages} message
    where message.conversation_id = ${conversations.id} and message.deleted_at is null
    order by message.seq desc limit 1
  ), '')`
}
