import { formatCount } from '#lib/format.ts'
import { badgeText } from '#lib/notifications/notifications.ts'
import { $unreadCount } from '#stores/notifications/notifications.ts'

/** Keeps the unread badge of the dashboard's menu up to date; hidden at zero. */
export function showUnread(): void {
  const badge = document.querySelector<HTMLElement>('[data-unread]')
  const count = badge?.querySelector('[data-unread-count]')
  const words = badge?.querySelector('[data-unread-words]')
  if (!badge || !count || !words) return
  $unreadCount.subscribe(unread => {
    count.textContent = badgeText(unread)
    words.textContent = ` (${formatCount(unread, 'unread', 'unread')})`
    badge.hidden = unread === 0
  })
}
