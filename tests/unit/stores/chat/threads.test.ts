import { beforeEach, describe, expect, test } from 'vitest'
import { MESSAGES_PAGE } from '#contract/chat.ts'
import {
  $hasEarlier,
  dropMessages,
  forgetThreads,
  messagesOf,
  putEarlier,
  putMessage,
  putNewest,
  putNext,
  showSeen,
  syncedId,
} from '#stores/chat/threads.ts'
import { message } from '#tests/support/chat/chatting.ts'

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

test('a full page whose first message was deleted while it loaded still has earlier ones', () => {
  putNewest('shop', [])
  dropMessages('shop', ['m301'])

  putNewest(
    'shop',
    Array.from({ length: MESSAGES_PAGE }, (_, at) => message(301 + at)),
  )

  expect(ids()[0]).toBe('m302')
  expect($hasEarlier.get().has('shop')).toBe(true)
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

describe('a page of earlier messages', () => {
  beforeEach(() => putNewest('shop', [message(4), message(5)]))
  const hasEarlier = () => $hasEarlier.get().has('shop')

  test('comes before the known ones, and may itself have earlier ones', () => {
    expect(putEarlier('shop', 'm4', [message(2), message(3)], true)).toBe('m2')

    expect(ids()).toEqual(['m2', 'm3', 'm4', 'm5'])
    expect(hasEarlier()).toBe(true)
  })

  test('without older messages ends the list, even if the server says that there are more', () => {
    expect(putEarlier('shop', 'm4', [message(4, { text: 'again' }), message(5)], true)).toBeUndefined()

    expect(messagesOf('shop')[0]?.text).toBe('text 4')
    expect(hasEarlier()).toBe(false)
  })

  test('before a message that has been deleted is not shown', () => {
    expect(putEarlier('shop', 'm9', [message(1), message(2)], true)).toBeUndefined()

    expect(ids()).toEqual(['m4', 'm5'])
    expect(hasEarlier()).toBe(false)
  })

  test('in the middle does not change whether there are more before the first', () => {
    putEarlier('shop', 'm4', [message(2), message(3)], true)

    putEarlier('shop', 'm4', [message(3, { text: 'again' })], false)

    expect(hasEarlier()).toBe(true)
  })
})

test('a page that is older than the last complete message does not move it back', () => {
  putNewest('shop', [message(1), message(2), message(3)])

  putNext('shop', [message(2)])
  expect(syncedId('shop')).toBe('m3')
  putNext('shop', [])
  expect(syncedId('shop')).toBe('m3')
})

test('messages that follow an empty conversation are complete', () => {
  putNewest('shop', [])

  putNext('shop', [message(1), message(2)])

  expect(syncedId('shop')).toBe('m2')
})

test('the next customer has no conversations, and none with earlier messages', () => {
  putNewest('shop', [message(4)])
  putEarlier('shop', 'm4', [message(3)], true)

  forgetThreads()

  expect([messagesOf('shop'), syncedId('shop'), $hasEarlier.get().size]).toEqual([[], undefined, 0])
})

test('seen messages are not marked again', () => {
  putNewest('shop', [message(1, { status: 'seen' })])
  const before = messagesOf('shop')

  showSeen('shop', 'ada', 1)

  expect(messagesOf('shop')).toBe(before)
})
