import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Message, MESSAGES_PAGE } from '#contract/chat.ts'
import type { Api } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { loadEarlier, renewBefore } from '#stores/chat/earlier.ts'
import { $hasEarlier, forgetThreads, messagesOf, putNewest } from '#stores/chat/threads.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

/** Messages with a `seq` from `first` to `last`. */
const all = (first: number, last: number, change: Partial<Message> = {}) =>
  Array.from({ length: last - first + 1 }, (_, at) => message(first + at, change))
const span = () => [messagesOf('shop')[0]?.seq, messagesOf('shop').length]
const hasEarlier = () => $hasEarlier.get().has('shop')

const getMessages = vi.fn<Api['getMessages']>()
/** The server has `count` messages and pages through them correctly. */
function keep(count: number, change: Partial<Message> = {}) {
  getMessages.mockImplementation(async ({ before = '' }) => {
    const end = Number(before.slice(1)) - 1
    const first = Math.max(1, end - MESSAGES_PAGE + 1)
    return { messages: all(first, Math.min(end, count), change), deletedIds: [], seenUpTo: 0, hasMore: first > 1 }
  })
}

beforeEach(() => {
  stubBrowser()
  forgetThreads()
  getMessages.mockReset()
  client.api = fakeApi({ getMessages })
  $customerToken.set(tokenOf('ada'))
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

test('earlier messages load page by page until the first', async () => {
  keep(450)
  putNewest('shop', all(251, 450))
  expect(hasEarlier()).toBe(true)

  await Promise.all([loadEarlier('shop'), loadEarlier('shop')])
  expect([...span(), hasEarlier()]).toEqual([51, 400, true])
  await loadEarlier('shop')

  expect([...span(), hasEarlier()]).toEqual([1, 450, false])
  expect(getMessages.mock.calls.map(([{ before }]) => before)).toEqual(['m251', 'm51'])
})

test('there are no earlier messages before the first, nor before an incomplete page', () => {
  putNewest('shop', all(1, MESSAGES_PAGE))
  expect(hasEarlier()).toBe(false)

  putNewest('other', [message(5)])
  expect($hasEarlier.get().size).toBe(0)
})

test('earlier messages that fail to load show an error, and can be retried', async () => {
  putNewest('shop', all(251, 450))
  getMessages.mockRejectedValue(AWAY)

  await loadEarlier('shop')

  expect(takeToasts().map(({ text }) => text)).toEqual([AWAY.message])
  expect([...span(), hasEarlier()]).toEqual([251, 200, true])
})

test('a server that returns only the newest messages has no earlier ones', async () => {
  putNewest('shop', all(251, 450))
  getMessages.mockResolvedValue({ messages: all(251, 450), deletedIds: [], seenUpTo: 0, hasMore: false })

  await loadEarlier('shop')

  expect([...span(), hasEarlier()]).toEqual([251, 200, false])
})

test('earlier messages of the previous customer are not shown to the next', async () => {
  putNewest('shop', all(251, 450))
  keep(450)

  const loading = loadEarlier('shop')
  $customerToken.set(tokenOf('grace'))
  await loading

  expect(span()).toEqual([251, 200])
})

test('renewing loads all loaded messages again, with new URLs', async () => {
  keep(450)
  putNewest('shop', all(251, 450))
  await loadEarlier('shop')
  await loadEarlier('shop')
  keep(450, { text: 'new' })

  putNewest('shop', all(252, 451))
  await renewBefore('shop', 'm252')

  expect(span()).toEqual([1, 451])
  expect(messagesOf('shop').filter(({ text }) => text === 'new')).toHaveLength(251)
  expect(hasEarlier()).toBe(false)
})

test('a newest page after a gap replaces the older messages, which scrolling loads again', () => {
  putNewest('shop', all(1, 150))

  putNewest('shop', all(301, 500))

  expect([...span(), hasEarlier()]).toEqual([301, 200, true])
})
