import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import { events } from '#contract/realtime.ts'
import { $messages, closeChat, followChat, openChat } from '#stores/chat/chat.ts'
import { client } from '#stores/client.ts'
import { $friends } from '#stores/chat/friends.ts'
import { announceMessages } from '#stores/chat/incoming.ts'
import { forgetUnsentMessages } from '#stores/chat/unsent-messages.ts'
import { clear } from '#stores/load.ts'
import { $openChat } from '#stores/chat/open-chat.ts'
import { $outbox, sendText } from '#stores/chat/outbox.ts'
import { handleEvent } from '#stores/realtime.ts'
import { $isConnected } from '#stores/socket-events.ts'
import { forgetThreads } from '#stores/chat/threads.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY, friend, message } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'

const HALF_MINUTE = 30_000
const THREE_QUARTERS = 45 * 60_000

let page: ReturnType<typeof stubPage>
let asked: string[]
let stored: Message[]
let stop: () => void
let isOffline: boolean

const shown = () => $messages.get().map(({ id, status }) => `${id} ${status}`)
const unread = () => {
  const load = $friends.get()
  return load.state === 'ready' ? load.value.map(({ id, unread }) => `${id} ${unread}`) : load.state
}

/** Takes the calls that the server has received since the last time. */
async function questions(): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(0)
  return asked.splice(0)
}

function say(event: string, value: Message | object): void {
  handleEvent(event, 'text' in value ? z.encode(Message, value) : value)
}

beforeEach(async () => {
  vi.useFakeTimers()
  page = stubPage()
  forgetThreads()
  forgetUnsentMessages()
  closeChat()
  clear($friends)
  stored = [message(1), message(2, { status: 'seen' })]
  asked = []
  isOffline = false
  client.api = fakeApi({
    async openConversation({ sellerId }) {
      asked.push(sellerId ? `open ${sellerId}` : 'friends')
      return { friends: [friend('shop'), friend('other')], messages: sellerId ? stored : [] }
    },
    async getMessages({ since }) {
      asked.push(`since ${since}`)
      return { messages: [], deletedIds: [], seenUpTo: 0, hasMore: false }
    },
    async markSeen({ sellerId }) {
      asked.push(`seen ${sellerId}`)
      return { message: '' }
    },
    async sendMessage({ text, clientId }) {
      asked.push(`send ${text}`)
      if (isOffline) throw AWAY
      return { message: message(3, { text, clientId }) }
    },
    getAiStatus: () => Promise.resolve({ hasAi: false }),
  })
  $customerToken.set(tokenOf('ada'))
  await openChat('shop')
  stop = followChat()
  await questions()
  takeToasts()
})
afterEach(() => {
  stop()
  $isConnected.set(false)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('while the chat is shown', () => {
  test('messages of the seller and of the customer’s other windows arrive and are marked as seen', async () => {
    say(events.sellerMessage, message(3, { senderId: 'shop' }))
    say(events.ownMessage, message(4, { senderId: 'ada' }))

    expect(await questions()).toEqual(['seen shop'])
    expect(shown()).toEqual(['m1 sent', 'm2 seen', 'm3 seen', 'm4 sent'])
  })

  test('deleted messages disappear', () => {
    say(events.messageDeleted, { sellerId: 'shop', customerId: 'ada', messageId: 'm1' })

    expect(shown()).toEqual(['m2 seen'])
  })

  test('messages that the seller has seen are marked', () => {
    say(events.messagesSeen, { sellerId: 'shop', upTo: 1 })

    expect(shown()).toEqual(['m1 seen', 'm2 seen'])
  })

  test('messages read in another window are no longer unread', async () => {
    page.look(false)
    say(events.sellerMessage, message(4))
    expect(unread()).toEqual(['shop 1', 'other 0'])

    say(events.messagesRead, { sellerId: 'shop', upTo: 4 })

    expect(unread()).toEqual(['shop 0', 'other 0'])
    expect(shown().at(-1)).toBe('m4 seen')
  })

  test('waiting messages are sent as soon as the network is back', async () => {
    vi.stubGlobal('navigator', { onLine: false, userActivation: { hasBeenActive: false } })
    sendText('shop', 'Hello')
    expect(await questions()).toEqual([])

    vi.stubGlobal('navigator', { onLine: true, userActivation: { hasBeenActive: false } })
    page.goOnline()

    expect(await questions()).toContain('send Hello')
    expect($outbox.get()).toEqual([])
  })

  test.each([
    ['the connection is back', () => $isConnected.set(true)],
    ['another window says so', () => page.announce('chat')],
    ['half a minute has passed', () => vi.advanceTimersByTime(HALF_MINUTE)],
  ])('missed messages are loaded when %s', async (_when, happen) => {
    happen()

    expect(await questions()).toEqual(['friends', 'since m2'])
  })

  test('a conversation that could not be opened is retried', async () => {
    forgetThreads()

    page.announce('chat')

    expect(await questions()).toEqual(['friends', 'open shop'])
  })

  test('nothing is loaded when the connection is lost, nor a conversation when none is open', async () => {
    $isConnected.set(true)
    await questions()
    $isConnected.set(false)
    expect(await questions()).toEqual([])

    closeChat()
    page.announce('chat')
    expect(await questions()).toEqual(['friends'])
  })

  test('attachments get new URLs before the old ones expire', async () => {
    const attachments: Message['attachments'] = [
      { type: 'other', url: '/f', mimeType: 'application/pdf', originalName: 'f.pdf', size: 1 },
    ]
    const isOpened = async () => (await questions()).includes('open shop')

    await vi.advanceTimersByTimeAsync(THREE_QUARTERS)
    expect(await isOpened()).toBe(false)

    say(events.sellerMessage, message(4, { attachments }))
    await questions()
    await vi.advanceTimersByTimeAsync(THREE_QUARTERS - HALF_MINUTE)
    expect(await isOpened()).toBe(false)
    await vi.advanceTimersByTimeAsync(HALF_MINUTE)
    expect(await isOpened()).toBe(true)
  })

  test('the next customer sees nothing of it, and a visitor has no chat', async () => {
    $customerToken.set(tokenOf('grace'))
    expect(shown()).toEqual([])
    expect(unread()).toBe('loading')
    expect(await questions()).toEqual(['friends', 'open shop'])

    $customerToken.set(undefined)
    expect($openChat.get()).toEqual({ state: 'none' })
    expect(await questions()).toEqual([])
  })
})

test('after it is stopped, the chat follows no event and makes no request', async () => {
  stop()

  page.announce('chat')
  page.goOnline()
  $isConnected.set(true)
  say(events.sellerMessage, message(3, { senderId: 'shop' }))
  say(events.messageDeleted, { sellerId: 'shop', customerId: 'ada', messageId: 'm1' })
  $customerToken.set(tokenOf('grace'))
  await vi.advanceTimersByTimeAsync(THREE_QUARTERS)

  expect(await questions()).toEqual([])
  expect(shown()).toEqual(['m1 sent', 'm2 seen'])
})

test('without an open conversation, loads the list of shops and sends waiting messages', async () => {
  stop()
  isOffline = true
  sendText('shop', 'Hello')
  await questions()
  isOffline = false
  closeChat()

  stop = followChat()

  expect(await questions()).toEqual(['friends', 'send Hello'])
})

test('a seller’s message shows a toast, unless its conversation is in view', () => {
  announceMessages()

  say(events.sellerMessage, message(4))
  expect(takeToasts()).toEqual([])
  page.look(false)
  say(events.sellerMessage, message(6))
  expect(takeToasts()).toMatchObject([{ kind: 'blank', text: 'New message', details: 'Toy Town sent a message' }])
})
