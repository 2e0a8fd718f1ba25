import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError, orNull } from '#lib/api.ts'
import { createApi } from '#lib/create-api.ts'

const unasked = createApi({
  fetch: () => {
    throw new Error('The provider was asked')
  },
  origin: 'http://shop',
})

describe('a name that cannot exist', () => {
  test.each(['\0', 'x'.repeat(101)])('is rejected without a request: %j', async sellerId => {
    const asking = unasked.getSellerProducts({ sellerId, page: 1 })

    await expect(asking).rejects.toBeInstanceOf(ApiError)
    await expect(asking).rejects.toMatchObject({ status: 400 })
  })

  test('becomes null', async () => {
    expect(await orNull(unasked.getProduct({ id: '\0' }))).toBeNull()
  })
})

test('files are sent as a form, after its other fields in the wire format', async () => {
  let form = new FormData()
  const api = createApi({
    async fetch(request) {
      form = await request.formData()
      return Response.json({ error: 'Not today' }, { status: 503 })
    },
    origin: 'http://shop',
  })
  const files = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')]

  await expect(api.sendFiles({ userId: 'u', sellerId: 's', text: 'Look', files })).rejects.toThrow('Not today')

  expect([...form.keys()]).toEqual(['userId', 'sellerId', 'message', 'files', 'files'])
  expect(form.get('message')).toBe('Look')
  expect(form.getAll('files')).toMatchObject([{ name: 'a.txt' }, { name: 'b.txt' }])
})

test.each([400, 404])('a response of %i becomes null', async status => {
  expect(await orNull(Promise.reject(new ApiError(status, 'No')))).toBeNull()
})

test.each([401, 409, 500, 503])('a response of %i stays an error', async status => {
  await expect(orNull(Promise.reject(new ApiError(status, 'No')))).rejects.toMatchObject({ status })
})

/** A response whose body ends in the middle, as when the network fails or the customer leaves the page. */
function brokenOff(): Response {
  let isBegun = false
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (isBegun) return controller.error(new TypeError('network error'))
        isBegun = true
        controller.enqueue(new TextEncoder().encode('{"userInfo":'))
      },
    }),
  )
}

describe.each([
  ['no response', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['only a part of its response', () => brokenOff()],
])('a request that gets %s', (_, fetch) => {
  const away = createApi({ fetch, origin: 'http://shop' })

  afterEach(() => void vi.unstubAllGlobals())

  test.each([
    [true, 'The marketplace cannot be reached right now', true],
    [false, 'You are offline. Try again when you are back online.', false],
  ])('is an error that says whether the browser is offline (onLine: %s)', async (onLine, message, isSilent) => {
    vi.stubGlobal('navigator', { onLine })

    await expect(away.getAccount({})).rejects.toMatchObject({ status: 503, message, isSilent })
  })
})

test.each([
  [200, '<p>Welcome to this WiFi</p>', 'does not match the contract'],
  [502, '<h1>Bad Gateway</h1>', 'Something went wrong'],
])('a response of %i that is not JSON is an error', async (status, page, message) => {
  const api = createApi({ fetch: () => new Response(page, { status }), origin: 'http://shop' })

  await expect(api.getAccount({})).rejects.toThrow(message)
})
