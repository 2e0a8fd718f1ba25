import { beforeEach, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { readOwnReview, submitReview } from '#stores/catalogue/reviews.ts'
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

test('a review whose pictures cannot be sent is stored, and says so', async () => {
  const sent: File[][] = []
  client.api = fakeApi({
    submitReview: () => Promise.resolve({ message: 'Thank you for your review' }),
    addReviewPictures: ({ files }) => {
      sent.push(files)
      return Promise.reject(new ApiError(422, 'mug.png: the picture is damaged'))
    },
  })
  const files = [new File(['x'], 'mug.png')]

  expect(await submitReview('kite', FORM, { files })).toBe(false)

  expect(sent).toEqual([files])
  expect($toasts.get()).toMatchObject([{ kind: 'error', details: 'mug.png: the picture is damaged' }])
})

test('a rejected review is thrown for the form, without a toast', async () => {
  const refusal = new ApiError(422, 'Too many reviews')
  client.api = fakeApi({ submitReview: () => Promise.reject(refusal) })

  await expect(submitReview('kite', FORM)).rejects.toBe(refusal)

  expect($toasts.get()).toEqual([])
})

test('readOwnReview returns the customer’s review, or null when it cannot be loaded', async () => {
  client.api = fakeApi({ getOwnReview: () => Promise.resolve({ review: OWN, votes: [] }) })
  expect(await readOwnReview('kite')).toEqual(OWN)

  client.api = fakeApi({ getOwnReview: () => Promise.reject(new ApiError(503, 'Try again in a moment')) })
  expect(await readOwnReview('kite')).toBeNull()
})
