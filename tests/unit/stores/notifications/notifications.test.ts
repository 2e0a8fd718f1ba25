import { cleanStores } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Notification } from '#contract/notifications.ts'
import { events } from '#contract/realtime.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import {
  $byTab,
  $notifications,
  $unreadCount,
  loadNotifications,
  markAsRead,
  refreshNotifications,
} from '#stores/notifications/notifications.ts'
import { emit } from '#stores/socket-events.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const AWAY = new ApiError(503, 'The marketplace cannot be reached right now', { isSilent: true })
const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)
const ids = () => Object.values($byTab.get()).map(each => each.map(({ id }) => id).join(' '))
const reader = (userId: string, userType = 'customers') => ({ userId, userType, readAt: '2025-10-03T14:05:00.000Z' })

function notification(id: string, readBy: Notification['readBy'] = []): Notification {
  return { id, title: id, message: '', priority: 'low', createdAt: '2025-10-03T14:05:00.000Z', readBy }
}

let stored: Notification[]

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  stored = [notification('a'), notification('b', [reader('ada')]), notification('c', [reader('ada', 'sellers')])]
  client.api = fakeApi({
    getNotifications: () => Promise.resolve({ success: true, notifications: stored }),
    readNotification: () => Promise.resolve({ message: 'Notification marked as read' }),
  })
  $customerToken.set(undefined)
  await loadNotifications()
  $customerToken.set(tokenOf('ada'))
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

test('a notification that the customer has read is not unread', async () => {
  await loadNotifications()

  expect(ids()).toEqual(['a b c', 'a c', 'b'])
  expect($unreadCount.get()).toBe(2)
})

test('concurrent loads share one request', async () => {
  const getNotifications = vi.fn<Api['getNotifications']>(() =>
    Promise.resolve({ success: true, notifications: stored }),
  )
  client.api = fakeApi({ getNotifications })

  await Promise.all([loadNotifications(), loadNotifications()])

  expect(getNotifications).toHaveBeenCalledOnce()
})

describe('marking as read', () => {
  beforeEach(() => loadNotifications())

  test('is shown at once, and confirmed by a toast', async () => {
    const marked = markAsRead('a')
    expect(ids()).toEqual(['a b c', 'c', 'a b'])
    expect($unreadCount.get()).toBe(1)
    expect(said()).toEqual([])

    await marked

    expect(said()).toEqual(['success: Notification marked as read'])
    expect($notifications.get()).toMatchObject({
      value: [{ readBy: [{ userId: 'ada', userType: 'customers', readAt: expect.any(String) }] }, {}, {}],
    })
  })

  test('is undone when it is rejected', async () => {
    client.api = fakeApi({ readNotification: () => Promise.reject(AWAY) })

    await markAsRead('a')

    expect(ids()).toEqual(['a b c', 'a c', 'b'])
    expect(said()).toEqual(['error: Failed to mark notification as read'])
  })

  test('is not undone by a response that was requested before', async () => {
    const late = Promise.withResolvers<{ success: boolean; notifications: Notification[] }>()
    client.api = fakeApi({
      getNotifications: () => late.promise,
      readNotification: () => Promise.resolve({ message: '' }),
    })
    const loading = loadNotifications()
    await markAsRead('a')

    late.resolve({ success: true, notifications: stored })
    await loading

    expect(ids()).toEqual(['a b c', 'c', 'a b'])
  })

  test('happens once, also when requested twice', async () => {
    const readNotification = vi.fn<Api['readNotification']>(() => Promise.resolve({ message: '' }))
    client.api = fakeApi({ readNotification })

    await Promise.all([markAsRead('a'), markAsRead('a'), markAsRead('b')])

    expect(readNotification).toHaveBeenCalledOnce()
  })
})

describe('when the server cannot be reached', () => {
  beforeEach(() => {
    client.api = fakeApi({ getNotifications: () => Promise.reject(AWAY) })
  })

  test('the first load shows the error in place of the list', async () => {
    expect(await loadNotifications()).toBe(false)

    expect($notifications.get()).toEqual({ state: 'failed', message: 'Failed to fetch notifications' })
    expect(said()).toEqual([])
  })

  test('polling keeps the list and shows no error; a refresh by the customer shows one', async () => {
    $notifications.set({ state: 'ready', value: stored })

    await loadNotifications()
    expect(said()).toEqual([])
    await refreshNotifications()

    expect($notifications.get().state).toBe('ready')
    expect(said()).toEqual(['error: Failed to fetch notifications'])
  })
})

test('notifications are cleared after signing out', async () => {
  await loadNotifications()
  $customerToken.set(undefined)

  await loadNotifications()

  expect($notifications.get()).toEqual({ state: 'loading' })
  expect($unreadCount.get()).toBe(0)
})

test('a notification that arrives while the list is loading is shown at once', async () => {
  // Earlier tests have used the store without a page.
  cleanStores($notifications)
  stubPage()
  const before = Promise.withResolvers<{ success: boolean; notifications: Notification[] }>()
  const getNotifications = vi
    .fn<Api['getNotifications']>(() =>
      Promise.resolve({ success: true, notifications: [notification('d'), ...stored] }),
    )
    .mockReturnValueOnce(before.promise)
  client.api = fakeApi({ getNotifications })
  const leave = $notifications.listen(() => {})

  emit(events.notification, {})
  before.resolve({ success: true, notifications: stored })

  await vi.waitFor(() => expect(ids()[0]).toBe('d a b c'))
  leave()
})
