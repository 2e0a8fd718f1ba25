import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OnChange } from '#server/db/changes.ts'
import { sessions as table } from '#server/db/schema.ts'
import { openSessions } from '#server/accounts/sessions.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

let late = 0
const now = () => Date.now() + late
beforeEach(() => {
  late = 0
})

const { db, database, sessions, customer, secrets, close } = await startProvider({ now })
afterAll(close)

const SECOND = 1000
const MINUTE = 60 * SECOND
const ended = { code: 'INVALID_TOKEN', message: 'Please login first' }
const expired = { code: 'TOKEN_EXPIRED', message: 'Token expired, please login again' }

async function started() {
  const { id, name, email } = await customer()
  return { id, ...(await sessions.start({ id, name, email })) }
}

const identify = (token: string) => sessions.identify(`Bearer ${token}`)

/** The sessions of another process, to which `tell` reports changes instead of the database. */
function openElsewhere(from: Pick<typeof db, '$client'> = db) {
  const told: OnChange[] = []
  const elsewhere = openSessions({
    db: from as typeof db,
    secrets,
    now,
    onChange: async listener => void told.push(listener),
  })
  return { elsewhere, tell: (tag: string | null) => told.forEach(listener => listener(tag)) }
}

describe('an access token', () => {
  test('expires after ten minutes', async () => {
    const { id, token } = await started()

    late = 10 * MINUTE - 2 * SECOND
    expect(await identify(token)).toMatchObject({ id })
    late = 10 * MINUTE
    await expect(identify(token)).rejects.toMatchObject(expired)
  })

  test('is accepted whatever the letter case of "Bearer" and the number of spaces after it', async () => {
    const { id, token } = await started()

    for (const scheme of ['bearer ', 'BEARER  '])
      expect(await sessions.identify(`${scheme}${token}`)).toMatchObject({ id })
  })

  test('expires after the minutes that the operator has chosen', async () => {
    const shop = await startProvider({ now, bearerMinutes: 5 })
    try {
      const { api, id } = await shop.customer()

      late = 5 * MINUTE - 2 * SECOND
      expect(await api.getOrders({ userId: id, status: 'all' })).toEqual({ orders: [] })
      late = 5 * MINUTE
      await expect(api.getOrders({ userId: id, status: 'all' })).rejects.toMatchObject(expired)
    } finally {
      await shop.close()
    }
  })

  test('counts as expired when the clock was set back by more than a minute', async () => {
    const { id, token } = await started()

    late = -50 * SECOND
    expect(await identify(token)).toMatchObject({ id })
    late = -62 * SECOND
    await expect(identify(token)).rejects.toMatchObject(expired)
  })

  test('stops working as soon as its session ends, even if it was checked before', async () => {
    const { token } = await started()
    const { sessionId } = await identify(token)

    await sessions.revoke(sessionId)

    await expect(identify(token)).rejects.toMatchObject(ended)
  })

  test('stops working within five seconds in a process that gets no notifications from the database', async () => {
    const { token } = await started()
    const elsewhere = openSessions({ db, secrets, now })
    const { sessionId } = await elsewhere.identify(`Bearer ${token}`)
    await sessions.revoke(sessionId)

    late = 5 * SECOND + 1
    await expect(elsewhere.identify(`Bearer ${token}`)).rejects.toMatchObject(ended)
  })

  test('is not looked up again within those five seconds', async () => {
    const { id, token } = await started()
    const elsewhere = openSessions({ db, secrets, now })
    const { sessionId } = await elsewhere.identify(`Bearer ${token}`)
    await sessions.revoke(sessionId)

    late = 4 * SECOND
    expect(await elsewhere.identify(`Bearer ${token}`)).toMatchObject({ id })
  })

  test('stops working soon in other processes, which get the id of the ended session', async () => {
    const [ada, grace] = [await started(), await started()]
    const elsewhere = openSessions({ db, onChange: database.onChange, secrets, now })
    const ends: unknown[] = []
    elsewhere.onEnd(id => ends.push(id))
    const { sessionId } = await elsewhere.identify(`Bearer ${ada.token}`)
    await elsewhere.identify(`Bearer ${grace.token}`)

    await sessions.revoke(sessionId)

    // The ends of earlier tests' sessions may arrive late.
    await vi.waitFor(() => expect(ends).toContain(sessionId), PATIENCE)
    await expect(elsewhere.identify(`Bearer ${ada.token}`)).rejects.toMatchObject(ended)
    expect(await elsewhere.identify(`Bearer ${grace.token}`)).toMatchObject({ id: grace.id })
  })

  test('stops working at once after signing out, also in a process that gets no notifications from the database', async () => {
    const { token, refreshToken } = await started()
    const alone = openSessions({ db, secrets, now })
    await alone.identify(`Bearer ${token}`)

    await alone.signOut('Bearer forged', refreshToken)

    await expect(alone.identify(`Bearer ${token}`)).rejects.toMatchObject(ended)
  })

  test('stops working at once when all sessions end or an old refresh token is used, without a notification', async () => {
    const alone = openSessions({ db, secrets, now })
    const [ada, grace] = [await started(), await started()]
    await alone.identify(`Bearer ${ada.token}`)
    await alone.identify(`Bearer ${grace.token}`)

    await alone.revokeAll(ada.id)
    await alone.rotate(grace.refreshToken)
    late = 11 * SECOND
    await alone.rotate(grace.refreshToken)

    for (const { token } of [ada, grace]) await expect(alone.identify(`Bearer ${token}`)).rejects.toMatchObject(ended)
  })

  test('stops working at once if its session ends after notifications were missed during a check', async () => {
    const { token, refreshToken } = await started()
    const query = db.$client.query.bind(db.$client) as (...asked: unknown[]) => unknown
    // Notifications are lost during each query.
    const whileAsked = (...asked: unknown[]) => {
      tell(null)
      return query(...asked)
    }
    const { elsewhere, tell } = openElsewhere({ $client: { query: whileAsked } as unknown as typeof db.$client })
    await elsewhere.identify(`Bearer ${token}`)

    await sessions.revoke(refreshToken.slice(0, 36))

    await expect(elsewhere.identify(`Bearer ${token}`)).rejects.toMatchObject(ended)
  })

  test('and its open windows are not checked again when the database reports something else', async () => {
    const { elsewhere, tell } = openElsewhere()
    const ends: unknown[] = []
    elsewhere.onEnd(id => ends.push(id))

    tell('product:toy')

    expect(ends).toEqual([])
  })

  test('is rejected once its session has expired', async () => {
    const { token, refreshToken } = await started()
    const expiresAt = new Date(now() - SECOND)
    await db
      .update(table)
      .set({ expiresAt })
      .where(eq(table.id, refreshToken.slice(0, 36)))

    await expect(identify(token)).rejects.toMatchObject(ended)
  })

  test('stays invalid when a check was running while the session ended', async () => {
    const { id, name, email } = await customer()
    for (let round = 0; round < 30; round += 1) {
      const { token, refreshToken } = await sessions.start({ id, name, email })
      const asked = [identify(token), identify(token)].map(answer => answer.catch(() => null))
      await Promise.all([...asked, sessions.revoke(refreshToken.slice(0, 36))])
      await expect(identify(token)).rejects.toMatchObject(ended)
    }
  })

  test('is rejected when its session belongs to another customer', async () => {
    const [ada, grace] = [await started(), await started()]
    const { sessionId } = await identify(grace.token)
    await db.update(table).set({ userId: ada.id }).where(eq(table.id, sessionId))
    late = 6 * SECOND

    await expect(identify(grace.token)).rejects.toMatchObject(ended)
  })
})
