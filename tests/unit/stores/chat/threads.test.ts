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

test('messages are in the server’s order, each once, in the latest version', () => {
  putNewest('shop', [message(1), message(2)])

  expect(putMessage('shop', message(3))).toBe(true)
  expect(putMessage('shop', message(2, { text: 'again' }))).toBe(true)

  expect(ids()).toEqual(['m1', 'm2', 'm3'])
  expect(messagesOf('shop')[1]?.text).toBe('again')
  expect(syncedId('shop')).toBe('m3')
})

test('messages missing before a new one are loaded after the last complete one', () => {
  putNewest('shop', [message(1)])

  expect(putMessage('shop', message(4))).toBe(false)
  expect(ids()).toEqual(['m1', 'm4'])
  expect(syncedId('shop')).toBe('m1')

  putNext('shop', [message(2), message(3), message(4), message(5)])
  expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
  expect(syncedId('shop')).toBe('m5')
})

test('the newest page removes messages deleted within it, and keeps older ones', () => {
  putNewest('shop', [message(1), message(2), message(3), message(4)])

  putNewest('shop', [message(2), message(4)])

  expect(ids()).toEqual(['m1', 'm2', 'm4'])
  putNewest('shop', [])
  expect(ids()).toEqual([])
  expect(syncedId('shop')).toBeUndefined()
})

test('showSeen marks one side’s messages up to the given one as seen', () => {
  putNewest('shop', [message(1), message(2), message(3), message(5)])

  showSeen('shop', 'ada', 3)

  expect(messagesOf('shop').map(({ status }) => status)).toEqual(['seen', 'sent', 'seen', 'sent'])
})

test('an update that changes nothing keeps the same list', () => {
  putNewest('shop', [message(1)])
  const before = messagesOf('shop')

  dropMessages('shop', ['m9'])
  showSeen('shop', 'shop', 9)

  expect(messagesOf('shop')).toBe(before)
})

test('unnumbered messages keep their order and status', () => {
  const [first, second] = [message(0, { id: 'a', senderId: 'ada' }), message(0, { id: 'b', senderId: 'ada' })]
  putNewest('shop', [first, second])

  showSeen('shop', 'ada', 0)

  expect(ids()).toEqual(['a', 'b'])
  expect(messagesOf('shop').map(({ status }) => status)).toEqual([first.status, second.status])
})
