import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { login } from '#contract/auth.ts'
import { MAX_SESSIONS } from '#server/accounts/session-ending.ts'
import { auditEvents } from '#server/db/schema.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const { db, request, apiOf, customer, sessions, close } = await startProvider()
afterAll(close)

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0'

/** Logs the customer in with another device. */
async function logIn({ email, password }: Customer, userAgent: string) {
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent }
  const answer = await request(`/api${login.path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  return apiOf(((await answer.json()) as { token: string }).token)
}

const ended = { status: 409, code: 'INVALID_TOKEN' }

describe('the devices of a customer', () => {
  test('are named in plain words, the present one first', async () => {
    const ada = await customer()
    const phone = await logIn(ada, IPHONE)
    await logIn(ada, EDGE)
    await logIn(ada, 'x'.repeat(5000))

    const { sessions: listed } = await phone.getSessions({})

    expect(listed[0]).toMatchObject({ device: 'Safari on iPhone', isCurrent: true })
    const others = listed.slice(1).map(({ device }) => device)
    expect(others.toSorted()).toEqual(['Microsoft Edge on Windows', 'Unknown device', 'Unknown device'])
    expect(listed.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    for (const { startedAt } of listed) expect(Math.abs(Date.parse(startedAt) - Date.now())).toBeLessThan(600_000)
  })

  test('are only their own, and only those that are signed in', async () => {
    const [ada, grace] = [await customer('Ada'), await customer('Grace')]
    const phone = await logIn(ada, IPHONE)
    await logIn(grace, EDGE)
    await phone.logout({})

    expect((await ada.api.getSessions({})).sessions).toHaveLength(1)
  })

  test('are at most a hundred: another login logs out the one that was used longest ago', async () => {
    const ada = await customer()
    for (let count = 2; count < MAX_SESSIONS; count += 1) await sessions.start(ada)
    const phone = await logIn(ada, IPHONE)
    await expect(ada.api.getSessions({})).resolves.toBeDefined()

    const laptop = await logIn(ada, EDGE)

    await expect(ada.api.getSessions({})).rejects.toMatchObject(ended)
    await expect(phone.getSessions({})).resolves.toBeDefined()
    expect((await laptop.getSessions({})).sessions).toHaveLength(MAX_SESSIONS)
  })

  test('can log in at the same time, also when others are logged out for them', async () => {
    const ada = await customer()
    for (let count = 2; count <= MAX_SESSIONS; count += 1) await sessions.start(ada)

    const simultaneous = await Promise.all(Array.from({ length: 30 }, () => logIn(ada, IPHONE)))

    for (const phone of simultaneous) await expect(phone.getProfile({})).resolves.toMatchObject({ email: ada.email })
  })

  test('can be signed out one by one, immediately', async () => {
    const ada = await customer()
    const [phone, laptop] = [await logIn(ada, IPHONE), await logIn(ada, EDGE)]
    const endedIds: (string | null)[] = []
    sessions.onEnd(id => endedIds.push(id))
    const { sessions: listed } = await ada.api.getSessions({})
    const sessionId = listed.find(({ device }) => device === 'Safari on iPhone')!.id

    await ada.api.endSession({ sessionId })

    await expect(phone.getProfile({})).rejects.toMatchObject(ended)
    await expect(laptop.getProfile({})).resolves.toBeDefined()
    // Sockets listen to this. The database may also report sessions of other tests that ended a moment ago.
    expect(listed.filter(({ id }) => endedIds.includes(id)).map(({ id }) => id)).toEqual([sessionId])
    expect(endedIds).not.toContain(null)
    expect((await ada.api.getSessions({})).sessions.map(({ id }) => id)).not.toContain(sessionId)
    await expect(ada.api.endSession({ sessionId })).resolves.toBeDefined()
    const events = await db.select().from(auditEvents).where(eq(auditEvents.actorId, ada.id))
    expect(events.filter(({ event }) => event === 'sessions_ended')).toMatchObject([
      { outcome: 'ok', details: { count: 1 } },
    ])
  })

  test('can all be signed out but the present one', async () => {
    const [ada, grace] = [await customer('Ada'), await customer('Grace')]
    const [phone, laptop] = [await logIn(ada, IPHONE), await logIn(ada, EDGE)]

    await phone.endOtherSessions({})

    await expect(phone.getProfile({})).resolves.toBeDefined()
    for (const { getProfile } of [ada.api, laptop]) await expect(getProfile({})).rejects.toMatchObject(ended)
    await expect(grace.api.getProfile({})).resolves.toBeDefined()
  })
})
