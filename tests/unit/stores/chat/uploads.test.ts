import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { PROGRESS_MS, PROGRESS_RESET_MS } from '#lib/constants.ts'
import { client } from '#stores/client.ts'
import { showFriends } from '#stores/chat/friends.ts'
import { forgetThreads, messagesOf, putNewest } from '#stores/chat/threads.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $chosen, $upload, cancelUpload, chooseFiles, dropFile, sendFiles } from '#stores/chat/uploads.ts'
import { AWAY, friend, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const PICTURE = new File(['picture'], 'a.png')
const TEXT = new File(['text'], 'b.txt')
const said = () =>
  takeToasts().map(({ kind, text, details }) => `${kind}: ${[text, details].filter(Boolean).join(', ')}`)
const chosen = () => ($chosen.get().get('shop') ?? []).map(({ name }) => name)
const percent = () => $upload.get()?.percent ?? null

let answer: PromiseWithResolvers<Awaited<ReturnType<Api['sendFiles']>>>
let sent: Parameters<Api['sendFiles']>[0][]
let progress: (part: number) => void

beforeEach(() => {
  vi.useFakeTimers()
  stubBrowser()
  forgetThreads()
  $chosen.set(new Map())
  sent = []
  answer = Promise.withResolvers()
  client.upload = (onProgress, signal) => {
    progress = onProgress
    signal.addEventListener('abort', () => answer.reject(AWAY))
    return fakeApi({
      sendFiles(input) {
        sent.push(input)
        return answer.promise
      },
    })
  }
  client.api = fakeApi({ getAiStatus: () => Promise.resolve({ hasAi: false }) })
  $customerToken.set(tokenOf('ada'))
  showFriends([friend('shop')])
  putNewest('shop', [])
  takeToasts()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('choosing files', () => {
  test('shows an error without a seller', () => {
    chooseFiles(null, [PICTURE])

    expect(said()).toEqual(['error: Please select a seller first'])
  })

  test('adds to the chosen files, and removes one', () => {
    chooseFiles('shop', [PICTURE])
    chooseFiles('shop', [TEXT, new File(['x'], 'c.exe')])
    expect(chosen()).toEqual(['a.png', 'b.txt'])
    expect(said()[0]).toContain('c.exe cannot be sent')

    dropFile('shop', PICTURE)

    expect(chosen()).toEqual(['b.txt'])
  })
})

describe('sending files', () => {
  beforeEach(() => chooseFiles('shop', [PICTURE, TEXT]))

  test('shows its progress in steps, never more than was sent', async () => {
    const sending = sendFiles('shop', 'Look')
    expect(percent()).toBe(0)
    progress(0.15)
    await vi.advanceTimersByTimeAsync(PROGRESS_MS)
    expect(percent()).toBe(10)
    await vi.advanceTimersByTimeAsync(PROGRESS_MS)
    expect(percent()).toBe(15)
    progress(1)
    await vi.advanceTimersByTimeAsync(PROGRESS_MS * 20)
    expect(percent()).toBe(90)

    answer.resolve({ message: message(1) })
    await sending

    expect(percent()).toBe(100)
    await vi.advanceTimersByTimeAsync(PROGRESS_RESET_MS)
    expect(percent()).toBeNull()
  })

  test('sends one message with all of them, and clears the choice', async () => {
    const sending = sendFiles('shop', 'Look')
    answer.resolve({ message: message(1) })

    expect(await sending).toBe(true)

    const [{ files, ...input } = { files: [] }] = sent
    expect(input).toEqual({ userId: 'ada', sellerId: 'shop', text: 'Look', name: 'Ada', clientId: expect.any(String) })
    expect(files.map(({ name }) => name)).toEqual(['a.png', 'b.txt'])
    expect(messagesOf('shop').map(({ id }) => id)).toEqual(['m1'])
    expect(chosen()).toEqual([])
    expect(said()).toEqual(['success: File sent successfully'])
  })

  test('leaves files that were added meanwhile for the next message', async () => {
    const sending = sendFiles('shop', 'Look')
    chooseFiles('shop', [new File(['more'], 'c.txt')])
    answer.resolve({ message: message(1) })

    expect(await sending).toBe(true)

    expect(chosen()).toEqual(['c.txt'])
  })

  test('sends the card of the product with them, with its address for clients that show no cards', async () => {
    vi.stubGlobal('location', new URL('https://market.example/dashboard/chat/shop'))
    const boots = { productId: 'boots', name: 'Boots', image: '', priceCents: 9000, path: '/product/details/boots' }

    answer.resolve({ message: message(1) })
    await sendFiles('shop', 'In brown?', boots)

    const text = 'In brown?\nhttps://market.example/product/details/boots'
    expect(sent).toMatchObject([{ productId: 'boots', text }])
  })

  test('sends one upload at a time', async () => {
    void sendFiles('shop', '')

    expect(await sendFiles('shop', '')).toBe(false)
    expect(sent).toHaveLength(1)
    answer.resolve({ message: message(1) })
  })

  test.each([
    [new ApiError(422, 'a.png is no picture'), 'error: Error uploading files, a.png is no picture'],
    [AWAY, 'error: Error uploading files'],
  ])('that fails with %j resets the progress at once and keeps the choice', async (error, words) => {
    const sending = sendFiles('shop', 'Look')
    answer.reject(error)

    expect(await sending).toBe(false)

    expect(percent()).toBeNull()
    expect(chosen()).toEqual(['a.png', 'b.txt'])
    expect(said()).toEqual([words])
  })

  test('again reuses the client id, but a changed message gets another one', async () => {
    const [first, second] = [sendFiles('shop', 'Look'), answer]
    second.reject(AWAY)
    await first
    answer = Promise.withResolvers()
    answer.reject(AWAY)
    await sendFiles('shop', 'Look')
    await sendFiles('shop', 'Look there')

    const names = sent.map(({ clientId }) => clientId)
    expect(names[1]).toBe(names[0])
    expect(names[2]).not.toBe(names[0])
  })

  test('can be cancelled, without an error', async () => {
    const sending = sendFiles('shop', 'Look')

    cancelUpload()

    expect(await sending).toBe(false)
    expect(chosen()).toEqual(['a.png', 'b.txt'])
    expect(said()).toEqual([])
  })
})
