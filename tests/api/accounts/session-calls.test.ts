import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '#contract/auth.ts'
import { refreshToken, logout } from '#contract/session.ts'
import type { OnChange } from '#server/db/changes.ts'
import { auditEvents, sessions as table } from '#server/db/schema.ts'
import { openSessions } from '#server/accounts/sessions.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

let late = 0
const now = () => Date.now() + late
beforeEach(() => {
  late = 0
})

const provider = await startProvider()
const fallback = await startProvider({ hasCookieFallback: true, now })
afterAll(() => Promise.all([provider.close(), fallback.close()]))

const { db, secrets, sessions, api, apiOf, customer, request } = provider
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ended = { status: 409, code: 'INVALID_TOKEN', message: 'Please login first' }

async function started() {
  const { id, name, email } = await customer()
  return { id, ...(await sessions.start({ id, name, email })) }
}

function refresh(headers: Record<string, string>, { request } = provider) {
  return request(`/api${refreshToken.path}`, { method: 'POST', headers })
}

function refreshFrom(address: string, headers: Record<string, string>) {
  return provider.requestFrom(address, `/api${refreshToken.path}`, { method: 'POST', headers })
}

describe('an access token in another process', () => {
  test('is checked again in the database after that process may have missed the end of a session', async () => {
    const { token, refreshToken } = await started()
    const told: OnChange[] = []
    const ends: unknown[] = []
    const elsewhere = openSessions({ db, secrets, onChange: async listener => void told.push(listener) })
    elsewhere.onEnd(id => ends.push(id))
    await elsewhere.identify(`Bearer ${token}`)
    await sessions.revoke(refreshToken.slice(0, 36))

    told.forEach(tell => tell(null))

    await expect(elsewhere.identify(`Bearer ${token}`)).rejects.toMatchObject({ code: ended.code })
    expect(ends).toEqual([null])
  })
})

describe('sessions with a cookie', () => {
  test('are refreshed with the cookie alone', async () => {
    const { refreshToken } = await started()
    const answer = await refresh({ cookie: `rt=${refreshToken}` })

    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      token: expect.any(String) as string,
      isSafari: false,
      cookieFallback: false,
    })
    expect(answer.headers.get('set-cookie')).toMatch(/^rt=[0-9a-f-]{36}\.[\w-]{64}; Max-Age=/)
  })

  test('cannot be refreshed with an access token instead of the cookie', async () => {
    const { token } = await started()
    for (const headers of [{}, { authorization: `Bearer ${token}` }] as Record<string, string>[]) {
      const answer = await refresh(headers)
      expect([answer.status, await answer.json()]).toEqual([409, { error: 'Please login first', code: 'NO_TOKEN' }])
    }
  })

  test('detect an old refresh cookie that is used again, and record it in the audit', async () => {
    const { id, refreshToken } = await started()
    const second = await sessions.rotate(refreshToken)
    await sessions.rotate((second.outcome === 'rotated' && second.refreshToken) || '')
    const answer = await refresh({ cookie: `rt=${refreshToken}` })

    expect([answer.status, await answer.json()]).toEqual([409, { error: 'Please login first', code: 'INVALID_TOKEN' }])
    const found = await db.select().from(auditEvents).where(eq(auditEvents.actorId, id))
    expect(found.map(({ event, outcome }) => `${event} ${outcome}`)).toContain('refresh_reuse refused')
  })

  test('cannot be rate limited by another address that knows only the session id', async () => {
    const { refreshToken } = await started()
    const forged = { cookie: `rt=${refreshToken.slice(0, 36)}.${'A'.repeat(64)}` }
    const answers: number[] = []
    for (let at = 0; at < 61; at += 1) answers.push((await refreshFrom('6.6.6.6', forged)).status)

    expect(answers).toEqual([...Array<number>(60).fill(409), 429])
    expect((await refreshFrom('7.7.7.7', forged)).status).toBe(409)
    expect((await refreshFrom('6.6.6.6', { cookie: `rt=${refreshToken}` })).status).toBe(200)
  })

  test('can be refreshed at most 60 times a minute, counted over all IP addresses', async () => {
    let { refreshToken } = await started()
    for (let at = 0; at < 60; at += 1) {
      const answer = await refreshFrom(`7.0.0.${at}`, { cookie: `rt=${refreshToken}` })
      refreshToken = /^rt=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
    }

    expect((await refreshFrom('7.0.1.0', { cookie: `rt=${refreshToken}` })).status).toBe(429)
  })

  test('end and lose their cookie when the customer signs out', async () => {
    const { token, refreshToken } = await started()
    const headers = { authorization: `Bearer ${token}`, cookie: `rt=${refreshToken}`, 'sec-fetch-dest': 'empty' }
    const answer = await request(`/api${logout.path}`, { headers })

    expect([answer.status, await answer.json()]).toEqual([200, { message: 'Logout success' }])
    expect(answer.headers.get('set-cookie')).toBe('rt=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
    await expect(apiOf(token).getAccount({})).rejects.toMatchObject(ended)
    expect((await refresh({ cookie: `rt=${refreshToken}` })).status).toBe(409)
  })

  test('end when the customer signs out with an expired access token, and so does the cookie’s session', async () => {
    const { token } = await fallback.customer()
    const other = await fallback.customer()
    const { refreshToken } = await fallback.sessions.start(other)
    late = HOUR
    const headers = { authorization: `Bearer ${token}`, cookie: `rt=${refreshToken}` }
    const answer = await fallback.request(`/api${logout.path}`, { headers })

    expect([answer.status, await answer.json()]).toEqual([200, { message: 'Logout success' }])
    expect(answer.headers.get('set-cookie')).toMatch(/^rt=; Max-Age=0;/)
    late = 0
    await expect(fallback.apiOf(token).getAccount({})).rejects.toMatchObject(ended)
    expect((await refresh({ cookie: `rt=${refreshToken}` }, fallback)).status).toBe(409)
    expect(await other.api.getAccount({})).toMatchObject({ currency: 'USD' })
  })

  test('do not end when somebody signs out with a forged token; only the cookie is cleared', async () => {
    const { token, refreshToken } = await started()
    const forged = `${refreshToken.slice(0, 36)}.${'A'.repeat(64)}`
    for (const authorization of ['Bearer x', 'Basic eDp5', `Bearer ${token.slice(0, -8)}AAAAAAAA`]) {
      const headers = { authorization, cookie: `rt=${forged}` }
      const answer = await request(`/api${logout.path}`, { headers })

      expect([answer.status, await answer.json()]).toEqual([200, { message: 'Logout success' }])
      expect(answer.headers.get('set-cookie')).toMatch(/^rt=; Max-Age=0;/)
    }
    expect(await apiOf(token).getAccount({})).toMatchObject({ currency: 'USD' })
    expect((await refresh({ cookie: `rt=${refreshToken}` })).status).toBe(200)
  })

  test.each(['image', 'document', 'script', 'iframe', ''])(
    'cannot be ended by a request with Sec-Fetch-Dest %j',
    async destination => {
      const { token } = await started()
      const headers = { authorization: `Bearer ${token}`, 'sec-fetch-dest': destination }

      expect((await request(`/api${logout.path}`, { headers })).status).toBe(403)
      expect(await apiOf(token).getAccount({})).toMatchObject({ currency: 'USD' })
    },
  )

  test('of other browsers go on when one browser signs out', async () => {
    const { email, password, api: own } = await customer()
    const { token } = await api.login({ email, password })
    await own.logout({})

    expect(await apiOf(token).getAccount({})).toMatchObject({ currency: 'USD' })
  })
})

describe('sessions without cookies (the cookie fallback)', () => {
  const { db: store, api: calls } = fallback
  const noToken = { error: 'Please login first', code: 'NO_TOKEN' }
  const invalid = { error: 'Please login first', code: 'INVALID_TOKEN' }
  const speaks = (token: string) => fallback.apiOf(token).getAccount({})

  /** A customer whose browser keeps no cookies. */
  async function cookieless() {
    const { email, password, id } = await fallback.newcomer()
    const { token, cookieFallback } = await calls.login({ email, password })
    expect(cookieFallback).toBe(true)
    return { id, email, password, token }
  }

  async function renew(token: string, headers: Record<string, string> = {}) {
    const answer = await refresh({ authorization: `Bearer ${token}`, ...headers }, fallback)
    const body = (await answer.json()) as { token: string; cookieFallback: boolean; code?: string }
    return { status: answer.status, cookie: answer.headers.get('set-cookie'), ...body }
  }

  test('are refreshed with an expired access token', async () => {
    const { token } = await cookieless()
    late = HOUR
    await expect(speaks(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
    const next = await renew(token)

    expect(next).toMatchObject({ status: 200, cookieFallback: true, cookie: null })
    expect(await speaks(next.token)).toMatchObject({ currency: 'USD' })
  })

  test('can be refreshed 20 times at once, and each returned token can be refreshed', async () => {
    const { token } = await cookieless()
    late = HOUR
    const all = await Promise.all(Array.from({ length: 20 }, async () => renew(token)))

    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    expect(await renew(all[7]!.token)).toMatchObject({ status: 200 })
  })

  test('can be refreshed at most 60 times a minute, counted over all IP addresses', async () => {
    let { token } = await cookieless()
    const renewFrom = (address: string) => {
      const init = { method: 'POST', headers: { authorization: `Bearer ${token}` } }
      return fallback.requestFrom(address, `/api${refreshToken.path}`, init)
    }
    for (let at = 0; at < 60; at += 1)
      ({ token } = (await (await renewFrom(`7.0.0.${at}`)).json()) as { token: string })

    expect((await renewFrom('7.0.1.0')).status).toBe(429)
  })

  test('end when an older access token is used, or the previous one after ten seconds', async () => {
    const { token } = await cookieless()
    late = HOUR
    const second = await renew(token)
    const third = await renew(second.token)
    expect(await renew(token)).toMatchObject({ status: 409, ...invalid })
    await expect(speaks(third.token)).rejects.toMatchObject(ended)

    const { token: other } = await cookieless()
    late += HOUR
    const next = await renew(other)
    late += 11_000
    expect(await renew(other)).toMatchObject({ status: 409, ...invalid })
    await expect(speaks(next.token)).rejects.toMatchObject(ended)
  })

  test('cannot be refreshed with an access token that is older than a day', async () => {
    const { token } = await cookieless()
    late = 24 * HOUR + MINUTE

    expect(await renew(token)).toMatchObject({ status: 409, ...invalid })
  })

  test('cannot be refreshed with a forged access token', async () => {
    const { token } = await cookieless()
    const [head, , signature] = token.split('.')
    const claims = Buffer.from(JSON.stringify({ sub: 'x' })).toString('base64url')

    expect(await renew(`${head}.${claims}.${signature}`)).toMatchObject({ status: 409, ...invalid })
    expect(await (await refresh({}, fallback)).json()).toEqual(noToken)
  })

  test('cannot be refreshed after signing out', async () => {
    const { token } = await cookieless()
    await fallback.apiOf(token).logout({})

    expect(await renew(token)).toMatchObject({ status: 409, ...invalid })
  })

  test('become cookie sessions as soon as the browser sends a cookie', async () => {
    const { id, email, password } = await cookieless()
    const body = JSON.stringify({ email, password })
    const headers = { 'content-type': 'application/json' }
    const signedIn = await fallback.request(`/api${login.path}`, { method: 'POST', headers, body })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const { token } = (await signedIn.json()) as { token: string }

    const next = await renew(token, { cookie })

    expect(next).toMatchObject({ status: 200, cookieFallback: false, cookie: expect.stringContaining('rt=') as string })
    expect(await renew(next.token)).toMatchObject({ status: 409, ...invalid })
    expect(await speaks(next.token)).toMatchObject({ currency: 'USD' })
    const rows = await store.select().from(table).where(eq(table.userId, id))
    expect(rows.filter(({ isFallback }) => !isFallback)).toHaveLength(1)
  })

  test('cannot be refreshed with the access token of a session that began with a cookie', async () => {
    const { email, password } = await fallback.newcomer()
    const headers = { 'content-type': 'application/json', cookie: 'theme=dark' }
    const answer = await fallback.request(`/api${login.path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password }),
    })
    const { token, cookieFallback } = (await answer.json()) as { token: string; cookieFallback: boolean }

    expect(cookieFallback).toBe(false)
    expect(await renew(token)).toMatchObject({ status: 409, ...invalid })
    expect(await speaks(token)).toMatchObject({ currency: 'USD' })
  })
})
