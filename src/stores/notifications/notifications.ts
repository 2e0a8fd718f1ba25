import { persistentAtom } from '@nanostores/persistent'
import { atom, computed } from 'nanostores'
import type { Notification } from '#contract/notifications.ts'
import { events } from '#contract/realtime.ts'
import { ApiError } from '#lib/api.ts'
import { isReadBy, readBy, type Tab } from '#lib/notifications/notifications.ts'
import { client } from '../client.ts'
import type { Load } from '../load.ts'
import { keepFresh, tellOtherTabs } from '../cross-tab-sync.ts'
import { $isConnected, onEvent } from '../realtime.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'

const FAILED = 'Failed to fetch notifications'

/** The customer's notifications, newest first. */
export const $notifications = atom<Load<Notification[]>>({ state: 'loading' })

/** Persisted so that the badge is right at once on the next page. */
export const $unreadCount = persistentAtom<number>('unreadNotifications', 0, { encode: String, decode: Number })

/** The notifications that each tab shows. */
export const $byTab = computed([$notifications, $customer], (load, customer): Record<Tab, Notification[]> => {
  const all = load.state === 'ready' ? load.value : []
  const isRead = (each: Notification) => customer !== null && isReadBy(each, customer.id)
  return { all, unread: all.filter(each => !isRead(each)), read: all.filter(isRead) }
})

/** When this page marked a notification as read, by id. A response requested before does not include it. */
const marked = new Map<string, string>()
let loading: Promise<boolean> | undefined

/**
 * Loads the notifications; concurrent calls share one request. Returns false on failure, which is stored only if
 * nothing is loaded yet.
 */
export function loadNotifications(): Promise<boolean> {
  loading ??= load().finally(() => (loading = undefined))
  return loading
}

/** Like `loadNotifications`, when the customer asked for it: a toast shows a failure. */
export async function refreshNotifications(): Promise<void> {
  const isShown = $notifications.get().state === 'ready'
  if (!isShown) $notifications.set({ state: 'loading' })
  if (!(await loadNotifications()) && isShown && $customer.get()) toast('error', FAILED)
}

async function load(): Promise<boolean> {
  const customer = $customer.get()
  if (!customer) {
    reset()
    return true
  }
  try {
    const { notifications } = await client.api.getNotifications({})
    if ($customer.get()?.id !== customer.id) return await load()
    show(
      notifications.map(each => {
        const readAt = marked.get(each.id)
        return readAt ? readBy(each, customer.id, readAt) : each
      }),
    )
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The request may have failed because the session ended.
    if ($customer.get()?.id !== customer.id) return await load()
    if ($notifications.get().state !== 'ready') $notifications.set({ state: 'failed', message: FAILED })
    return false
  }
}

function reset(): void {
  marked.clear()
  $notifications.set({ state: 'loading' })
  $unreadCount.set(0)
}

function show(notifications: Notification[]): void {
  $notifications.set({ state: 'ready', value: notifications })
  const userId = $customer.get()?.id ?? ''
  $unreadCount.set(notifications.filter(each => !isReadBy(each, userId)).length)
}

/** Marks a notification as read at once, unread again if the provider rejects it. A toast shows the outcome. */
export async function markAsRead(id: string): Promise<void> {
  const customer = $customer.get()
  if (!customer) return
  const readAt = new Date().toISOString()
  const before = change(id, each => readBy(each, customer.id, readAt))
  if (!before || isReadBy(before, customer.id)) return
  marked.set(id, readAt)
  try {
    await client.api.readNotification({ id, userType: 'customers' })
    toast('success', 'Notification marked as read')
    tellOtherTabs('notifications')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    marked.delete(id)
    change(id, each => ({ ...each, readBy: before.readBy }))
    toast('error', 'Failed to mark notification as read')
  }
}

/** Returns the notification as it was before. */
function change(id: string, by: (each: Notification) => Notification): Notification | undefined {
  const shown = $notifications.get()
  if (shown.state !== 'ready') return undefined
  show(shown.value.map(each => (each.id === id ? by(each) : each)))
  return shown.value.find(each => each.id === id)
}

startInBrowser($notifications, () => {
  const ask = () => void loadNotifications()
  const stopSession = $customer.subscribe(ask)
  const stopNews = keepFresh('notifications', ask)
  const stopEvents = onEvent(events.notification, ask)
  const stopConnected = $isConnected.listen(isConnected => isConnected && ask())
  return () => {
    stopSession()
    stopNews()
    stopEvents()
    stopConnected()
  }
})
startInBrowser($unreadCount, () => $notifications.listen(() => undefined))
