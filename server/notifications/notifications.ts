import { and, desc, eq, exists, gte, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { v7 } from 'uuid'
import { isShopPath, type Notification, type Priority } from '#contract/notifications.ts'
import { DAY_MS } from '#contract/rules.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { notifyProcessesIn, notifyProcesses } from '../db/process-events.ts'
import { notificationReads, notifications, users } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { InvalidInputError, NotFoundError } from '../platform/errors.ts'

/** A notification to store. Its words come from the caller: for orders, from `../orders/order-notifications.ts`. */
export interface NewNotification {
  /** Null: for every customer whose account exists already. */
  userId: string | null
  title: string
  message: string
  priority?: Priority
  /** A path of the shop. */
  link?: string | undefined
  /** Key of the event; a second notification with the same key is dropped. */
  eventKey?: string
}

/** Most notifications that a list returns. */
const LISTED = 200
const KEPT_READ_DAYS = 90
const KEPT_DAYS = 365

const notificationAdded = prepared(db => {
  const added = db.$with('added').as(
    db
      .insert(notifications)
      .values({
        id: sql.placeholder('id'),
        userId: sql.placeholder('userId'),
        title: sql.placeholder('title'),
        message: sql.placeholder('message'),
        priority: sql.placeholder('priority'),
        link: sql.placeholder('link'),
        about: sql.placeholder('about'),
      })
      .onConflictDoNothing({ target: notifications.about })
      .returning({ id: notifications.id, userId: notifications.userId }),
  )
  const announced = notifyProcessesIn('notification', sql`${added.id} || ':' || coalesce(${added.userId}, '')`)
  return db.with(added).select({ sent: announced }).from(added).prepare('notification_added')
})

/**
 * Stores a notification and announces it to connected customers when `tx` commits. Returns false if `eventKey` was
 * stored before. Throws an `InvalidInputError` for a link that leaves the shop.
 */
export async function notify(tx: Db | Tx, notification: NewNotification): Promise<boolean> {
  if (notification.link !== undefined && !isShopPath(notification.link))
    throw new InvalidInputError(`'${notification.link}' is not a path of the shop such as /products`)
  const { userId, title, message, priority = 'medium', link = null, eventKey: about = null } = notification
  const announced = await notificationAdded(tx).execute({ id: v7(), userId, title, message, priority, link, about })
  return announced.length > 0
}

/** The customer's own notifications and those for everybody since the account was opened; newest first, at most 200. */
export async function readNotifications(db: Db, userId: string): Promise<Notification[]> {
  const rows = await db
    .select({ notification: notifications, readAt: notificationReads.readAt })
    .from(notifications)
    .leftJoin(
      notificationReads,
      and(eq(notificationReads.notificationId, notifications.id), eq(notificationReads.userId, userId)),
    )
    .where(isFor(db, userId))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(LISTED)
  return rows.map(({ notification: { id, title, message, priority, createdAt, link }, readAt }) => ({
    id,
    title,
    message,
    priority,
    createdAt: createdAt.toISOString(),
    readBy: readAt ? [{ userId, userType: 'customers', readAt: readAt.toISOString() }] : [],
    ...(link !== null && { link }),
  }))
}

/**
 * Marks a notification as read; does nothing if it was read before. Throws a `NotFoundError` if it is not for this
 * customer.
 */
export async function markRead(db: Db, userId: string, id: string): Promise<void> {
  await transact(db, async tx => {
    const isMatch = and(eq(notifications.id, id), isFor(tx, userId))
    const [found] = await tx.select({ id: notifications.id }).from(notifications).where(isMatch)
    if (!found) throw new NotFoundError('There is no such notification')
    const added = await tx
      .insert(notificationReads)
      .values({ notificationId: id, userId })
      .onConflictDoNothing()
      .returning({ id: notificationReads.notificationId })
    if (added.length > 0) await notifyProcesses(tx, 'notification', [`${id}:${userId}`])
  })
}

/** Deletes customers' own notifications 90 days after they were read, and all that are a year old. */
export async function sweepNotifications(db: Db): Promise<void> {
  const wasRead = db
    .select({ id: notificationReads.notificationId })
    .from(notificationReads)
    .where(
      and(eq(notificationReads.notificationId, notifications.id), lt(notificationReads.readAt, ago(KEPT_READ_DAYS))),
    )
  const isOver = and(sql`${notifications.userId} is not null`, exists(wasRead))
  await db.delete(notifications).where(or(lt(notifications.createdAt, ago(KEPT_DAYS)), isOver))
}

function isFor(db: Db | Tx, userId: string): SQL | undefined {
  const joined = db.select({ at: users.createdAt }).from(users).where(eq(users.id, userId))
  const isForAll = and(isNull(notifications.userId), gte(notifications.createdAt, sql`(${joined})`))
  return or(eq(notifications.userId, userId), isForAll)
}

function ago(days: number): Date {
  return new Date(Date.now() - days * DAY_MS)
}
