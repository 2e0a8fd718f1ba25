import type { Notification, Priority } from '#contract/notifications.ts'
import { MAX_BADGE } from '../constants.ts'

/** The tabs of the notifications page. */
export const TABS = ['all', 'unread', 'read'] as const
export type Tab = (typeof TABS)[number]

export const TAB_TEXTS: Record<Tab, string> = { all: 'All', unread: 'Unread', read: 'Read' }

export const EMPTY_TEXTS: Record<Tab, string> = {
  all: 'No notifications',
  unread: 'No unread notifications',
  read: 'No read notifications',
}

export const PRIORITY_TEXTS: Record<Priority, string> = { high: 'High', medium: 'Medium', low: 'Low' }

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

/** The tab in the page's query. */
export function tabOf(search: string): Tab {
  const asked = new URLSearchParams(search).get('show')
  return TABS.find(tab => tab === asked) ?? 'all'
}
