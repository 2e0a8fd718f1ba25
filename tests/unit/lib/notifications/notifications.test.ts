import { expect, test } from 'vitest'
import { badgeText } from '#lib/notifications/notifications.ts'
import { EMPTY_TEXTS, tabOf } from '#lib/notifications/tabs.ts'

test('a badge counts up to nine', () => {
  expect([1, 9, 10, 200].map(badgeText)).toEqual(['1', '9', '9+', '9+'])
})

test('an empty tab names the kind of notifications', () => {
  expect(Object.values(EMPTY_TEXTS)).toEqual(['No notifications', 'No unread notifications', 'No read notifications'])
})

test.each([
  ['', 'all'],
  ['?show=unread', 'unread'],
  ['?show=read', 'read'],
  ['?show=__proto__', 'all'],
])('%j opens the tab %s', (search, tab) => {
  expect(tabOf(search)).toBe(tab)
})
