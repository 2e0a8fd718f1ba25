import { formatCount } from '#lib/format.ts'
import { badgeText } from '#lib/notifications/notifications.ts'
import { $unreadCount } from '#stores/notifications/notifications.ts'

/** Keeps the unread badges of the header and the dashboard's menu up to date; hidden at zero. */
export function showUnread(): void {
  for (const badge of document.querySelectorAll<HTMLElement>('[data-unread]')) {
    const count = badge.querySelector('[data-unread-count]')!
    const words = badge.querySelector('[data-unread-words]')!
    $unreadCount.subscribe(unread => {
      count.textContent = badgeText(unread)
      words.textContent = ` (${formatCount(unread, 'unread', 'unread')})`
      badge.hidden = unread === 0
    })
  }
}
