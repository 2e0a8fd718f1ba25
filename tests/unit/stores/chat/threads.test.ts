import { beforeEach, expect, test } from 'vitest'
import {
  dropMessages,
  forgetThreads,
  messagesOf,
  putMessage,
  putNewest,
  putNext,
  showSeen,
  syncedId,
} from '#stores/chat/threads.ts'
import { message } from '#tests/support/catalogue/chatting.ts'

const ids = () => messagesOf('shop').map(({ id }) => id)

beforeEach(forgetThreads)

test('messages stand in the order of the provider, each once, as it was last told', () => {
  putNewest('shop', [message(1), message(2)])

  expect(putMessage('shop', message(3))).toBe(true)
  expect(putMessage('shop', message(2, { text: 'again' }))).toBe(true)

  expect(ids()).toEqual(['m1', 'm2', 'm3'])
  expect(messagesOf('shop')[1]?.text).toBe('again')
  expect(syncedId('shop')).toBe('m3')
})

test('what is missing before a message is asked for after the last that is complete', () => {
  putNewest('shop', [message(1)])

  expect(putMessage('shop', message(4))).toBe(false)
  expect(ids()).toEqual(['m1', 'm4'])
  expect(syncedId('shop')).toBe('m1')

  putNext('shop', [message(2), message(3), message(4), message(5)])
  expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
  expect(syncedId('shop')).toBe('m5')
})

test('the newest tell what was deleted between them, and keep what is older', () => {
  putNewest('shop', [message(1), message(2), message(3), message(4)])

  putNewest('shop', [message(2), message(4)])

  expect(ids()).toEqual(['m1', 'm2', 'm4'])
  putNewest('shop', [])
  expect(ids()).toEqual([])
  expect(syncedId('shop')).toBeUndefined()
})

test('one side has seen what the other wrote up to there', () => {
  putNewest('shop', [message(1), message(2), message(3), message(5)])

  showSeen('shop', 'ada', 3)

  expect(messagesOf('shop').map(({ status }) => status)).toEqual(['seen', 'sent', 'seen', 'sent'])
})

test('what changes nothing is the same list', () => {
  putNewest('shop', [message(1)])
  const before = messagesOf('shop')

  dropMessages('shop', ['m9'])
  showSeen('shop', 'shop', 9)

  expect(messagesOf('shop')).toBe(before)
})

test('messages of a provider that does not number them stay as they come, and are seen when it says so', () => {
  const [first, second] = [message(0, { id: 'a', senderId: 'ada' }), message(0, { id: 'b', senderId: 'ada' })]
  putNewest('shop', [first, second])

  showSeen('shop', 'ada', 0)

  expect(ids()).toEqual(['a', 'b'])
  expect(messagesOf('shop').map(({ status }) => status)).toEqual([first.status, second.status])
})
