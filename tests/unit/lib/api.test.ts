import { describe, expect, test } from 'vitest'
import { ApiError, createApi, orNull } from '#lib/api.ts'

const unasked = createApi({
  fetch: () => {
    throw new Error('The provider was asked')
  },
  origin: 'http://shop',
})

describe('a name that nothing can have', () => {
  test.each(['\0', 'x'.repeat(101)])('is refused before the provider is asked: %j', async sellerId => {
    const asking = unasked.getSellerProducts({ sellerId, page: 1 })

    await expect(asking).rejects.toBeInstanceOf(ApiError)
    await expect(asking).rejects.toMatchObject({ status: 400 })
  })

  test('is nothing', async () => {
    expect(await orNull(unasked.getProduct({ id: '\0' }))).toBeNull()
  })
})

test.each([400, 404])('an answer of %i means that there is nothing', async status => {
  expect(await orNull(Promise.reject(new ApiError(status, 'No')))).toBeNull()
})

test.each([401, 409, 500, 503])('an answer of %i stays a failure', async status => {
  await expect(orNull(Promise.reject(new ApiError(status, 'No')))).rejects.toMatchObject({ status })
})
