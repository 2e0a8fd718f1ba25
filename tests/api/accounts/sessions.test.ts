import { randomBytes } from 'node:crypto'
import { count, eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { passwordResets, sessions as table, users } from '#server/db/schema.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import { login } from '#server/accounts/customers.ts'
import { openPasswords } from '#server/accounts/passwords.ts'
import { openSessions } from '#server/accounts/sessions.ts'
import { sweepExpired } from '#server/catalogue/upkeep.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

let late = 0
const now = () => Date.now() + late
beforeEach(() => {
  late = 0
})

const { db, sessions, customer, secrets, close } = await startProvider({ now })
afterAll(close)

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const ended = { status: 409, code: 'INVALID_TOKEN', message: 'Please login first' }
const expired = { status: 409, code: 'TOKEN_EXPIRED', message: 'Token expired, please login again' }

async function started() {
  const { id, name, email } = await customer()
  return { id, ...(await sessions.start({ id, name, email })) }
}

const identify = (token: string) => sessions.identify(`Bearer ${token}`)

/** Exchanges a refresh token that is good. */
async function exchanged(refreshToken: string) {
  const rotated = await sessions.rotate(refreshToken)
  if (rotated.outcome !== 'rotated' || !rotated.refreshToken) throw new Error(`It was ${rotated.outcome}`)
  return { token: rotated.token, refreshToken: rotated.refreshToken, expiresAt: rotated.expiresAt }
}

async function rowOf(refreshToken: string) {
  const [row] = await db
    .select()
    .from(table)
    .where(eq(table.id, refreshToken.slice(0, 36)))
  return row!
}

describe('a bearer', () => {
  test('lives ten minutes', async () => {
    const { id, token } = await started()

    late = 10 * MINUTE - 2 * SECOND
    expect(await identify(token)).toMatchObject({ id })
    late = 10 * MINUTE
    await expect(identify(token)).rejects.toMatchObject(expired)
  })

  test('is of no use to a clock that was put back by more than a minute', async () => {
    const { id, token } = await started()

    late = -50 * SECOND
    expect(await identify(token)).toMatchObject({ id })
    late = -62 * SECOND
    await expect(identify(token)).rejects.toMatchObject(expired)
  })

  test('ends with its session at once, whatever was asked before', async () => {
    const { token } = await started()
    const { sessionId } = await identify(token)

    await sessions.revoke(sessionId)

    await expect(identify(token)).rejects.toMatchObject(ended)
  })

  test('ends within five seconds in a process that the database cannot tell', async () => {
    const { token } = await started()
    const elsewhere = openSessions({ db, secrets, now })
    const { sessionId } = await elsewhere.identify(`Bearer ${token}`)
    await sessions.revoke(sessionId)

    late = 5 * SECOND + 1
    await expect(elsewhere.identify(`Bearer ${token}`)).rejects.toMatchObject(ended)
  })

  test('is not brought back by a request that was on its way when the session ended', async () => {
    const { id, name, email } = await customer()
    for (let round = 0; round < 30; round += 1) {
      const { token, refreshToken } = await sessions.start({ id, name, email })
      const asked = [identify(token), identify(token)].map(answer => answer.catch(() => null))
      await Promise.all([...asked, sessions.revoke(refreshToken.slice(0, 36))])
      await expect(identify(token)).rejects.toMatchObject(ended)
    }
  })

  test('does not speak for a customer whom it does not name', async () => {
    const [ada, grace] = [await started(), await started()]
    const { sessionId } = await identify(grace.token)
    await db.update(table).set({ userId: ada.id }).where(eq(table.id, sessionId))
    late = 6 * SECOND

    await expect(identify(grace.token)).rejects.toMatchObject(ended)
  })
})

describe('refreshing', () => {
  test('gives the next token and cookie, and moves the end on', async () => {
    const { id, refreshToken, expiresAt } = await started()
    late = 3 * DAY
    const next = await exchanged(refreshToken)

    expect(await identify(next.token)).toMatchObject({ id })
    expect(next.refreshToken).not.toBe(refreshToken)
    expect(next.expiresAt.getTime() - expiresAt.getTime()).toBeGreaterThanOrEqual(3 * DAY - MINUTE)
  })

  test('stores no token, only what it can be recognised by', async () => {
    const { refreshToken } = await started()
    const next = await exchanged(refreshToken)
    const { rows } = await db.execute<{ row: string }>(sql`select x::text as row from ${table} x`)

    const stored = rows.map(({ row }) => row).join('\n')
    for (const token of [refreshToken, next.refreshToken]) expect(stored).not.toContain(token.slice(37))
  })

  test('twenty times at once has one successor', async () => {
    const { refreshToken } = await started()
    const all = await Promise.all(Array.from({ length: 20 }, () => exchanged(refreshToken)))

    expect(new Set(all.map(next => next.refreshToken)).size).toBe(1)
    for (const { token } of all) await identify(token)
    expect(await rowOf(refreshToken)).toMatchObject({ rotationCount: 1, revokedAt: null })
  })

  test('with the token just before is forgiven for ten seconds, then it ends the session', async () => {
    const { refreshToken } = await started()
    const next = await exchanged(refreshToken)

    late = 9 * SECOND
    expect((await exchanged(refreshToken)).refreshToken).toBe(next.refreshToken)
    // Grace counts from the exchange, however often it is used.
    late = 11 * SECOND
    expect(await sessions.rotate(refreshToken)).toMatchObject({ outcome: 'reused' })
    expect(await sessions.rotate(next.refreshToken)).toEqual({ outcome: 'refused' })
    await expect(identify(next.token)).rejects.toMatchObject(ended)
  })

  test('with an older token ends the session, also at once', async () => {
    const { refreshToken, token } = await started()
    await identify(token)
    const second = await exchanged(refreshToken)
    const third = await exchanged(second.refreshToken)

    expect(await sessions.rotate(refreshToken)).toMatchObject({ outcome: 'reused' })
    for (const each of [token, second.token, third.token]) await expect(identify(each)).rejects.toMatchObject(ended)
    for (const each of [refreshToken, second.refreshToken, third.refreshToken])
      expect(await sessions.rotate(each)).toEqual({ outcome: 'refused' })
  })

  test('with a token that only names a session is refused, and leaves it alone', async () => {
    const [{ refreshToken, token }, stranger] = [await started(), await started()]
    const id = refreshToken.slice(0, 36)
    const second = await exchanged(refreshToken)
    const changed = second.refreshToken.slice(37, -1) + (second.refreshToken.endsWith('A') ? 'B' : 'A')
    const forged = ['A'.repeat(64), stranger.refreshToken.slice(37), changed]

    for (const each of forged) expect(await sessions.rotate(`${id}.${each}`)).toEqual({ outcome: 'refused' })

    await identify(token)
    await exchanged(second.refreshToken)
  })

  test('while signing out leaves no session alive', { timeout: 60_000 }, async () => {
    const { id, name, email } = await customer()
    for (let round = 0; round < 200; round += 1) {
      const { refreshToken } = await sessions.start({ id, name, email })
      const both = [() => sessions.rotate(refreshToken), () => sessions.revoke(refreshToken.slice(0, 36))]
      if (round % 2) both.reverse()
      const outcomes = await Promise.all(both.map(act => act()))
      for (const rotated of outcomes) {
        if (rotated?.outcome !== 'rotated') continue
        await expect(identify(rotated.token)).rejects.toMatchObject(ended)
        expect(await sessions.rotate(rotated.refreshToken ?? '')).toEqual({ outcome: 'refused' })
      }
      expect((await rowOf(refreshToken)).revokedAt).not.toBeNull()
    }
  })

  test('is over after two weeks of rest', async () => {
    const { refreshToken } = await started()

    late = 14 * DAY + SECOND
    expect(await sessions.rotate(refreshToken)).toEqual({ outcome: 'refused' })
  })

  test('is over after sixty days of use', async () => {
    const { refreshToken } = await started()
    let token = refreshToken
    for (const day of [13, 26, 39, 52]) {
      late = day * DAY
      token = (await exchanged(token)).refreshToken
    }
    expect((await rowOf(token)).expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(60 * DAY)

    late = 60 * DAY + SECOND
    expect(await sessions.rotate(token)).toEqual({ outcome: 'refused' })
  })

  test.each(['', 'x', '.', `${'0'.repeat(36)}.${'A'.repeat(64)}`, 'a'.repeat(5000), 'é\0'])(
    'with %j is refused',
    async token => {
      expect(await sessions.rotate(token)).toEqual({ outcome: 'refused' })
    },
  )

  test('survives an exchange of the shop’s key, also within grace', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const before = openSessions({ db, secrets: secretsOf(old), now })
    const after = openSessions({ db, secrets: secretsOf(fresh, old), now })
    const { id, name, email } = await customer()
    const first = await before.start({ id, name, email })
    expect(await after.identify(`Bearer ${first.token}`)).toMatchObject({ id })
    const rotated = await before.rotate(first.refreshToken)

    expect(await after.rotate(first.refreshToken)).toMatchObject({
      outcome: 'rotated',
      refreshToken: rotated.outcome === 'rotated' && rotated.refreshToken,
    })
  })
})

test('a token from before is found out when the key that sealed it is gone, too', async () => {
  const { id, name, email } = await customer()
  const before = openSessions({ db, secrets: secretsOf(randomBytes(32)), now })
  const { refreshToken } = await before.start({ id, name, email })
  const second = await sessions.rotate(refreshToken)
  late = MINUTE

  expect(second).toMatchObject({ outcome: 'rotated' })
  expect(await sessions.rotate(refreshToken)).toMatchObject({ outcome: 'reused' })
})

describe('a session', () => {
  test('does not start with a password that was changed while it was checked', async () => {
    const { email, password } = await customer()
    const proven = (await login(db, openPasswords(), { email, password }))!
    expect(await sessions.start(proven, proven)).toMatchObject({ token: expect.any(String) as string })
    await db.update(users).set({ passwordHash: 'another' }).where(eq(users.id, proven.id))

    await expect(sessions.start(proven, proven)).rejects.toMatchObject({ status: 422 })
  })
})

describe('the end', () => {
  test('of all sessions of a customer is the end of nobody else’s', async () => {
    const [ada, grace] = [await customer(), await customer()]
    const second = await sessions.start(ada)
    await sessions.revokeAll(ada.id)

    for (const token of [ada.token, second.token]) await expect(identify(token)).rejects.toMatchObject(ended)
    expect(await sessions.rotate(second.refreshToken)).toEqual({ outcome: 'refused' })
    expect(await identify(grace.token)).toMatchObject({ id: grace.id })
  })

  test('can be part of a transaction', async () => {
    const { id, token } = await customer()
    await db.transaction(tx => sessions.revokeAll(id, tx))

    await expect(identify(token)).rejects.toMatchObject(ended)
  })
})

describe('upkeep', () => {
  test('takes away what is over and nothing else', async () => {
    const [over, alive] = [await started(), await started()]
    await db.delete(table)
    const past = new Date(Date.now() - MINUTE)
    for (const [each, expiresAt] of [
      [over, past],
      [alive, new Date(Date.now() + MINUTE)],
    ] as const) {
      await db
        .insert(table)
        .values({ userId: each.id, refreshHash: each.id, expiresAt, absoluteAt: new Date(Date.now() + DAY) })
      await db.insert(passwordResets).values({ userId: each.id, tokenHash: each.id, expiresAt })
    }

    await sweepExpired(db)

    expect(await db.select({ userId: table.userId }).from(table)).toEqual([{ userId: alive.id }])
    expect(await db.select({ count: count() }).from(passwordResets)).toEqual([{ count: 1 }])
  })
})
