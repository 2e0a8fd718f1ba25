import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { refreshToken } from '#contract/session.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { createApi } from '#lib/create-api.ts'
import { authorised, type Exclusively } from '#lib/accounts/authorised.ts'
import { browserLock } from '#tests/support/fakes/browser-lock.ts'
import { session, unsignedToken } from '#tests/support/accounts/tokens.ts'

const ORIGIN = 'http://shop.test'
const EXPIRED = { error: 'Token expired, please login again', code: 'TOKEN_EXPIRED' }
const OLD = unsignedToken()
const NEW = unsignedToken()

let stored: string | null
let alive: string[]
let asked: { path: string; bearer: string | null; credentials: string; body: string }[]
let refresh: () => Response | Promise<Response>

beforeEach(() => {
  stored = OLD
  alive = [NEW]
  asked = []
  refresh = () => Response.json(session(NEW))
})

/** A provider that returns 409 for every token that is not alive. */
async function provider(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname
  const bearer = request.headers.get('authorization')
  asked.push({ path, bearer, credentials: request.credentials, body: await request.text() })
  if (path.endsWith('/refresh-token')) return refresh()
  const token = bearer?.slice('Bearer '.length) ?? ''
  return alive.includes(token) ? Response.json({ message: 'Saved' }) : Response.json(EXPIRED, { status: 409 })
}

const tokens = {
  read: () => stored,
  save: ({ token }: { token: string }) => void (stored = token),
  clear: () => void (stored = null),
}

const alone: Exclusively = work => work()
const tab = (exclusively = alone, fetch: (request: Request) => Response | Promise<Response> = provider) =>
  authorised({ fetch, origin: ORIGIN, tokens, exclusively })
const ask = (body = '{"quantity":1}') =>
  new Request(`${ORIGIN}/api/cart`, { method: 'POST', body, credentials: 'include' })
const refreshes = () => asked.filter(({ path }) => path.endsWith('/refresh-token')).length

describe('a request', () => {
  test('carries the stored token and the cookies', async () => {
    alive = [OLD]

    const answer = await tab()(ask())

    expect(answer.status).toBe(200)
    expect(asked).toEqual([
      { path: '/api/cart', bearer: `Bearer ${OLD}`, credentials: 'include', body: '{"quantity":1}' },
    ])
  })

  test.each<[string, (api: Api) => Promise<unknown>, boolean]>([
    ['that changes something is completed', api => api.increaseQuantity({ lineId: 'kite' }), true],
    ['that deletes something is completed', api => api.removeCartLine({ lineId: 'kite' }), true],
    ['that reads is given up', api => api.getCart({ userId: 'ada' }), false],
    // Browsers reject more than 64 KiB.
    ['with a large body is given up', api => api.login({ email: 'a', password: 'x'.repeat(65_000) }), false],
  ])('%s when its page is left', async (_, call, isCompleted) => {
    const sent: Request[] = []
    const fetch = tab(alone, request => {
      sent.push(request)
      return Response.json({ error: 'No' }, { status: 422 })
    })

    const calling = call(createApi({ fetch, origin: ORIGIN }))

    // The browser runs nothing asynchronous in a page that is being left.
    expect(sent.map(({ keepalive }) => keepalive)).toEqual([isCompleted])
    await expect(calling).rejects.toMatchObject({ status: 422 })
  })

  test('of a visitor carries no token, and is not retried with a refresh', async () => {
    stored = null

    await expect(tab()(ask())).rejects.toMatchObject({ status: 409 })
    expect(asked).toMatchObject([{ bearer: null }])
  })

  test.each([EXPIRED, { code: 'TOKEN_EXPIRED' }, { message: 'Token expired, please login again' }])(
    'that is rejected with %j is retried once with its body after one refresh',
    async said => {
      const answer = await tab(alone, async request =>
        request.headers.get('authorization') === `Bearer ${OLD}` && request.url.endsWith('/cart')
          ? Response.json(said, { status: 409 })
          : provider(request),
      )(ask('{"quantity":7}'))

      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({ message: 'Saved' })
      expect(stored).toBe(NEW)
      expect(asked).toMatchObject([
        { path: `/api${refreshToken.path}`, bearer: `Bearer ${OLD}` },
        { path: '/api/cart', bearer: `Bearer ${NEW}`, body: '{"quantity":7}' },
      ])
    },
  )

  test('is not retried twice', async () => {
    alive = []

    await expect(tab()(ask())).rejects.toMatchObject({ status: 409 })
    expect(asked.map(({ path }) => path)).toEqual(['/api/cart', `/api${refreshToken.path}`, '/api/cart'])
  })

  test.each([422, 500])('that fails with %i is not retried', async status => {
    const answer = await tab(alone, () => Response.json(EXPIRED, { status }))(ask())

    expect(answer.status).toBe(status)
    expect(stored).toBe(OLD)
  })
})

describe('many requests at once', () => {
  test('in one tab share one refresh', async () => {
    const fetch = tab(browserLock())

    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(ask())))

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(refreshes()).toBe(1)
    expect(asked).toHaveLength(41)
  })

  test('in three tabs share one refresh', async () => {
    const shared = browserLock()
    const tabs = [tab(shared), tab(shared), tab(shared)]

    const answers = await Promise.all(tabs.flatMap(fetch => [fetch(ask()), fetch(ask())]))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(refreshes()).toBe(1)
  })

  test('all receive a failed refresh, and the next one tries again', async () => {
    refresh = () => Response.json({ error: 'Try again in a moment' }, { status: 503 })
    const fetch = tab(browserLock())

    const answers = await Promise.allSettled([fetch(ask()), fetch(ask())])

    expect(answers).toMatchObject([{ reason: { status: 503 } }, { reason: { status: 503 } }])
    expect(refreshes()).toBe(1)
    refresh = () => Response.json(session(NEW))
    expect((await fetch(ask())).status).toBe(200)
  })
})

describe('a refresh', () => {
  test.each([
    [409, 'INVALID_TOKEN'],
    [409, 'NO_TOKEN'],
    [403, undefined],
  ])('that the server rejects (%i %s) signs the customer out and passes the error on', async (status, code) => {
    refresh = () => Response.json({ error: 'Please login first', code }, { status })

    await expect(tab()(ask())).rejects.toMatchObject({ status, message: 'Please login first' })
    expect(stored).toBeNull()
  })

  test('that is rejected signs the customer out only after the lock is released', async () => {
    let storedUnderLock: string | null = null
    refresh = () => Response.json({ error: 'Please login first', code: 'INVALID_TOKEN' }, { status: 409 })
    const locked: Exclusively = work => work().finally(() => (storedUnderLock = stored))

    await expect(tab(locked)(ask())).rejects.toMatchObject({ status: 409 })
    expect(storedUnderLock).toBe(OLD)
    expect(stored).toBeNull()
  })

  test.each([429, 500, 502, 503])('that fails with %i does not sign the customer out', async status => {
    refresh = () => Response.json({ error: 'Later' }, { status })

    await expect(tab()(ask())).rejects.toMatchObject({ status })
    expect(stored).toBe(OLD)
  })

  test('that fails on the network does not sign the customer out, and rejects with an ApiError', async () => {
    refresh = () => Promise.reject(new TypeError('Failed to fetch'))
    const api = createApi({ fetch: tab(), origin: ORIGIN })
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const failing = api.logout({}).catch((error: unknown) => error)

    await vi.runAllTimersAsync()

    expect(await failing).toBeInstanceOf(ApiError)
    expect(stored).toBe(OLD)
  })

  test('is not sent when another tab has signed out meanwhile', async () => {
    const signingOut = tab(alone, request => {
      const answering = provider(request)
      stored = null
      return answering
    })

    await expect(signingOut(ask())).rejects.toMatchObject({ status: 409 })
    expect(refreshes()).toBe(0)
    expect(stored).toBeNull()
  })

  test('that fails does not end a session that was started meanwhile', async () => {
    refresh = () => {
      stored = NEW
      return Response.json({ error: 'Please login first', code: 'INVALID_TOKEN' }, { status: 409 })
    }

    await expect(tab()(ask())).rejects.toMatchObject({ status: 409 })
    expect(stored).toBe(NEW)
  })
})

test('a request of one customer is not retried with the token of another', async () => {
  const other = unsignedToken({ id: 'eve' })
  alive = [other]
  const signingIn = tab(alone, request => {
    const answering = provider(request)
    stored = other
    return answering
  })

  await expect(signingIn(ask())).rejects.toMatchObject({ status: 409 })
  expect(asked).toHaveLength(1)
  expect(stored).toBe(other)
})

describe('an ended session', () => {
  test.each([
    { error: 'Please login first', code: 'NO_TOKEN' },
    { code: 'INVALID_TOKEN' },
    { error: 'Please login first' },
    { message: 'Please login first' },
  ])('is cleared: %j', async said => {
    const ended = tab(alone, () => Response.json(said, { status: 409 }))

    await expect(ended(ask())).rejects.toMatchObject({ status: 409, code: said.code })
    expect(stored).toBeNull()
  })

  test('is cleared after a refresh, too', async () => {
    const ended = tab(alone, request =>
      request.headers.get('authorization') === `Bearer ${NEW}`
        ? Response.json({ code: 'INVALID_TOKEN' }, { status: 409 })
        : provider(request),
    )

    await expect(ended(ask())).rejects.toMatchObject({ status: 409 })
    expect(stored).toBeNull()
  })

  test('is reported at once, without reading the response again', async () => {
    const answer = Response.json({ error: 'Please login first', code: 'INVALID_TOKEN' }, { status: 409 })
    answer.json = () => new Promise(() => undefined)
    const api = createApi({ fetch: tab(alone, () => answer), origin: ORIGIN })

    await expect(api.logout({})).rejects.toMatchObject({ status: 409, message: 'Please login first' })
  })

  test('does not clear a session that was started since', async () => {
    const signingIn = tab(alone, () => {
      stored = NEW
      return Response.json({ code: 'INVALID_TOKEN' }, { status: 409 })
    })

    await expect(signingIn(ask())).rejects.toMatchObject({ status: 409 })
    expect(stored).toBe(NEW)
  })

  test.each(['{"error":"Something else"}', 'null', 'not JSON'])('is not assumed for a 409 with %s', async body => {
    const answer = await tab(alone, () => new Response(body, { status: 409 }))(ask())

    expect(answer.status).toBe(409)
    expect(stored).toBe(OLD)
  })
})
