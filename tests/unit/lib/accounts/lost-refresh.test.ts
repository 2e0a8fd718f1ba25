import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { authorised } from '#lib/accounts/authorised.ts'
import { OFFLINE } from '#lib/api.ts'
import { browserLock } from '#tests/support/fakes/browser-lock.ts'
import { session, unsignedToken } from '#tests/support/accounts/tokens.ts'

const ORIGIN = 'http://shop.test'
const GRACE_MS = 10_000
const EXPIRED = { error: 'Token expired, please login again', code: 'TOKEN_EXPIRED' }
const REUSED = { error: 'Please login first', code: 'INVALID_TOKEN' }
const OLD = unsignedToken()
const NEW = unsignedToken()

let stored: string | null
let refreshCount: number
let rotatedAt: number | undefined
/** So many responses to refreshes are lost; the provider has exchanged the token. */
let lostCount: number

beforeEach(() => {
  vi.useFakeTimers()
  stored = OLD
  refreshCount = 0
  rotatedAt = undefined
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Like the shop’s provider, accepts an exchanged token again for ten seconds, and then takes it for a stolen one. */
async function provider(request: Request): Promise<Response> {
  if (!request.url.endsWith('/refresh-token')) {
    const isNew = request.headers.get('authorization') === `Bearer ${NEW}`
    return isNew ? Response.json({ message: 'Saved' }) : Response.json(EXPIRED, { status: 409 })
  }
  refreshCount += 1
  rotatedAt ??= Date.now()
  if (Date.now() - rotatedAt > GRACE_MS) return Response.json(REUSED, { status: 409 })
  if (refreshCount <= lostCount) throw new TypeError('Failed to fetch')
  return Response.json(session(NEW))
}

const tokens = {
  read: () => stored,
  save: ({ token }: { token: string }) => void (stored = token),
  clear: () => void (stored = null),
}

const openTab = (exclusively = browserLock()) => authorised({ fetch: provider, origin: ORIGIN, tokens, exclusively })
const cart = () => new Request(`${ORIGIN}/api/cart`)

describe('a refresh whose response is lost', () => {
  test.each([1, 2, 3])('%i times is repeated in time, so that the customer stays logged in', async count => {
    lostCount = count
    const answering = openTab()(cart())

    await vi.runAllTimersAsync()

    expect((await answering).status).toBe(200)
    expect(stored).toBe(NEW)
  })

  test('again and again fails, and the customer stays logged in', async () => {
    lostCount = Infinity
    const failing = openTab()(cart()).catch((error: unknown) => error)

    await vi.advanceTimersByTimeAsync(GRACE_MS)

    expect(await failing).toMatchObject({ status: 503, isSilent: true })
    expect(stored).toBe(OLD)
  })

  test('fails at once offline', async () => {
    lostCount = 1
    vi.stubGlobal('navigator', { onLine: false })

    await expect(openTab()(cart())).rejects.toMatchObject({ message: OFFLINE })
    expect(refreshCount).toBe(1)
  })

  test('does not make other tabs wait', async () => {
    lostCount = 1
    const shared = browserLock()
    const first = openTab(shared)(cart())
    await vi.advanceTimersByTimeAsync(0)

    expect((await openTab(shared)(cart())).status).toBe(200)

    await vi.runAllTimersAsync()
    expect((await first).status).toBe(200)
    expect(refreshCount).toBe(2)
  })
})
