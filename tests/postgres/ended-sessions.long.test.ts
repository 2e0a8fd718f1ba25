import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { WRITE_NOTHING } from '#server/db/changes.ts'
import { passwordResets } from '#server/db/schema.ts'
import { openJwt } from '#server/accounts/jwt.ts'
import { openSellerTokens } from '#server/accounts/seller-tokens.ts'
import { createApi } from '#lib/create-api.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { addSeller } from '#tests/support/catalogue/catalogue.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { printFigure } from '#tests/support/faults/figures.ts'
import { startEqualProcesses } from '#tests/support/processes/equal-processes.ts'
import { connect } from '#tests/support/provider/sockets.ts'

const shop = await startEqualProcesses()
const { processes, database, secrets } = shop
afterAll(shop.close)

/** A browser that talks to one of the processes, with its cookies. */
function browserAt(at: number) {
  const browser = { token: '', cookie: '' }
  const api = createApi({
    origin: processes[at]!.url,
    async fetch(request) {
      if (browser.token) request.headers.set('authorization', `Bearer ${browser.token}`)
      if (browser.cookie) request.headers.set('cookie', browser.cookie)
      const answer = await fetch(request)
      const [set = ''] = answer.headers.getSetCookie()
      browser.cookie = set.split(';')[0] || browser.cookie
      return answer
    },
  })
  return Object.assign(browser, { api })
}

/**
 * Signs a new customer in at the first process, makes the second one know the session too, and
 * opens a window at each.
 */
async function signUp() {
  const [first, second] = [browserAt(0), browserAt(1)]
  const form = newcomer()
  first.token = second.token = (await first.api.register(form)).token
  await second.api.getAccount({})
  const windows = processes.map(({ url }) => connect(url, first.token))
  await Promise.all(windows.map(window => window.in()))
  return { ...form, id: decodeCustomer(first.token)!.id, first, second, windows }
}

/** Ends a customer’s sessions without an announcement: the processes find out at their next check of open windows. */
async function endSilently({ id }: Awaited<ReturnType<typeof signUp>>): Promise<void> {
  await database.db.execute(sql`update sessions set revoked_at = now() where user_id = ${id}`)
}

/**
 * Repeats `round` until windows whose end was not announced outlive it, so that no check of all windows ended what it
 * waits for. Each process checks those first, because they are opened first.
 */
async function beforeNextCheck(round: () => Promise<void>): Promise<void> {
  let isBefore = false
  while (!isBefore) {
    const unannounced = await signUp()
    await endSilently(unannounced)
    await round()
    isBefore = unannounced.windows.every(({ socket }) => socket.connected)
    for (const { socket } of unannounced.windows) socket.disconnect()
  }
}

/** Milliseconds from now until both windows are closed and the second process rejects the token. */
async function timeToEnd({ second, windows }: Awaited<ReturnType<typeof signUp>>): Promise<number> {
  const start = performance.now()
  await Promise.all(windows.filter(({ socket }) => socket.connected).map(window => window.ended()))
  await expect(second.api.getAccount({})).rejects.toMatchObject({ status: 409, code: 'INVALID_TOKEN' })
  return Math.round(performance.now() - start)
}

async function logout({ first }: Awaited<ReturnType<typeof signUp>>): Promise<void> {
  await first.api.logout({})
}

async function choosePassword({ id, first, password }: Awaited<ReturnType<typeof signUp>>): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest('hex')
  await database.db.insert(passwordResets).values({ userId: id, tokenHash, expiresAt: new Date(Date.now() + 60_000) })
  await first.api.resetPassword({ token, newPassword: `${password}-2` })
}

async function replayCookie({ first }: Awaited<ReturnType<typeof signUp>>): Promise<void> {
  const stolen = first.cookie
  await first.api.refreshToken({})
  await first.api.refreshToken({})
  first.cookie = stolen
  await expect(first.api.refreshToken({})).rejects.toMatchObject({ status: 409 })
}

describe('two processes of one shop', () => {
  test.each([
    ['a logout', logout],
    ['a new password', choosePassword],
    ['a refresh token that was used before', replayCookie],
  ])('both end the session after %s, without waiting for the next check', async (what, end) => {
    const other = await signUp()

    await beforeNextCheck(async () => {
      const customer = await signUp()
      await end(customer)
      printFigure(`sessions ended in both processes by ${what}`, `${await timeToEnd(customer)} ms`, '1000 ms')
    })

    expect(other.windows.map(({ socket }) => socket.connected)).toEqual([true, true])
    await other.second.api.getAccount({})
    for (const { socket } of other.windows) socket.disconnect()
  })

  test('both find an ended session that was not announced to them', async () => {
    const customer = await signUp()
    await endSilently(customer)

    await database.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query in ('LISTEN changed', ${WRITE_NOTHING})`)

    printFigure('a session found ended after the connection was lost', `${await timeToEnd(customer)} ms`, '5000 ms')
    expect(customer.windows.map(({ socket }) => socket.connected)).toEqual([false, false])
  })

  test('both close a seller’s windows when the seller’s tokens are revoked', async () => {
    const { id } = await addSeller(database.db)
    const sellerTokens = openSellerTokens({ db: database.db, secrets })

    await beforeNextCheck(async () => {
      const { token } = await sellerTokens.issue(id)
      const windows = processes.map(({ url }) => connect(url, token))
      await Promise.all(windows.map(window => window.in()))
      const ended = Promise.all(windows.map(window => window.ended()))
      const start = performance.now()

      await sellerTokens.revoke(id)
      expect(await ended).toEqual(['io server disconnect', 'io server disconnect'])
      printFigure(
        'a shop’s windows closed in both processes',
        `${(performance.now() - start).toFixed(0)} ms`,
        '1000 ms',
      )
    })
  })

  test('close a window after its token has expired', async () => {
    const { first, windows } = await signUp()
    for (const { socket } of windows) socket.disconnect()
    // A busy machine needs time to connect with it.
    const lifeSeconds = 10
    const jwt = openJwt({
      secrets,
      purpose: 'access-token',
      audience: 'customer',
      lifetimeSeconds: lifeSeconds,
      now: Date.now,
    })
    const { sub, jti, id, name, email, sid } = JSON.parse(
      Buffer.from(first.token.split('.')[1]!, 'base64url').toString(),
    ) as Record<string, string>
    const expiresAt = Date.now() + lifeSeconds * 1000
    const token = await jwt.sign(sub!, jti!, { id, name, email, sid })
    const window = connect(processes[1]!.url, token)
    await window.in()

    expect(await window.ended()).toBe('io server disconnect')
    printFigure('a window closed after its token expired', `${Date.now() - expiresAt} ms`, '30 s')
  })
})
