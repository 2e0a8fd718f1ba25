import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { forgetReplies, loadHasAi } from '#stores/chat/ai-replies.ts'
import { receiveMessage } from '#stores/chat/arrivals.ts'
import {
  $currentFriend,
  $messages,
  $waiting,
  closeChat,
  deleteMessage,
  openChat,
  markMessagesSeen,
} from '#stores/chat/chat.ts'
import { $friends, showFriends } from '#stores/chat/friends.ts'
import { $openChat } from '#stores/chat/open-chat.ts'
import { discardMessage, sendText } from '#stores/chat/outbox.ts'
import { dropMessages, forgetThreads, messagesOf, putNewest } from '#stores/chat/threads.ts'
import { forgetUnsentMessages } from '#stores/chat/unsent-messages.ts'
import { client } from '#stores/client.ts'
import { clear } from '#stores/load.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY, friend, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const done = () => Promise.resolve({ message: '' })
const unread = () => {
  const load = $friends.get()
  return load.state === 'ready' ? load.value.map(({ id, unread }) => `${id} ${unread}`) : load.state
}
let openConversation: ReturnType<typeof vi.fn<Api['openConversation']>>
let markSeen: ReturnType<typeof vi.fn<Api['markSeen']>>
let getAiStatus: ReturnType<typeof vi.fn<Api['getAiStatus']>>

beforeEach(() => {
  stubBrowser()
  forgetThreads()
  forgetReplies()
  forgetUnsentMessages()
  closeChat()
  clear($friends)
  openConversation = vi.fn<Api['openConversation']>(() =>
    Promise.resolve({
      friends: [friend('other', { unread: 1 }), friend('shop', { unread: 1 })],
      messages: [message(2)],
    }),
  )
  markSeen = vi.fn<Api['markSeen']>(done)
  getAiStatus = vi.fn<Api['getAiStatus']>(() => Promise.resolve({ hasAi: true }))
  client.api = fakeApi({ openConversation, markSeen, getAiStatus, deleteMessage: done })
  $customerToken.set(tokenOf('ada'))
})
afterEach(() => vi.unstubAllGlobals())

test('an opened conversation is the customer’s own, and is no longer unread', async () => {
  await openChat('shop')

  expect(openConversation).toHaveBeenCalledExactlyOnceWith({ sellerId: 'shop', userId: 'ada' })
  expect(markSeen).toHaveBeenCalledExactlyOnceWith({ sellerId: 'shop', userId: 'ada' })
  expect(unread()).toEqual(['other 1', 'shop 0'])
})

test('a closed conversation shows no messages, no shop and no waiting message', async () => {
  client.api = fakeApi({ openConversation, markSeen, getAiStatus, sendMessage: () => new Promise(() => undefined) })
  await openChat('shop')
  sendText('shop', 'Hello')
  expect([$messages.get().length, $currentFriend.get()?.id, $waiting.get().length]).toEqual([1, 'shop', 1])

  closeChat()

  expect([$messages.get(), $currentFriend.get(), $waiting.get()]).toEqual([[], null, []])
})

test('a conversation that is still loading shows no messages and no shop', () => {
  $openChat.set({ state: 'loading', sellerId: 'shop' })

  expect([$messages.get(), $currentFriend.get()]).toEqual([[], null])
})

test('a waiting message is shown in its own conversation only', async () => {
  client.api = fakeApi({ openConversation, markSeen, getAiStatus, sendMessage: () => new Promise(() => undefined) })
  sendText('shop', 'for the shop')
  sendText('other', 'for the other')

  $openChat.set({ state: 'ready', sellerId: 'other' })

  expect($waiting.get().map(({ text }) => text)).toEqual(['for the other'])
  discardMessage($waiting.get()[0]!.clientId)
})

describe('opening', () => {
  test.each([400, 404])(
    'a conversation with a shop that does not exist (%i) says so, though it was known',
    async status => {
      putNewest('shop', [message(2)])
      openConversation.mockRejectedValue(new ApiError(status, 'Store not found'))

      await openChat('shop')

      expect($openChat.get()).toEqual({ state: 'missing', sellerId: 'shop' })
    },
  )

  test('a known conversation without a connection keeps its messages', async () => {
    putNewest('shop', [message(2)])
    openConversation.mockRejectedValue(AWAY)

    await openChat('shop')

    expect($openChat.get()).toEqual({ state: 'ready', sellerId: 'shop' })
    expect($messages.get()).toEqual([message(2)])
  })

  test('a conversation that has no messages yet is ready', async () => {
    openConversation.mockResolvedValue({ friends: [friend('shop')] })

    await openChat('shop')

    expect($openChat.get()).toEqual({ state: 'ready', sellerId: 'shop' })
    expect($messages.get()).toEqual([])
  })

  test('a conversation shows the first message, which was sent while it loads', async () => {
    const late = Promise.withResolvers<Awaited<ReturnType<Api['openConversation']>>>()
    openConversation
      .mockReturnValueOnce(late.promise)
      .mockResolvedValue({ friends: [friend('shop')], messages: [message(1)] })
    const opening = openChat('shop')
    receiveMessage(message(1))

    late.resolve({ friends: [friend('shop')], messages: [] })
    await opening

    expect(messagesOf('shop').map(({ id }) => id)).toEqual(['m1'])
  })

  test('a known conversation keeps the message that arrives while it loads, and not the one that is deleted', async () => {
    putNewest('shop', [message(1)])
    const late = Promise.withResolvers<Awaited<ReturnType<Api['openConversation']>>>()
    openConversation.mockReturnValueOnce(late.promise)
    const opening = openChat('shop')
    receiveMessage(message(2))
    dropMessages('shop', ['m1'])

    late.resolve({ friends: [friend('shop')], messages: [message(1)] })
    await opening

    expect($messages.get()).toEqual([message(2, { status: 'seen' })])
  })

  test('another conversation while the first is loading shows the other', async () => {
    const late = Promise.withResolvers<Awaited<ReturnType<Api['openConversation']>>>()
    openConversation.mockReturnValueOnce(late.promise)
    const opening = openChat('shop')
    await openChat('other')

    late.resolve({ friends: [friend('other'), friend('shop')], messages: [message(2)] })
    await opening

    expect($openChat.get()).toEqual({ state: 'ready', sellerId: 'other' })
  })

  test.each([
    ['another customer', tokenOf('grace')],
    ['a visitor', undefined],
  ])('shows nothing to %s who has come meanwhile', async (_who, token) => {
    const late = Promise.withResolvers<Awaited<ReturnType<Api['openConversation']>>>()
    openConversation.mockReturnValueOnce(late.promise)
    const opening = openChat('shop')
    $customerToken.set(token)

    late.resolve({ friends: [friend('shop')], messages: [message(2)] })
    await opening

    expect(messagesOf('shop')).toEqual([])
    expect($friends.get()).toEqual({ state: 'loading' })
    expect(markSeen).not.toHaveBeenCalled()
  })
})

test('messages that could not be marked as seen stay unread', async () => {
  markSeen.mockRejectedValue(AWAY)
  await openChat('shop')
  await markMessagesSeen()

  expect(unread()).toEqual(['other 1', 'shop 1'])
  expect(messagesOf('shop')[0]?.status).toBe('sent')
})

test('the message that the customer chose is deleted, and the list of shops loaded again', async () => {
  const remove = vi.fn<Api['deleteMessage']>(done)
  client.api = fakeApi({ openConversation, deleteMessage: remove })
  showFriends([])

  await deleteMessage('shop', 'm1')

  expect(remove).toHaveBeenCalledExactlyOnceWith({ messageId: 'm1' })
  await vi.waitFor(() => expect(unread()).toEqual(['other 1', 'shop 1']))
})

describe('whether a shop replies automatically', () => {
  test('is fetched once', async () => {
    expect([await loadHasAi('shop'), await loadHasAi('shop')]).toEqual([true, true])

    expect(getAiStatus).toHaveBeenCalledExactlyOnceWith({ sellerId: 'shop' })
  })

  test('is false while it cannot be fetched, and is fetched again', async () => {
    getAiStatus.mockRejectedValueOnce(AWAY)

    expect([await loadHasAi('shop'), await loadHasAi('shop')]).toEqual([false, true])
  })
})
