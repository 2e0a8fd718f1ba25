import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { RESEND_MS, SEND_TIMEOUT_MS } from '#lib/constants.ts'
import { client } from '#stores/client.ts'
import { showFriends } from '#stores/chat/friends.ts'
import { forgetUnsentMessages } from '#stores/chat/unsent-messages.ts'
import { $outbox, discardMessage, sendAgain, sendText, sendWaiting } from '#stores/chat/outbox.ts'
import { forgetThreads, messagesOf, putNewest } from '#stores/chat/threads.ts'
import { $customerToken, forgetSession } from '#stores/accounts/tokens.ts'
import { AWAY, friend, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

type SendMessage = Api['sendMessage']

/** What the server received; `answers` are its responses in order, after which it stores the messages. */
let sent: Parameters<SendMessage>[0][]
let answers: (ApiError | Promise<never>)[]
let asked: string[]

const texts = () => $outbox.get().map(({ text, problem }) => (problem ? `${text}: ${problem}` : text))
const stored = () => messagesOf('shop').map(({ text }) => text)

beforeEach(() => {
  vi.useFakeTimers()
  stubBrowser()
  forgetThreads()
  forgetUnsentMessages()
  sent = []
  answers = []
  asked = []
  const seqs = new Map<string, number>()
  client.api = fakeApi({
    async sendMessage(input) {
      sent.push(input)
      const answer = answers.shift()
      if (answer) return await (answer instanceof ApiError ? Promise.reject(answer) : answer)
      const { clientId = '', text } = input
      const seq = seqs.get(clientId) ?? seqs.size + 1
      seqs.set(clientId, seq)
      return { message: message(seq, { senderId: 'ada', id: clientId, text, clientId }) }
    },
    getAiStatus: () => Promise.resolve({ hasAi: true }),
    async getAiReply({ messageId }) {
      asked.push(messageId)
      return await Promise.reject(new ApiError(422, 'This shop has no automated replies'))
    },
  })
  $customerToken.set(tokenOf('ada'))
  showFriends([friend('shop')])
  putNewest('shop', [])
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a message waits until it is stored, under its own client id', async () => {
  sendText('shop', 'Hello')
  expect(texts()).toEqual(['Hello'])

  await sendWaiting()

  expect(texts()).toEqual([])
  expect(stored()).toEqual(['Hello'])
  expect(sent).toEqual([{ userId: 'ada', sellerId: 'shop', text: 'Hello', name: 'Ada', clientId: expect.any(String) }])
})

test('a blank text is not sent', () => {
  sendText('shop', ' \n ')
  sendText('shop', '\u200b')

  expect(texts()).toEqual([])
})

test('messages are sent in the order in which they were written', async () => {
  for (const text of ['one', 'two', 'three']) sendText('shop', text)

  await vi.advanceTimersByTimeAsync(RESEND_MS[0])

  expect(sent.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(3)
})

describe('a message that does not get through', () => {
  test.each([503, 500, 429, 409])('after %i is sent again as the same message, later each time', async status => {
    answers = [new ApiError(status, 'no'), new ApiError(status, 'no')]
    sendText('shop', 'Hello')
    await sendWaiting()
    expect(texts()).toEqual(['Hello'])

    await vi.advanceTimersByTimeAsync(RESEND_MS[0])
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(RESEND_MS[0])
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(RESEND_MS[1])

    expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1)
    expect(texts()).toEqual([])
  })

  test('holds back the messages after it', async () => {
    answers = [AWAY]
    sendText('shop', 'one')
    sendText('shop', 'two')
    await sendWaiting()
    expect(sent.map(({ text }) => text)).toEqual(['one'])

    await vi.advanceTimersByTimeAsync(RESEND_MS[0])
    await vi.advanceTimersByTimeAsync(RESEND_MS[0])

    expect(stored()).toEqual(['one', 'two'])
  })

  test('counts as not sent when there is no response in time', async () => {
    answers = [new Promise(() => undefined)]
    sendText('shop', 'Hello')

    await vi.advanceTimersByTimeAsync(SEND_TIMEOUT_MS + RESEND_MS[0])

    expect(sent).toHaveLength(2)
    expect(stored()).toEqual(['Hello'])
  })

  test('is not sent while offline', async () => {
    vi.stubGlobal('navigator', { onLine: false, userActivation: {} })
    sendText('shop', 'Hello')

    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toEqual([])
    vi.stubGlobal('navigator', { onLine: true, userActivation: {} })
    await sendWaiting()

    expect(stored()).toEqual(['Hello'])
  })
})

describe('a rejected message', () => {
  beforeEach(async () => {
    answers = [new ApiError(422, 'A message has at most 5000 characters')]
    sendText('shop', 'long')
    sendText('shop', 'short')
    await vi.advanceTimersByTimeAsync(RESEND_MS[0])
  })

  test('shows the reason, and lets the next message pass', () => {
    expect(texts()).toEqual(['long: A message has at most 5000 characters'])
    expect(stored()).toEqual(['short'])
  })

  test('is sent again on request, but not automatically', async () => {
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toHaveLength(2)

    sendAgain($outbox.get()[0]?.clientId ?? '')
    await sendWaiting()

    expect(stored()).toEqual(['short', 'long'])
  })

  test('can be discarded', () => {
    discardMessage($outbox.get()[0]?.clientId ?? '')

    expect(texts()).toEqual([])
  })
})

test('an automated reply is requested once a message is stored', async () => {
  sendText('shop', 'Hello')
  await sendWaiting()
  await vi.advanceTimersByTimeAsync(0)

  expect(asked).toEqual([sent[0]?.clientId])
})

test('waiting messages are hidden from other customers, and cleared by a logout', async () => {
  answers = [AWAY]
  sendText('shop', 'Hello')
  await sendWaiting()
  $customerToken.set(tokenOf('grace'))
  expect(texts()).toEqual([])
  $customerToken.set(tokenOf('ada'))
  expect(texts()).toEqual(['Hello'])

  forgetSession()
  $customerToken.set(tokenOf('ada'))

  expect(texts()).toEqual([])
})
