/** The tabs of the notifications page. */
export const TABS = ['all', 'unread', 'read'] as const
export type Tab = (typeof TABS)[number]

export const TAB_TEXTS: Record<Tab, string> = { all: 'All', unread: 'Unread', read: 'Read' }

export const EMPTY_TEXTS: Record<Tab, string> = {
  all: 'No notifications',
  unread: 'No unread notifications',
  read: 'No read notifications',
}

/** The tab in the page's query. */
export function tabOf(search: string): Tab {
  const asked = new URLSearchParams(search).get('show')
  return TABS.find(tab => tab === asked) ?? 'all'
}
