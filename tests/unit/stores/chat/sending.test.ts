import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { Message } from '#contract/chat.ts'
import * as realtime from '#stores/realtime.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { PROGRESS_MS, PROGRESS_RESET_MS, RESEND_MS } from '#lib/constants.ts'
import { forgetReplies } from '#stores/chat/ai-replies.ts'
import { showFriends } from '#stores/chat/friends.ts'
import { announceMessages } from '#stores/chat/incoming.ts'
import { $outbox, $sentCount, sendText, sendWaiting } from '#stores/chat/outbox.ts'
import { sound } from '#stores/chat/sound.ts'
import { forgetThreads, putNewest } from '#stores/chat/threads.ts'
import { $unsentMessages, forgetUnsentMessages } from '#stores/chat/unsent-messages.ts'
import { $chosen, $upload, cancelUpload, chooseFiles, sendFiles } from '#stores/chat/uploads.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { AWAY, friend, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

vi.mock('#stores/chat/sound.ts', () => ({ sound: vi.fn<() => void>() }))
vi.mock('#stores/realtime.ts', async original => ({
  ...(await original<typeof realtime>()),
  relay: vi.fn<() => void>(),
}))

let sendMessage: ReturnType<typeof vi.fn<Api['sendMessage']>>
let getAiReply: ReturnType<typeof vi.fn<Api['getAiReply']>>
let upload: ReturnType<typeof vi.fn<Api['sendFiles']>>

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  stubBrowser()
  forgetThreads()
  forgetReplies()
  forgetUnsentMessages()
  $chosen.set(new Map())
  $upload.set(null)
  sendMessage = vi.fn<Api['sendMessage']>(() => Promise.resolve({ message: message(1) }))
  upload = vi.fn<Api['sendFiles']>(() => Promise.resolve({ message: message(1) }))
  getAiReply = vi.fn<Api['getAiReply']>(() => Promise.reject(new ApiError(422, 'no')))
  client.api = fakeApi({ sendMessage, getAiReply, getAiStatus: () => Promise.resolve({ hasAi: true }) })
  client.upload = () => fakeApi({ sendFiles: upload })
  $customerToken.set(tokenOf('ada'))
  showFriends([friend('shop')])
  putNewest('shop', [])
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a sent message plays a tone, is counted and passed on to the seller', async () => {
  const before = $sentCount.get()

  sendText('shop', 'Hello')
  await sendWaiting()

  expect(sound).toHaveBeenCalledExactlyOnceWith('sent')
  expect($sentCount.get()).toBe(before + 1)
  expect(realtime.relay).toHaveBeenCalledExactlyOnceWith(message(1))
})

test('a received message plays a tone', () => {
  announceMessages()

  realtime.handleEvent('seller_message', z.encode(Message, message(2)))

  expect(sound).toHaveBeenCalledExactlyOnceWith('received')
})

describe('a message', () => {
  test('after a timeout of the shop (408) is sent again', async () => {
    sendMessage.mockRejectedValueOnce(new ApiError(408, 'Too slow'))
    sendText('shop', 'Hello')
    await sendWaiting()
    expect($outbox.get()).toMatchObject([{ text: 'Hello' }])
    expect($outbox.get()[0]).not.toHaveProperty('problem')

    await sendWaiting()
    expect($outbox.get()).toEqual([])
  })

  test('that failed again by hand waits its full time before the next try', async () => {
    sendMessage.mockRejectedValueOnce(AWAY).mockRejectedValueOnce(AWAY)
    sendText('shop', 'Hello')
    await sendWaiting()
    await sendWaiting()

    await vi.advanceTimersByTimeAsync(RESEND_MS[1] - 1)
    expect(sendMessage).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(sendMessage).toHaveBeenCalledTimes(3)
  })

  test('that a bug keeps from being sent says that something went wrong', async () => {
    sendMessage.mockRejectedValueOnce(new TypeError('a bug'))
    $unsentMessages.setKey('c1', { clientId: 'c1', userId: 'ada', sellerId: 'shop', text: 'Hello', at: '2025' })

    await expect(sendWaiting()).rejects.toThrow('a bug')

    expect($outbox.get()).toMatchObject([{ text: 'Hello', problem: 'Something went wrong' }])
  })
})

test('waiting messages are in the order in which they were written, even if they are stored in another', () => {
  const outgoing = { userId: 'ada', sellerId: 'shop' }
  $unsentMessages.setKey('b', { ...outgoing, clientId: 'b', text: 'second', at: '2025-02' })
  $unsentMessages.setKey('a', { ...outgoing, clientId: 'a', text: 'first', at: '2025-01' })

  expect($outbox.get().map(({ text }) => text)).toEqual(['first', 'second'])
})

describe('files', () => {
  beforeEach(() => chooseFiles('shop', [new File(['x'], 'a.png')]))

  test('that are sent play a tone, and are passed on to the seller', async () => {
    await sendFiles('shop', '')

    expect(sound).toHaveBeenCalledExactlyOnceWith('sent')
    expect(realtime.relay).toHaveBeenCalledExactlyOnceWith(message(1))
  })

  test.each([
    ['Look', 1],
    [' \n ', 0],
  ])('with the text %j are followed by %i automated replies', async (text, count) => {
    await sendFiles('shop', text)
    await vi.advanceTimersByTimeAsync(0)

    expect(getAiReply.mock.calls).toEqual(Array.from({ length: count }, () => [{ sellerId: 'shop', messageId: 'm1' }]))
  })

  test('are not sent if none is chosen', async () => {
    expect(await sendFiles('other', 'Look')).toBe(false)

    expect(upload).not.toHaveBeenCalled()
    expect($upload.get()).toBeNull()
  })

  test('that were changed after a failure are another message', async () => {
    upload.mockRejectedValueOnce(AWAY)
    await sendFiles('shop', 'Look')
    chooseFiles('shop', [new File(['y'], 'b.png')])
    await sendFiles('shop', 'Look')

    const [first, second] = upload.mock.calls.map(([{ clientId }]) => clientId)
    expect(second).not.toBe(first)
  })

  test('of the next upload keep their progress when that of the last one is hidden', async () => {
    await sendFiles('shop', '')
    chooseFiles('shop', [new File(['y'], 'b.png')])
    upload.mockReturnValueOnce(new Promise(() => undefined))
    void sendFiles('shop', '')

    await vi.advanceTimersByTimeAsync(PROGRESS_RESET_MS)

    expect($upload.get()).toMatchObject({ sellerId: 'shop', isRunning: true })
  })

  test('that failed no longer show progress', async () => {
    upload.mockRejectedValueOnce(AWAY)
    await sendFiles('shop', '')

    await vi.advanceTimersByTimeAsync(PROGRESS_MS * 3)

    expect($upload.get()).toBeNull()
  })

  test('that a bug keeps from being sent reject, and stay chosen', async () => {
    upload.mockRejectedValueOnce(new TypeError('a bug'))

    await expect(sendFiles('shop', '')).rejects.toThrow('a bug')

    expect($chosen.get().get('shop')).toHaveLength(1)
  })

  test('can be cancelled with a reason that the network code understands', () => {
    let signal: AbortSignal | undefined
    client.upload = (_onProgress, given) => {
      signal = given
      return fakeApi({ sendFiles: () => new Promise(() => undefined) })
    }
    void sendFiles('shop', '')

    cancelUpload()

    expect(signal?.reason).toMatchObject({ name: 'AbortError' })
  })
})
