import { readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { confirmEmail } from '#contract/auth.ts'
import { CONFIRMATION_DAYS } from '#contract/rules.ts'
import { auditEvents, emailConfirmations, users } from '#server/db/schema.ts'
import type { ApiError } from '#lib/api.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const SHOP = 'https://shop.example'
const DAY_MS = 24 * 3600_000
const MIGRATION = new URL('../../../server/db/migrations/0012_email_confirmation.sql', import.meta.url)

const { db, api, apiOf, requestFrom, customer, newcomer, letters, close } = await startProvider({
  publicUrl: SHOP,
  limits: 'confirmEmail=12/1h,confirmationMail=3/1d,unconfirmedMail=5/1d',
})
afterAll(close)

const lettersTo = (email: string) => letters.filter(({ to }) => to === email)

async function linksTo({ email }: Customer): Promise<URL[]> {
  await lettersSent(db)
  return lettersTo(email).map(({ link }) => new URL(link))
}

async function tokenFor(ada: Customer): Promise<string> {
  return (await linksTo(ada)).at(-1)?.searchParams.get('token') ?? ''
}

const isConfirmed = async ({ api }: Customer) => (await api.getAccount({})).emailConfirmed

describe('a newly registered customer', () => {
  test('gets a mail with a confirmation link, without the name they entered', async () => {
    const ada = await newcomer('Cheap Pills Here')
    const [link] = await linksTo(ada)

    expect(link!.origin + link!.pathname).toBe(`${SHOP}/confirm-email`)
    expect(link!.searchParams.get('token')).toMatch(/^[\w-]{43}$/)
    const [letter, ...others] = lettersTo(ada.email)
    expect(others).toEqual([])
    expect(letter).toMatchObject({ subject: 'Confirm your email address' })
    expect(letter?.text).toContain('If this was not you')
    expect(JSON.stringify(letter)).not.toContain('Pills')
    const [row] = await db.select().from(emailConfirmations).where(eq(emailConfirmations.userId, ada.id))
    expect(Math.abs(row!.expiresAt.getTime() - Date.now() - CONFIRMATION_DAYS * DAY_MS)).toBeLessThan(60_000)
    expect(JSON.stringify(row)).not.toContain(link!.searchParams.get('token'))
  })

  test('is confirmed by opening the link, without signing in', async () => {
    const ada = await newcomer()
    const token = await tokenFor(ada)
    expect(await isConfirmed(ada)).toBe(false)

    await expect(api.confirmEmail({ token })).resolves.toEqual({ message: 'Your email address is confirmed' })

    expect(await isConfirmed(ada)).toBe(true)
    const written = await db.select().from(auditEvents).where(eq(auditEvents.actorId, ada.id))
    expect(written.map(({ event }) => event)).toEqual(expect.arrayContaining(['confirmation_link', 'email_confirmed']))
    expect(JSON.stringify(written)).not.toContain(token)
  })
})

describe('a confirmation link', () => {
  test('works only once, even when it is used twice at the same moment', async () => {
    const token = await tokenFor(await newcomer())
    const outcomes = await Promise.allSettled([api.confirmEmail({ token }), api.confirmEmail({ token })])

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(api.confirmEmail({ token })).rejects.toMatchObject({
      status: 422,
      message: 'This link has expired or has already been used',
    })
  })

  test(`is dead after ${CONFIRMATION_DAYS} days`, async () => {
    const ada = await newcomer()
    const token = await tokenFor(ada)
    await db.update(emailConfirmations).set({ expiresAt: new Date() }).where(eq(emailConfirmations.userId, ada.id))

    await expect(api.confirmEmail({ token })).rejects.toMatchObject({ status: 422 })
    expect(await isConfirmed(ada)).toBe(false)
  })

  test('can be requested again, and the earlier link stops working', async () => {
    const ada = await newcomer()
    const first = await tokenFor(ada)
    await expect(ada.api.sendConfirmation({})).resolves.toEqual({ message: `We have sent a link to ${ada.email}` })
    const second = await tokenFor(ada)

    await expect(api.confirmEmail({ token: first })).rejects.toMatchObject({ status: 422 })
    await api.confirmEmail({ token: second })
    expect(await isConfirmed(ada)).toBe(true)
  })

  test('is not mailed when the address is confirmed already', async () => {
    const ada = await customer()
    await expect(ada.api.sendConfirmation({})).resolves.toEqual({ message: 'Your email address is already confirmed' })
    expect(await linksTo(ada)).toEqual([])
  })

  test('can be requested only three more times a day per account', async () => {
    const ada = await newcomer()
    for (let at = 0; at < 3; at += 1) await ada.api.sendConfirmation({})

    await expect(ada.api.sendConfirmation({})).rejects.toMatchObject({ status: 429 })
    expect(await linksTo(ada)).toHaveLength(4)
  })

  test.each([
    ['nothing', '', 400],
    ['a guess', 'A'.repeat(43), 422],
    ['one without an end', 'A'.repeat(5000), 400],
  ])('is rejected when the token is wrong: %s', async (_, token, status) => {
    const refused = await api.confirmEmail({ token }).catch((error: unknown) => error)
    expect((refused as ApiError).status).toBe(status)
  })

  test('can be tried only 12 times an hour from one IP address', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 13; at += 1) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"token":"guess"}' }
      statuses.push((await requestFrom('7.0.0.1', `/api${confirmEmail.path}`, init)).status)
    }
    expect(statuses).toEqual([...Array(12).fill(422), 429])
  })
})

describe('a stranger whose address others register', () => {
  const password = 'Correct-Horse-9'
  let count = 0

  /**
   * Opens an account with the stranger's address and gives the account another one, so that the address is free again.
   */
  async function registerAndLeave(stranger: string): Promise<void> {
    const { token } = await api.register({ name: 'Mallory', email: stranger, password })
    const newEmail = `other-${(count += 1)}@customers.test`
    await apiOf(token).changeEmail({ newEmail, password })
    await lettersSent(db)
    const link = new URL(lettersTo(newEmail).at(-1)!.link)
    await api.confirmEmail({ token: link.searchParams.get('token') ?? '' })
  }

  test('gets only a few mails a day, all of them with the link that confirms the address', async () => {
    const stranger = 'stranger@customers.test'
    for (let at = 0; at < 7; at += 1) await registerAndLeave(stranger)
    await lettersSent(db)

    expect(lettersTo(stranger).map(({ subject }) => subject)).toEqual(Array(5).fill('Confirm your email address'))
  })

  test('gets no more of them because others add tags to the address', async () => {
    for (let at = 0; at < 7; at += 1)
      await api.register({ name: 'Mallory', email: `tagged+${at}@customers.test`, password })
    await lettersSent(db)

    expect(letters.filter(({ to }) => to.startsWith('tagged+'))).toHaveLength(5)
  })

  test('gets no more of them because others ask for links to new passwords or change to the address', async () => {
    const mailbox = (tag: number) => `mixed+${tag}@customers.test`
    for (let tag = 0; tag < 2; tag += 1) await api.register({ name: 'Mallory', email: mailbox(tag), password })
    for (let tag = 0; tag < 2; tag += 1) await api.forgotPassword({ email: mailbox(tag) })
    for (let tag = 2; tag < 5; tag += 1) {
      const { api: own } = await customer()
      await own.changeEmail({ newEmail: mailbox(tag), password })
    }
    await lettersSent(db)

    expect(letters.filter(({ to }) => to.startsWith('mixed+'))).toHaveLength(5)
  })

  test('gets no mails about changes of an account', async () => {
    const { api: own, email } = await newcomer()
    await own.changePassword({ password, newPassword: password })
    await own.deleteAccount({ password })
    await lettersSent(db)

    expect(lettersTo(email).map(({ subject }) => subject)).toEqual(['Confirm your email address'])
  })
})

test('the migration counts existing customers as confirmed since they registered', async () => {
  const ada = await newcomer()
  await lettersSent(db)
  // Puts the database back to its state before the migration.
  await db.execute(sql`drop table email_confirmations`)
  await db.execute(sql`alter table users drop column email_confirmed_at`)

  const migration = await readFile(MIGRATION, 'utf8')
  for (const statement of migration.split('--> statement-breakpoint')) await db.execute(sql.raw(statement))

  const [row] = await db.select().from(users).where(eq(users.id, ada.id))
  expect(row!.emailConfirmedAt).toEqual(row!.createdAt)
})
