import { cleanStores } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $votes, peekOwnReview, readOwnReview, submitReview } from '#stores/catalogue/reviews.ts'
import { $toasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const FORM = { review: 'It flies', rating: 4 }
const OWN = {
  _id: 'r1',
  name: 'Ada',
  ...FORM,
  date: '2026-03-01T00:00:00.000Z',
  verifiedBuyer: true,
  helpful: 0,
  pictures: [],
}

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', () => true)
  $customerToken.set(tokenOf('ada'))
  $toasts.set([])
})

test('an accepted review shows the server’s message', async () => {
  const send = vi.fn<Api['submitReview']>(() => Promise.resolve({ message: 'Thank you for your review' }))
  client.api = fakeApi({ submitReview: send })

  expect(await submitReview('kite', FORM)).toBe(true)

  expect(send).toHaveBeenCalledWith({ ...FORM, productId: 'kite', name: 'Ada', pictures: [] })
  expect($toasts.get()).toMatchObject([{ kind: 'success', text: 'Thank you for your review' }])
})

describe('a review with pictures', () => {
  const files = [new File(['x'], 'mug.png')]
  let refusal: ApiError | undefined
  let sent: File[][]

  beforeEach(() => {
    refusal = undefined
    sent = []
    client.api = fakeApi({ submitReview: () => Promise.resolve({ message: 'Thank you for your review' }) })
    vi.spyOn(client, 'upload').mockImplementation(onProgress =>
      fakeApi({
        addReviewPictures({ files }) {
          sent.push(files)
          onProgress(0.5)
          return refusal ? Promise.reject(refusal) : Promise.resolve({ message: 'Thank you for your pictures' })
        },
      }),
    )
  })
  afterEach(() => vi.restoreAllMocks())

  test('reports how much of them is sent', async () => {
    const parts: number[] = []

    expect(await submitReview('kite', FORM, { files, onProgress: part => void parts.push(part) })).toBe(true)

    expect([sent, parts]).toEqual([[files], [0, 0.5]])
  })

  test('is stored if they cannot be sent, and says so', async () => {
    refusal = new ApiError(422, 'mug.png: the picture is damaged')

    expect(await submitReview('kite', FORM, { files })).toBe(false)

    expect($toasts.get()).toMatchObject([{ kind: 'error', details: 'mug.png: the picture is damaged' }])
  })

  test('leads to the login if the session ends before they are sent', async () => {
    refusal = new ApiError(409, 'Your session has ended')
    $customerToken.set('')

    await expect(submitReview('kite', FORM, { files })).rejects.toBe(refusal)

    expect($toasts.get()).toEqual([])
  })
})

test('a rejected review is thrown for the form, without a toast', async () => {
  const refusal = new ApiError(422, 'Too many reviews')
  client.api = fakeApi({ submitReview: () => Promise.reject(refusal) })

  await expect(submitReview('kite', FORM)).rejects.toBe(refusal)

  expect($toasts.get()).toEqual([])
})

describe('the customer’s earlier review', () => {
  const AWAY = new ApiError(503, 'Try again in a moment')

  test('is loaded with their votes', async () => {
    client.api = fakeApi({ getOwnReview: () => Promise.resolve({ review: OWN, votes: ['r2'] }) })

    expect(await readOwnReview('kite')).toEqual(OWN)
    expect(await peekOwnReview('kite')).toEqual(OWN)
    expect([...$votes.get()]).toEqual(['r2'])
  })

  test('is not marked as voted for another customer who logs in on the page', async () => {
    vi.stubGlobal('document', {})
    // Stores stay mounted for a second after their last listener.
    cleanStores($votes)
    const stop = $votes.subscribe(() => undefined)
    client.api = fakeApi({ getOwnReview: () => Promise.resolve({ review: OWN, votes: ['r2'] }) })
    await readOwnReview('kite')

    $customerToken.set(tokenOf('eve', 'Eve'))

    expect([...$votes.get()]).toEqual([])
    const late = readOwnReview('kite')
    $customerToken.set(undefined)
    await late
    expect([...$votes.get()]).toEqual([])
    stop()
    vi.unstubAllGlobals()
  })

  test('is not known when it cannot be loaded', async () => {
    client.api = fakeApi({ getOwnReview: () => Promise.reject(AWAY) })

    expect(await peekOwnReview('kite')).toBeUndefined()
    await expect(readOwnReview('kite')).rejects.toBe(AWAY)
  })

  test('does not exist for a provider without the call', async () => {
    client.api = fakeApi({ getOwnReview: () => Promise.reject(new ApiError(404, 'Not found')) })

    expect(await readOwnReview('kite')).toBeNull()
  })
})
