import { randomBytes } from 'node:crypto'
import { count, eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { passwordResets, sessions as table, users } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { secretsOf } from '#server/platform/secrets.ts'
import { BlockedError, login } from '#server/accounts/customers.ts'
import { openPasswords } from '#server/accounts/passwords.ts'
import { openSessions } from '#server/accounts/sessions.ts'
import { sweepExpired } from '#server/accounts/sweeping.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

let late = 0
const now = () => Date.now() + late
beforeEach(() => {
  late = 0
})

const { db, sessions, customer, close } = await startProvider({ now })
afterAll(close)

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const ended = { code: 'INVALID_TOKEN', message: 'Please login first' }

async function started() {
  const { id, name, email } = await customer()
  return { id, ...(await sessions.start({ id, name, email })) }
}

const identify = (token: string) => sessions.identify(`Bearer ${token}`)

/** Exchanges a valid refresh token. */
async function exchanged(refreshToken: string, shop = sessions) {
  const rotated = await shop.rotate(refreshToken)
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

describe('refreshing', () => {
  test('returns the next access and refresh tokens and extends the session', async () => {
    const { id, refreshToken, expiresAt } = await started()
    late = 3 * DAY
    const next = await exchanged(refreshToken)

    expect(await identify(next.token)).toMatchObject({ id })
    expect(next.refreshToken).not.toBe(refreshToken)
    expect(next.expiresAt.getTime() - expiresAt.getTime()).toBeGreaterThanOrEqual(3 * DAY - MINUTE)
  })

  test('stores no refresh token in readable form', async () => {
    const { refreshToken } = await started()
    const next = await exchanged(refreshToken)
    const { rows } = await db.execute<{ row: string }>(sql`select x::text as row from ${table} x`)

    const stored = rows.map(({ row }) => row).join('\n')
    for (const token of [refreshToken, next.refreshToken]) expect(stored).not.toContain(token.slice(37))
  })

  test('with the same token 20 times at once returns one new refresh token', async () => {
    const { refreshToken } = await started()
    const all = await Promise.all(Array.from({ length: 20 }, () => exchanged(refreshToken)))

    expect(new Set(all.map(next => next.refreshToken)).size).toBe(1)
    for (const { token } of all) await identify(token)
    expect(await rowOf(refreshToken)).toMatchObject({ rotationCount: 1, revokedAt: null })
  })

  test('with the previous token works for ten seconds and then ends the session', async () => {
    const { refreshToken } = await started()
    const next = await exchanged(refreshToken)

    late = 9 * SECOND
    expect((await exchanged(refreshToken)).refreshToken).toBe(next.refreshToken)
    // The ten seconds count from the first exchange, however often the token is used.
    late = 11 * SECOND
    expect(await sessions.rotate(refreshToken)).toMatchObject({ outcome: 'reused' })
    expect(await sessions.rotate(next.refreshToken)).toEqual({ outcome: 'refused' })
    await expect(identify(next.token)).rejects.toMatchObject(ended)
  })

  test('with an older token ends the session, even within ten seconds', async () => {
    const { refreshToken, token } = await started()
    await identify(token)
    const second = await exchanged(refreshToken)
    const third = await exchanged(second.refreshToken)

    expect(await sessions.rotate(refreshToken)).toMatchObject({ outcome: 'reused' })
    for (const each of [token, second.token, third.token]) await expect(identify(each)).rejects.toMatchObject(ended)
    for (const each of [refreshToken, second.refreshToken, third.refreshToken])
      expect(await sessions.rotate(each)).toEqual({ outcome: 'refused' })
  })

  test('with a forged token that has a valid session id is rejected and does not end the session', async () => {
    const [{ refreshToken, token }, stranger] = [await started(), await started()]
    const id = refreshToken.slice(0, 36)
    const second = await exchanged(refreshToken)
    const changed = second.refreshToken.slice(37, -1) + (second.refreshToken.endsWith('A') ? 'B' : 'A')
    const forged = ['A'.repeat(64), stranger.refreshToken.slice(37), changed]

    for (const each of forged) expect(await sessions.rotate(`${id}.${each}`)).toEqual({ outcome: 'refused' })

    await identify(token)
    await exchanged(second.refreshToken)
  })

  test.each([
    ['nothing but text', () => 'nonsense'],
    ['text before a token', (token: string) => `x${token}`],
    ['text after a token', (token: string) => `${token}x`],
    ['a session without a secret', (token: string) => token.slice(0, 36)],
  ])('with %s is rejected and does not end the session', async (_what, change) => {
    const { token, refreshToken } = await started()

    expect(await sessions.rotate(change(refreshToken))).toEqual({ outcome: 'refused' })
    await sessions.signOut('Bearer forged', change(refreshToken))

    expect(await identify(token)).toHaveProperty('sessionId')
  })

  test('with an access token that is older than a day is rejected', async () => {
    const { token } = await started()

    late = DAY + SECOND

    expect(await sessions.rotateBearer(`Bearer ${token}`)).toEqual({ outcome: 'refused' })
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

  test('is rejected after two weeks without use', async () => {
    const { refreshToken } = await started()

    late = 14 * DAY + SECOND
    expect(await sessions.rotate(refreshToken)).toEqual({ outcome: 'refused' })
  })

  test('is rejected after sixty days even with regular use', async () => {
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
    'with %j is rejected',
    async token => {
      expect(await sessions.rotate(token)).toEqual({ outcome: 'refused' })
    },
  )

  test('works after the shop’s key was replaced, also with the previous token', async () => {
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

test('an older refresh token ends the session also after the shop’s key was replaced', async () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const before = openSessions({ db, secrets: secretsOf(old), now })
  const after = openSessions({ db, secrets: secretsOf(fresh, old), now })
  const { refreshToken } = await before.start(await customer())
  const second = await exchanged(refreshToken, before)
  const third = await exchanged(second.refreshToken, before)

  expect(await after.rotate(refreshToken)).toEqual({ outcome: 'reused' })
  expect(await after.rotate(third.refreshToken)).toEqual({ outcome: 'refused' })
})

test('detects a reused refresh token even when the key that sealed it is gone', async () => {
  const { id, name, email } = await customer()
  const before = openSessions({ db, secrets: secretsOf(randomBytes(32)), now })
  const { refreshToken } = await before.start({ id, name, email })
  const second = await sessions.rotate(refreshToken)
  late = MINUTE

  expect(second).toMatchObject({ outcome: 'rotated' })
  expect(await sessions.rotate(refreshToken)).toMatchObject({ outcome: 'reused' })
})

describe('a session', () => {
  test('does not start for a customer who has been blocked meanwhile', async () => {
    const blocked = await customer()
    await db.update(users).set({ blockedAt: new Date() }).where(eq(users.id, blocked.id))

    await expect(sessions.start(blocked)).rejects.toBeInstanceOf(BlockedError)
  })

  test('does not start when the password changes while it is being checked', async () => {
    const { email, password } = await customer()
    const proven = (await login({ db, passwords: openPasswords() }, { email, password }))!
    expect(await sessions.start(proven, proven)).toMatchObject({ token: expect.any(String) as string })
    await db.update(users).set({ passwordHash: 'another' }).where(eq(users.id, proven.id))

    await expect(sessions.start(proven, proven)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })
})

describe('ending sessions', () => {
  test('of one customer does not end another customer’s sessions', async () => {
    const [ada, grace] = [await customer(), await customer()]
    const second = await sessions.start(ada)
    await sessions.revokeAll(ada.id)

    for (const token of [ada.token, second.token]) await expect(identify(token)).rejects.toMatchObject(ended)
    expect(await sessions.rotate(second.refreshToken)).toEqual({ outcome: 'refused' })
    expect(await identify(grace.token)).toMatchObject({ id: grace.id })
  })

  test('works inside a transaction', async () => {
    const { id, token } = await customer()
    await transact(db, tx => sessions.revokeAll(id, { tx }))

    await expect(identify(token)).rejects.toMatchObject(ended)
  })
})

describe('the sweep', () => {
  test('deletes only expired sessions and password resets', async () => {
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

  test('deletes sessions a day after their end, and a stolen token of one still opens nothing', async () => {
    const [old, recent] = [await started(), await started()]
    for (const [each, hours] of [
      [old, 25],
      [recent, 23],
    ] as const)
      await db
        .update(table)
        .set({ revokedAt: new Date(Date.now() - hours * 60 * MINUTE) })
        .where(eq(table.userId, each.id))

    await sweepExpired(db)

    expect(await rowOf(old.refreshToken)).toBeUndefined()
    expect(await rowOf(recent.refreshToken)).toBeDefined()
    for (const each of [old, recent]) expect(await sessions.rotate(each.refreshToken)).toEqual({ outcome: 'refused' })
  })
})
