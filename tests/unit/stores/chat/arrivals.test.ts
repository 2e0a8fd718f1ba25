import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Message } from '#contract/chat.ts'
import type { Api } from '#lib/api.ts'
import { catchUp, receiveMessage } from '#stores/chat/arrivals.ts'
import { $friends, showFriends } from '#stores/chat/friends.ts'
import { $openChat } from '#stores/chat/open-chat.ts'
import { forgetThreads, messagesOf, putNewest } from '#stores/chat/threads.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY, friend, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const ids = () => messagesOf('shop').map(({ id }) => id)
const unread = () => {
  const load = $friends.get()
  return load.state === 'ready' ? load.value.map(({ id, unread }) => `${id} ${unread}`) : load.state
}
const page = (messages: Message[], hasMore = false) => ({ messages, deletedIds: [], seenUpTo: 0, hasMore })
const getMessages = vi.fn<Api['getMessages']>()

beforeEach(() => {
  stubBrowser()
  forgetThreads()
  $openChat.set({ state: 'none' })
  getMessages.mockReset()
  client.api = fakeApi({ getMessages })
  $customerToken.set(tokenOf('ada'))
  showFriends([friend('other'), friend('shop')])
})
afterEach(() => vi.unstubAllGlobals())

describe('an arriving message', () => {
  test('is unread if the shop wrote it and the customer is not looking', () => {
    receiveMessage(message(2))

    expect(unread()).toEqual(['shop 1', 'other 0'])
  })

  test.each([
    ['the customer wrote it', message(1)],
    ['it was seen in another window', message(2, { status: 'seen' })],
  ])('is not unread if %s', (_why, arriving) => {
    receiveMessage(arriving)

    expect(unread()).toEqual(['shop 0', 'other 0'])
  })

  test('is not unread if the customer is looking', () => {
    $openChat.set({ state: 'ready', sellerId: 'shop' })

    receiveMessage(message(2))

    expect(unread()).toEqual(['shop 0', 'other 0'])
  })

  test('loads nothing of a conversation that was never opened', () => {
    receiveMessage(message(9))

    expect(getMessages).not.toHaveBeenCalled()
    expect(ids()).toEqual([])
  })

  test('of a shop that is not listed yet loads the list', async () => {
    const openConversation = vi.fn<Api['openConversation']>(() => Promise.resolve({ friends: [friend('new')] }))
    client.api = fakeApi({ openConversation })

    receiveMessage(message(2, { senderId: 'new' }))

    await vi.waitFor(() => expect(unread()).toEqual(['new 0']))
  })
})

describe('catching up', () => {
  test('loads nothing of a conversation that was never opened', async () => {
    await catchUp('shop')

    expect(getMessages).not.toHaveBeenCalled()
  })

  test('loads the missing messages page by page', async () => {
    putNewest('shop', [message(1)])
    getMessages.mockResolvedValueOnce(page([message(2), message(3)], true)).mockResolvedValueOnce(page([message(4)]))

    await catchUp('shop')

    expect(ids()).toEqual(['m1', 'm2', 'm3', 'm4'])
    expect(getMessages.mock.calls).toEqual([[{ sellerId: 'shop', since: 'm1' }], [{ sellerId: 'shop', since: 'm3' }]])
  })

  test('in an empty conversation loads the newest messages', async () => {
    putNewest('shop', [])
    getMessages.mockResolvedValueOnce(page([message(1), message(2)]))

    await catchUp('shop')

    expect(ids()).toEqual(['m1', 'm2'])
    expect(getMessages.mock.calls).toEqual([[{ sellerId: 'shop' }]])
  })

  test('ends when there is always more, but nothing new', async () => {
    putNewest('shop', [message(1)])
    getMessages.mockResolvedValueOnce(page([], true)).mockRejectedValue(new TypeError('asked again'))

    await catchUp('shop')

    expect(getMessages).toHaveBeenCalledOnce()
  })

  test('removes deleted messages and marks those that the shop has seen', async () => {
    putNewest('shop', [message(1), message(2), message(3)])
    getMessages.mockResolvedValueOnce({ messages: [], deletedIds: ['m2'], seenUpTo: 1, hasMore: false })

    await catchUp('shop')

    expect(messagesOf('shop').map(({ id, status }) => `${id} ${status}`)).toEqual(['m1 seen', 'm3 sent'])
  })

  test('that fails leaves the conversation as it is', async () => {
    putNewest('shop', [message(1)])
    getMessages.mockRejectedValue(AWAY)

    await catchUp('shop')

    expect(ids()).toEqual(['m1'])
  })

  test.each([
    ['another customer', tokenOf('grace')],
    ['a visitor', undefined],
  ])('shows nothing to %s who has come meanwhile', async (_who, token) => {
    putNewest('shop', [message(1)])
    const late = Promise.withResolvers<ReturnType<typeof page>>()
    getMessages.mockReturnValueOnce(late.promise)
    const loading = catchUp('shop')
    $customerToken.set(token)

    late.resolve(page([message(2)]))
    await loading

    expect(ids()).toEqual(['m1'])
  })
})
