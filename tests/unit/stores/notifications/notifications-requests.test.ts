import { beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '#contract/notifications.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import {
  $notifications,
  $unreadCount,
  loadNotifications,
  markAsRead,
  refreshNotifications,
} from '#stores/notifications/notifications.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const AWAY = new ApiError(503, 'The marketplace cannot be reached right now')
const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)

function notification(id: string): Notification {
  return { id, title: id, message: '', priority: 'low', createdAt: '2025-10-03T14:05:00.000Z', readBy: [] }
}
const listed = { success: true, notifications: [notification('a'), notification('b')] }

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  $customerToken.set(undefined)
  await loadNotifications()
  $customerToken.set(tokenOf('ada'))
  client.api = fakeApi({ getNotifications: () => Promise.resolve(listed) })
  takeToasts()
})

test('a refresh that succeeds shows no toast', async () => {
  await refreshNotifications()
  await refreshNotifications()

  expect($notifications.get().state).toBe('ready')
  expect(said()).toEqual([])
})

test('a refresh after a failed load shows that it is loading, and then the error in place of the list', async () => {
  client.api = fakeApi({ getNotifications: () => Promise.reject(AWAY) })
  await loadNotifications()
  expect($notifications.get().state).toBe('failed')

  const refreshing = refreshNotifications()
  expect($notifications.get()).toEqual({ state: 'loading' })
  await refreshing

  expect($notifications.get()).toEqual({ state: 'failed', message: 'Failed to fetch notifications' })
  expect(said()).toEqual([])
})

test('a notification is marked as read by a customer, on its own', async () => {
  const readNotification = vi.fn<Api['readNotification']>(() => Promise.resolve({ message: '' }))
  client.api = fakeApi({ readNotification, getNotifications: () => Promise.resolve(listed) })
  await loadNotifications()

  await markAsRead('b')

  expect(readNotification).toHaveBeenCalledExactlyOnceWith({ id: 'b', userType: 'customers' })
  expect($notifications.get()).toMatchObject({ value: [{ readBy: [] }, { readBy: [{ userId: 'ada' }] }] })
  expect($unreadCount.get()).toBe(1)
})

test('a notification that is not listed cannot be marked as read', async () => {
  await loadNotifications()

  await markAsRead('z')

  expect($unreadCount.get()).toBe(2)
  expect(said()).toEqual([])
})

test('nothing can be marked as read before the list is loaded', async () => {
  await markAsRead('a')

  expect($notifications.get()).toEqual({ state: 'loading' })
  expect(said()).toEqual([])
})

test('a notification that could not be marked as read is still unread in the next list', async () => {
  await loadNotifications()
  client.api = fakeApi({
    readNotification: () => Promise.reject(AWAY),
    getNotifications: () => Promise.resolve(listed),
  })
  await markAsRead('a')

  await loadNotifications()

  expect($unreadCount.get()).toBe(2)
})
