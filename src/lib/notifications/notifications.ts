import type { Notification } from '#contract/notifications.ts'
import { MAX_BADGE } from '../constants.ts'

/** Whether the customer has read it. Sellers and admins with the same id do not count. */
export function isReadBy({ readBy }: Notification, userId: string): boolean {
  return readBy.some(reader => reader.userId === userId && reader.userType === 'customers')
}

/** The same notification, marked as read by the customer at `readAt` (ISO 8601). */
export function readBy(notification: Notification, userId: string, readAt: string): Notification {
  if (isReadBy(notification, userId)) return notification
  return { ...notification, readBy: [...notification.readBy, { userId, userType: 'customers', readAt }] }
}

/** The text of a count badge: '9', '9+'. */
export function badgeText(count: number): string {
  return count > MAX_BADGE ? `${MAX_BADGE}+` : String(count)
}
