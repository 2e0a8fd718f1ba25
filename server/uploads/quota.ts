import { and, eq, sum } from 'drizzle-orm'
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
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import { ConflictError } from '../platform/errors.ts'
import { sumBy } from '../platform/sum.ts'

/** Total size of the files of an account whose email address is unconfirmed. */
const UNCONFIRMED_BYTES = 10 * 1024 * 1024

/**
 * Throws a `ConflictError` if a customer with an unconfirmed email address would store more than 10 MB of files. Before
 * storing files, call it in their transaction after `lockCustomer`: otherwise simultaneous uploads each pass the check.
 */
export async function checkStoredFiles(db: Db | Tx, userId: string, added: { size: number }[]): Promise<void> {
  const [user] = await db.select({ confirmedAt: users.emailConfirmedAt }).from(users).where(eq(users.id, userId))
  if (user?.confirmedAt) return
  const [inChats] = await db
    .select({ bytes: sum(attachments.size).mapWith(Number) })
    .from(attachments)
    .innerJoin(messages, eq(messages.id, attachments.messageId))
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(conversations.userId, userId), eq(messages.sender, 'customer')))
  const [inReturns] = await db
    .select({ bytes: sum(returnPictures.size).mapWith(Number) })
    .from(returnPictures)
    .innerJoin(returns, eq(returns.id, returnPictures.returnId))
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .where(eq(orders.userId, userId))
  const [inReviews] = await db
    .select({ bytes: sum(reviewPictures.size).mapWith(Number) })
    .from(reviewPictures)
    .innerJoin(reviews, eq(reviews.id, reviewPictures.reviewId))
    .where(eq(reviews.userId, userId))
  const stored = sumBy([inChats, inReturns, inReviews], each => each?.bytes ?? 0)
  const bytes = sumBy(added, ({ size }) => size)
  if (stored + bytes > UNCONFIRMED_BYTES)
    throw new ConflictError('Please confirm your email address to send more files')
}

/** Records in the audit that files of a customer were rejected. */
export async function recordRejection(
  db: Db,
  { userId, reason }: { userId: string; reason: string },
  origin: RequestOrigin,
): Promise<void> {
  await recordAudit(db, { event: 'upload', outcome: 'refused', actorId: userId, details: { reason }, ...origin })
}
