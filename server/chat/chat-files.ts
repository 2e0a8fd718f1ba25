import { and, eq, inArray, sum } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import {
  attachments,
  conversations,
  messages,
  orders,
  returnPictures,
  returns,
  reviewPictures,
  reviews,
  users,
} from '../db/schema.ts'
import { ConflictError } from '../platform/errors.ts'

/** A file of a message, return or review. */
export type SentFile = Pick<
  typeof attachments.$inferSelect,
  'id' | 'type' | 'key' | 'mimeType' | 'originalName' | 'size'
>

const PICTURES = [returnPictures, reviewPictures] as const
/** Total size of the files of an account whose email address is unconfirmed. */
const UNCONFIRMED_BYTES = 10 * 1024 * 1024

/**
 * Throws a `ConflictError` if a customer with an unconfirmed email address would store more than 10 MB of files;
 * `added` is in bytes.
 */
export async function checkStoredFiles(db: Db | Tx, userId: string, added: number): Promise<void> {
  const [user] = await db.select({ confirmedAt: users.emailConfirmedAt }).from(users).where(eq(users.id, userId))
  if (user?.confirmedAt) return
  const [sent] = await db
    .select({ bytes: sum(attachments.size).mapWith(Number) })
    .from(attachments)
    .innerJoin(messages, eq(messages.id, attachments.messageId))
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(conversations.userId, userId), eq(messages.sender, 'customer')))
  const [shown] = await db
    .select({ bytes: sum(returnPictures.size).mapWith(Number) })
    .from(returnPictures)
    .innerJoin(returns, eq(returns.id, returnPictures.returnId))
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .where(eq(orders.userId, userId))
  const [reviewed] = await db
    .select({ bytes: sum(reviewPictures.size).mapWith(Number) })
    .from(reviewPictures)
    .innerJoin(reviews, eq(reviews.id, reviewPictures.reviewId))
    .where(eq(reviews.userId, userId))
  const stored = [sent, shown, reviewed].reduce((all, each) => all + (each?.bytes ?? 0), 0)
  if (stored + added > UNCONFIRMED_BYTES)
    throw new ConflictError('Please confirm your email address to send more files')
}

/** A file of a message, return or review by its id; null if it is unknown or its message was deleted. */
export async function readFile(db: Db, id: string): Promise<SentFile | null> {
  const [file] = await db.select().from(attachments).where(eq(attachments.id, id))
  if (file) return file
  for (const table of PICTURES) {
    const [picture] = await db.select().from(table).where(eq(table.id, id))
    if (picture) return { ...picture, type: 'image' }
  }
  return null
}

/** Those of the keys that a file of a message, return or review uses. */
export async function namedKeys(db: Db, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const named = new Set<string>()
  for (const table of [attachments, ...PICTURES]) {
    const rows = await db.select({ key: table.key }).from(table).where(inArray(table.key, keys))
    for (const { key } of rows) named.add(key)
  }
  return named
}
