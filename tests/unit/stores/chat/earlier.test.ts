import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Message, MESSAGES_PAGE } from '#contract/chat.ts'
import type { Api } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { loadEarlier, renewBefore } from '#stores/chat/earlier.ts'
import { $hasEarlier, forgetThreads, messagesOf, putNewest } from '#stores/chat/threads.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY, message, stubBrowser } from '#tests/support/catalogue/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

/** Those with a `seq` from `first` to `last`. */
const all = (first: number, last: number, change: Partial<Message> = {}) =>
  Array.from({ length: last - first + 1 }, (_, at) => message(first + at, change))
const span = () => [messagesOf('shop')[0]?.seq, messagesOf('shop').length]
const hasEarlier = () => $hasEarlier.get().has('shop')

const getMessages = vi.fn<Api['getMessages']>()
/** The provider keeps so many messages and answers as it should. */
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

test('earlier messages come page by page, as far as there are any', async () => {
  keep(450)
  putNewest('shop', all(251, 450))
  expect(hasEarlier()).toBe(true)

  await Promise.all([loadEarlier('shop'), loadEarlier('shop')])
  expect([...span(), hasEarlier()]).toEqual([51, 400, true])
  await loadEarlier('shop')

  expect([...span(), hasEarlier()]).toEqual([1, 450, false])
  expect(getMessages.mock.calls.map(([{ before }]) => before)).toEqual(['m251', 'm51'])
})

test('there are none before the first of all, nor before a page that is not full', () => {
  putNewest('shop', all(1, MESSAGES_PAGE))
  expect(hasEarlier()).toBe(false)

  putNewest('other', [message(5)])
  expect($hasEarlier.get().size).toBe(0)
})

test('that cannot be had are told, and can be asked for again', async () => {
  putNewest('shop', all(251, 450))
  getMessages.mockRejectedValue(AWAY)

  await loadEarlier('shop')

  expect(takeToasts().map(({ text }) => text)).toEqual([AWAY.message])
  expect([...span(), hasEarlier()]).toEqual([251, 200, true])
})

test('a provider that knows only the newest answers with them: there are no more', async () => {
  putNewest('shop', all(251, 450))
  getMessages.mockResolvedValue({ messages: all(251, 450), deletedIds: [], seenUpTo: 0, hasMore: false })

  await loadEarlier('shop')

  expect([...span(), hasEarlier()]).toEqual([251, 200, false])
})

test('those of the customer before are not shown to the next', async () => {
  putNewest('shop', all(251, 450))
  keep(450)

  const loading = loadEarlier('shop')
  $customerToken.set(tokenOf('grace'))
  await loading

  expect(span()).toEqual([251, 200])
})

test('what was loaded is asked for again down to the first, with new addresses', async () => {
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

test('a page behind a gap replaces what is before it: that comes again by scrolling there', () => {
  putNewest('shop', all(1, 150))

  putNewest('shop', all(301, 500))

  expect([...span(), hasEarlier()]).toEqual([301, 200, true])
})
