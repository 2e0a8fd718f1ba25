import { and, eq, inArray, sum } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { attachments, conversations, messages, orders, returnPictures, returns, users } from '../db/schema.ts'
import { ConflictError } from '../platform/errors.ts'

/** A file of a message or return. */
export type SentFile = Pick<
  typeof attachments.$inferSelect,
  'id' | 'type' | 'key' | 'mimeType' | 'originalName' | 'size'
>

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
  if ((sent?.bytes ?? 0) + (shown?.bytes ?? 0) + added > UNCONFIRMED_BYTES)
    throw new ConflictError('Please confirm your email address to send more files')
}

/** A file of a message or return by its id; null if it is unknown or its message was deleted. */
export async function readFile(db: Db, id: string): Promise<SentFile | null> {
  const [file] = await db.select().from(attachments).where(eq(attachments.id, id))
  if (file) return file
  const [picture] = await db.select().from(returnPictures).where(eq(returnPictures.id, id))
  return picture ? { ...picture, type: 'image' } : null
}

/** The keys that a file of a message or return uses. */
export async function namedKeys(db: Db, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const sent = await db.select({ key: attachments.key }).from(attachments).where(inArray(attachments.key, keys))
  const shown = await db
    .select({ key: returnPictures.key })
    .from(returnPictures)
    .where(inArray(returnPictures.key, keys))
  return new Set([...sent, ...shown].map(row => row.key))
}
