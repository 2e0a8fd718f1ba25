import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Message } from '#contract/chat.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { catchUp, receiveMessage } from '#stores/chat/arrivals.ts'
import {
  $currentFriend,
  $messages,
  $waiting,
  closeChat,
  deleteMessage,
  openChat,
  markMessagesSeen,
} from '#stores/chat/chat.ts'
import { client } from '#stores/client.ts'
import { $friends, loadFriends } from '#stores/chat/friends.ts'
import { forgetUnsentMessages } from '#stores/chat/unsent-messages.ts'
import { clear } from '#stores/load.ts'
import { $openChat } from '#stores/chat/open-chat.ts'
import { sendText } from '#stores/chat/outbox.ts'
import { forgetThreads } from '#stores/chat/threads.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY, friend, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)
const shown = () => $messages.get().map(({ id }) => id)
const friends = () => {
  const load = $friends.get()
  return load.state === 'ready' ? load.value.map(({ id, unread }) => `${id} ${unread}`) : []
}

let stored: Message[]
let seen: string[]
let browser: ReturnType<typeof stubBrowser>
const answers = (change: Partial<Api> = {}) =>
  fakeApi({
    openConversation: ({ sellerId }) =>
      Promise.resolve({
        friends: [friend('other', { unread: 1 }), friend('shop')],
        ...(sellerId && { current: friend(sellerId), messages: sellerId === 'shop' ? stored : [] }),
      }),
    getAiStatus: () => Promise.resolve({ hasAi: false }),
    markSeen: async ({ sellerId }) => {
      seen.push(sellerId)
      return { message: '' }
    },
    ...change,
  })

beforeEach(() => {
  browser = stubBrowser()
  forgetThreads()
  forgetUnsentMessages()
  closeChat()
  clear($friends)
  stored = [message(1), message(2), message(3)]
  seen = []
  client.api = answers()
  $customerToken.set(tokenOf('ada'))
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

describe('opening a conversation', () => {
  test('shows its messages and its shop, and marks them as seen', async () => {
    const opening = openChat('shop')
    expect($openChat.get()).toEqual({ state: 'loading', sellerId: 'shop' })

    await opening

    expect($openChat.get()).toEqual({ state: 'ready', sellerId: 'shop' })
    expect(shown()).toEqual(['m1', 'm2', 'm3'])
    expect($currentFriend.get()?.id).toBe('shop')
    expect(seen).toEqual(['shop'])
    expect($messages.get().map(({ status }) => status)).toEqual(['sent', 'seen', 'sent'])
  })

  test('shows known messages at once when it is opened again', async () => {
    await openChat('shop')
    await openChat('other')

    void openChat('shop')

    expect($openChat.get().state).toBe('ready')
    expect(shown()).toEqual(['m1', 'm2', 'm3'])
  })

  test.each([
    [new ApiError(404, 'Store not found'), { state: 'missing', sellerId: 'shop' }],
    [AWAY, { state: 'failed', sellerId: 'shop', message: AWAY.message }],
  ])('that fails is %j', async (error, open) => {
    client.api = answers({ openConversation: () => Promise.reject(error) })

    await openChat('shop')

    expect($openChat.get()).toEqual(open)
  })

  test('ignores a late response for the conversation before', async () => {
    const late = Promise.withResolvers<never>()
    client.api = answers({ openConversation: () => late.promise })
    const opening = openChat('shop')
    client.api = answers()
    await openChat('other')

    late.reject(AWAY)
    await opening

    expect($openChat.get()).toEqual({ state: 'ready', sellerId: 'other' })
  })
})

describe('an incoming message', () => {
  beforeEach(() => openChat('shop'))

  test('is added at the end, and moves its conversation to the top', () => {
    receiveMessage(message(4))

    expect(shown()).toEqual(['m1', 'm2', 'm3', 'm4'])
    expect(friends()).toEqual(['shop 0', 'other 1'])
  })

  test('is counted as unread when its conversation is not in view', () => {
    receiveMessage(message(4, { id: 'x', senderId: 'other', receiverId: 'ada' }))
    browser.look(false)
    receiveMessage(message(4))

    expect(friends()).toEqual(['shop 1', 'other 2'])
  })

  test('is shown once when it arrives twice', () => {
    receiveMessage(message(4))
    receiveMessage(message(4))

    expect(shown()).toEqual(['m1', 'm2', 'm3', 'm4'])
  })

  test('is counted as unread once when it arrives twice', () => {
    browser.look(false)
    receiveMessage(message(4))
    receiveMessage(message(4))

    expect(friends()).toEqual(['shop 1', 'other 1'])
  })

  test('after a gap loads the missing messages page by page', async () => {
    const getMessages = vi.fn<Api['getMessages']>(({ since }) => {
      const next = since === 'm3' ? [message(4), message(5)] : [message(6)]
      return Promise.resolve({ messages: next, deletedIds: ['m2'], seenUpTo: 3, hasMore: since === 'm3' })
    })
    client.api = answers({ getMessages })

    receiveMessage(message(6))

    await vi.waitFor(() => expect(shown()).toEqual(['m1', 'm3', 'm4', 'm5', 'm6']), PATIENCE)
    expect(getMessages.mock.calls.map(([input]) => input)).toEqual([
      { sellerId: 'shop', since: 'm3' },
      { sellerId: 'shop', since: 'm5' },
    ])
    expect($messages.get().map(({ status }) => status)).toEqual(['seen', 'seen', 'sent', 'sent', 'sent'])
  })

  test('that arrives while a catch-up is in flight is loaded by another request', async () => {
    const first = Promise.withResolvers<Awaited<ReturnType<Api['getMessages']>>>()
    const page = (messages: Message[]) => ({ messages, deletedIds: [], seenUpTo: 0, hasMore: false })
    const getMessages = vi.fn<Api['getMessages']>(async () => page([message(4), message(5)]))
    getMessages.mockImplementationOnce(() => first.promise)
    client.api = answers({ getMessages })

    const before = catchUp('shop')
    // Message 4 arrived while the socket was disconnected.
    receiveMessage(message(5))
    const again = catchUp('shop')
    first.resolve(page([]))
    await Promise.all([before, again])

    expect(shown()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
    expect(getMessages).toHaveBeenCalledTimes(2)
  })
})

describe('marking as seen', () => {
  test('happens once the customer looks, and once only', async () => {
    browser.look(false)
    await openChat('shop')
    expect(seen).toEqual([])

    browser.look(true)
    await Promise.all([markMessagesSeen(), markMessagesSeen()])
    await markMessagesSeen()

    expect(seen).toEqual(['shop'])
  })

  test('sends one request per call to a provider that does not number messages', async () => {
    stored = [message(2, { seq: 0 })]
    await openChat('shop')

    await markMessagesSeen()

    expect(seen).toEqual(['shop', 'shop'])
  })

  test('is retried later when it fails', async () => {
    client.api = answers({ markSeen: () => Promise.reject(AWAY) })
    await openChat('shop')
    expect($messages.get()[1]?.status).toBe('sent')
    client.api = answers()

    await markMessagesSeen()

    expect(seen).toEqual(['shop'])
    expect(said()).toEqual([])
  })
})

describe('deleting a message', () => {
  beforeEach(() => openChat('shop'))

  test.each([
    ['Gone', 'success: Gone'],
    ['', 'success: Message deleted successfully'],
  ])('removes the message and shows %j', async (text, words) => {
    client.api = answers({ deleteMessage: () => Promise.resolve({ message: text }) })

    await deleteMessage('shop', 'm1')

    expect(shown()).toEqual(['m2', 'm3'])
    expect(said()).toEqual([words])
  })

  test.each([
    [new ApiError(404, 'Message not found'), 'error: Message not found'],
    [AWAY, 'error: An error occurred while deleting the message'],
  ])('that fails with %j keeps the message', async (error, words) => {
    client.api = answers({ deleteMessage: () => Promise.reject(error) })

    await deleteMessage('shop', 'm1')

    expect(shown()).toEqual(['m1', 'm2', 'm3'])
    expect(said()).toEqual([words])
  })
})

test('a waiting message is below the stored ones until it is stored', async () => {
  await openChat('shop')
  client.api = answers({ sendMessage: () => new Promise(() => undefined) })
  sendText('shop', 'Hello')
  const [waiting] = $waiting.get()
  expect(waiting?.text).toBe('Hello')

  receiveMessage(message(4, { senderId: 'ada', clientId: waiting?.clientId }))

  expect($waiting.get()).toEqual([])
})

test('a list of shops that was requested before a newer one is loaded again', async () => {
  const late = Promise.withResolvers<Awaited<ReturnType<Api['openConversation']>>>()
  client.api = answers({ openConversation: () => late.promise })
  const loading = loadFriends()
  client.api = answers()
  await openChat('shop')

  late.resolve({ friends: [] })
  await loading

  expect(friends()).toEqual(['other 1', 'shop 0'])
})
