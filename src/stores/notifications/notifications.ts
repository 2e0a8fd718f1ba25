import { atom, computed } from 'nanostores'
import type { Notification } from '#contract/notifications.ts'
import { events } from '#contract/realtime.ts'
import { ApiError, isOffline, OFFLINE } from '#lib/api.ts'
import { isReadBy, readBy } from '#lib/notifications/notifications.ts'
import type { Tab } from '#lib/notifications/tabs.ts'
import { client } from '../page-client.ts'
import type { Load } from '../load.ts'
import { keepFresh, notifyOtherTabs } from '../cross-tab-sync.ts'
import { customerData, persistentCount } from '../customer-data.ts'
import { $isConnected, onEvent } from '../socket-events.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

const FAILED = 'Failed to fetch notifications'

/** The customer's notifications, newest first. */
export const $notifications = atom<Load<Notification[]>>({ state: 'loading' })

export const $unreadCount = persistentCount('unreadNotifications', $notifications)

/** The notifications that each tab shows. */
export const $byTab = computed([$notifications, $customer], (load, customer): Record<Tab, Notification[]> => {
  const all = load.state === 'ready' ? load.value : []
  const isRead = (each: Notification) => customer !== null && isReadBy(each, customer.id)
  return { all, unread: all.filter(each => !isRead(each)), read: all.filter(isRead) }
})

/** When this page marked each notification as read, by id. Responses that were requested earlier do not include it. */
const marked = new Map<string, string>()

const { load, reload } = customerData({
  topic: 'notifications',
  $store: $notifications,
  failure: FAILED,
  fetch: () => client.api.getNotifications({}),
  show: ({ notifications }) =>
    showNotifications(
      notifications.map(each => {
        const readAt = marked.get(each.id)
        return readAt ? readBy(each, $customer.get()?.id ?? '', readAt) : each
      }),
    ),
  reset,
})

/**
 * Loads the notifications; concurrent calls share one request. Returns false on failure, which is stored only if
 * nothing is loaded yet.
 */
export const loadNotifications = load

/** Like `loadNotifications`, at the customer's request: a toast shows a failure. */
export async function refreshNotifications(): Promise<void> {
  const isShown = $notifications.get().state === 'ready'
  if (!isShown) $notifications.set({ state: 'loading' })
  if ((await loadNotifications()) || !isShown || !$customer.get()) return
  toast('error', isOffline() ? OFFLINE : FAILED)
}

function reset(): void {
  marked.clear()
  $notifications.set({ state: 'loading' })
  $unreadCount.set(0)
}

function showNotifications(notifications: Notification[]): void {
  $notifications.set({ state: 'ready', value: notifications })
  const userId = $customer.get()?.id ?? ''
  $unreadCount.set(notifications.filter(each => !isReadBy(each, userId)).length)
}

/** Marks a notification as read at once, unread again if the provider rejects it. A toast shows the outcome. */
export async function markAsRead(id: string): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  const readAt = new Date().toISOString()
  const before = updateNotification(id, each => readBy(each, customer.id, readAt))
  if (!before || isReadBy(before, customer.id)) return
  marked.set(id, readAt)
  try {
    await client.api.readNotification({ id, userType: 'customers' })
    toast('success', 'Notification marked as read')
    notifyOtherTabs('notifications')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    marked.delete(id)
    updateNotification(id, each => ({ ...each, readBy: before.readBy }))
    toast('error', isOffline() ? OFFLINE : 'Failed to mark notification as read')
  }
}

/** Returns the notification as it was before. */
function updateNotification(id: string, update: (each: Notification) => Notification): Notification | undefined {
  const shown = $notifications.get()
  if (shown.state !== 'ready') return undefined
  showNotifications(shown.value.map(each => (each.id === id ? update(each) : each)))
  return shown.value.find(each => each.id === id)
}

startInBrowser($notifications, () => {
  const refresh = () => void load()
  return [
    $customer.subscribe(refresh),
    keepFresh('notifications', refresh),
    // A request under way may have been answered before.
    onEvent(events.notification, reload),
    $isConnected.listen(isConnected => isConnected && refresh()),
  ]
})
