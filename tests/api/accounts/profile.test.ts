import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { requestEmailChange } from '#server/accounts/email-change.ts'
import { mailReset } from '#server/accounts/password-reset.ts'
import { transact } from '#server/db/transact.ts'
import { auditEvents, emailChanges, passwordResets, users } from '#server/db/schema.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const SHOP = 'https://shop.example'
const NEW_PASSWORD = 'Better-Horse-10'

const { db, jobs, api, apiOf, customer, letters, close } = await startProvider({
  publicUrl: SHOP,
  limits: 'confirmEmail=1000/1h,register=1000/1h',
})
afterAll(close)

let count = 0
const freshAddress = () => `new-${(count += 1)}@customers.test`

/** All letters to an address, once those that wait have been sent. */
async function lettersTo(email: string) {
  await lettersSent(db)
  return letters.filter(({ to }) => to === email)
}

async function tokenFor(newEmail: string): Promise<string> {
  const letter = (await lettersTo(newEmail)).at(-1)
  return new URL(letter!.link).searchParams.get('token') ?? ''
}

const eventsOf = async (actorId: string) =>
  (await db.select().from(auditEvents).where(eq(auditEvents.actorId, actorId))).map(
    ({ event, outcome }) => `${event} ${outcome}`,
  )

describe('a customer who changes their name', () => {
  test('sees it in their profile and in the next bearer', async () => {
    const ada = await customer('Ada')

    expect(await ada.api.changeName({ name: '  Ada Lovelace ' })).toEqual({ message: 'Your name is changed' })

    expect(await ada.api.getProfile({})).toEqual({ name: 'Ada Lovelace', email: ada.email, newEmail: null })
    const { token } = await api.login({ email: ada.email, password: ada.password })
    expect(JSON.parse(atob(token.split('.')[1]!))).toMatchObject({ name: 'Ada Lovelace' })
    expect(await eventsOf(ada.id)).toContain('name_changed ok')
  })

  test('has to follow the rules of registration', async () => {
    const { api } = await customer()

    await expect(api.changeName({ name: 'A' })).rejects.toMatchObject({
      status: 400,
      fields: { name: 'Name must be at least 2 characters' },
    })
    await expect(api.changeName({ name: '<b>Ada</b>' })).rejects.toMatchObject({ status: 400 })
  })
})

describe('a customer who changes their email address', () => {
  test('has to know the password that is valid when the change is stored', async () => {
    const ada = await customer()
    const [user] = await db.select().from(users).where(eq(users.id, ada.id))
    await ada.api.changePassword({ password: ada.password, newPassword: NEW_PASSWORD })

    const change = { address: freshAddress(), passwordHash: user!.passwordHash }
    const request = requestEmailChange({ db, jobs }, { ...ada, sessionId: '' }, change, {})

    await expect(request).rejects.toThrow('Your password was changed elsewhere. Please log in again')
    expect(await db.$count(emailChanges, eq(emailChanges.userId, ada.id))).toBe(0)
  })

  test('keeps the old one until they open the link mailed to the new one', async () => {
    const ada = await customer()
    const newEmail = freshAddress()

    await expect(ada.api.changeEmail({ newEmail: newEmail.toUpperCase(), password: ada.password })).resolves.toEqual({
      message: `We have sent a link to ${newEmail.toUpperCase()}`,
    })

    expect(await ada.api.getProfile({})).toMatchObject({ email: ada.email, newEmail })
    await expect(api.login({ email: newEmail, password: ada.password })).rejects.toMatchObject({ status: 422 })
    const [letter] = await lettersTo(newEmail)
    expect(letter).toMatchObject({ subject: 'Confirm your new email address' })
    expect(new URL(letter!.link).pathname).toBe('/confirm-email')
    const [row] = await db.select().from(emailChanges).where(eq(emailChanges.userId, ada.id))
    expect(JSON.stringify(row)).not.toContain(await tokenFor(newEmail))

    await api.confirmEmail({ token: await tokenFor(newEmail) })

    expect(await ada.api.getProfile({})).toMatchObject({ email: newEmail, newEmail: null })
    expect(await ada.api.getAccount({})).toMatchObject({ emailConfirmed: true })
    await expect(api.login({ email: newEmail, password: ada.password })).resolves.toBeDefined()
    await expect(api.login({ email: ada.email, password: ada.password })).rejects.toMatchObject({ status: 422 })
    expect(await eventsOf(ada.id)).toEqual(expect.arrayContaining(['email_change ok', 'email_changed ok']))
  })

  test('gets mails about it at the old address, without a link', async () => {
    const ada = await customer()
    const newEmail = freshAddress()
    await ada.api.changeEmail({ newEmail, password: ada.password })
    await api.confirmEmail({ token: await tokenFor(newEmail) })

    const told = await lettersTo(ada.email)

    expect(told.map(({ subject }) => subject)).toEqual([
      'A request to change your email address',
      'Your email address has been changed',
    ])
    for (const { text, html, link } of told) expect(`${text}${html}${link}`).not.toMatch(/href|https?:|customers\.test/)
  })

  test('cannot use the link twice, nor after a newer one, nor after withdrawing the change', async () => {
    const ada = await customer()
    const [first, second, third] = [freshAddress(), freshAddress(), freshAddress()]
    await ada.api.changeEmail({ newEmail: first, password: ada.password })
    const firstToken = await tokenFor(first)
    await ada.api.changeEmail({ newEmail: second, password: ada.password })
    const secondToken = await tokenFor(second)

    await expect(api.confirmEmail({ token: firstToken })).rejects.toMatchObject({ status: 422 })
    const uses = await Promise.allSettled([
      api.confirmEmail({ token: secondToken }),
      api.confirmEmail({ token: secondToken }),
    ])
    expect(uses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])

    await ada.api.changeEmail({ newEmail: third, password: ada.password })
    const thirdToken = await tokenFor(third)
    await ada.api.keepEmail({})
    await expect(api.confirmEmail({ token: thirdToken })).rejects.toMatchObject({ status: 422 })
    expect(await ada.api.getProfile({})).toMatchObject({ email: second, newEmail: null })
  })

  test('cannot take the address of another account, not even one that was opened meanwhile', async () => {
    const [ada, grace] = [await customer('Ada'), await customer('Grace')]
    const taken = { status: 422, fields: { newEmail: 'This email is already registered' } }
    await expect(ada.api.changeEmail({ newEmail: grace.email, password: ada.password })).rejects.toMatchObject(taken)
    await expect(ada.api.changeEmail({ newEmail: ada.email, password: ada.password })).rejects.toMatchObject({
      fields: { newEmail: 'This is already your address' },
    })

    const newEmail = freshAddress()
    await ada.api.changeEmail({ newEmail, password: ada.password })
    const token = await tokenFor(newEmail)
    await api.register({ name: 'Quick One', email: newEmail, password: NEW_PASSWORD })
    await expect(api.confirmEmail({ token })).rejects.toMatchObject({ status: 422 })
    expect(await ada.api.getProfile({})).toMatchObject({ email: ada.email })
  })

  test('needs their current password', async () => {
    const ada = await customer()

    await expect(ada.api.changeEmail({ newEmail: freshAddress(), password: 'wrong' })).rejects.toMatchObject({
      status: 422,
      fields: { password: 'This is not your current password' },
    })
    expect(await ada.api.getProfile({})).toMatchObject({ newEmail: null })
    expect(await eventsOf(ada.id)).toContain('password_check refused')
  })
})

describe('a customer who changes their password', () => {
  test('stays signed in here and is signed out everywhere else', async () => {
    const ada = await customer()
    const elsewhere = apiOf((await api.login({ email: ada.email, password: ada.password })).token)

    await ada.api.changePassword({ password: ada.password, newPassword: NEW_PASSWORD })

    await expect(ada.api.getProfile({})).resolves.toBeDefined()
    await expect(elsewhere.getProfile({})).rejects.toMatchObject({ status: 409, code: 'INVALID_TOKEN' })
    await expect(api.login({ email: ada.email, password: ada.password })).rejects.toMatchObject({ status: 422 })
    await expect(api.login({ email: ada.email, password: NEW_PASSWORD })).resolves.toBeDefined()
    expect((await lettersTo(ada.email)).map(({ subject }) => subject)).toEqual(['Your password has been changed'])
    expect(await eventsOf(ada.id)).toContain('password_changed ok')
  })

  test('cancels links to reset it and an address that somebody else has asked for', async () => {
    const ada = await customer()
    await api.forgotPassword({ email: ada.email })
    const reset = await tokenFor(ada.email)
    const newEmail = freshAddress()
    await ada.api.changeEmail({ newEmail, password: ada.password })
    const change = await tokenFor(newEmail)

    await ada.api.changePassword({ password: ada.password, newPassword: NEW_PASSWORD })

    await expect(api.resetPassword({ token: reset, newPassword: 'Worse-Horse-11' })).rejects.toMatchObject({
      status: 422,
    })
    await expect(api.confirmEmail({ token: change })).rejects.toMatchObject({ status: 422 })
  })

  test.each([
    ['Short-1', 400, { newPassword: 'Password must be at least 8 characters' }],
    ['no-capitals-1', 400, { newPassword: 'Password must contain at least one uppercase letter' }],
    ['P@ssw0rd', 422, { newPassword: 'This password is too easy to guess' }],
  ] as const)('has to follow the rules of registration: %s', async (newPassword, status, fields) => {
    const ada = await customer()

    await expect(ada.api.changePassword({ password: ada.password, newPassword })).rejects.toMatchObject({
      status,
      fields,
    })
    await expect(api.login({ email: ada.email, password: ada.password })).resolves.toBeDefined()
  })

  test('changes it only once when two devices do at the same time', async () => {
    const ada = await customer()
    const elsewhere = apiOf((await api.login({ email: ada.email, password: ada.password })).token)
    const results = await Promise.allSettled([
      ada.api.changePassword({ password: ada.password, newPassword: NEW_PASSWORD }),
      elsewhere.changePassword({ password: ada.password, newPassword: 'Other-Horse-12' }),
    ])

    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('can try five wrong current passwords in a quarter of an hour; right ones do not count', async () => {
    const ada = await customer()
    for (let at = 0; at < 4; at += 1)
      await expect(
        ada.api.changePassword({ password: `wrong-${at}`, newPassword: NEW_PASSWORD }),
      ).rejects.toMatchObject({
        status: 422,
      })
    await ada.api.changePassword({ password: ada.password, newPassword: NEW_PASSWORD })
    await expect(ada.api.changePassword({ password: 'wrong', newPassword: NEW_PASSWORD })).rejects.toMatchObject({
      status: 422,
    })

    await expect(ada.api.changePassword({ password: NEW_PASSWORD, newPassword: ada.password })).rejects.toMatchObject({
      status: 429,
    })
  })
})

test('a change of the address ends with a reset password, and after three days', async () => {
  const ada = await customer()
  const newEmail = freshAddress()
  await ada.api.changeEmail({ newEmail, password: ada.password })
  const change = await tokenFor(newEmail)
  await db
    .update(emailChanges)
    .set({ expiresAt: new Date(0) })
    .where(eq(emailChanges.userId, ada.id))
  expect(await ada.api.getProfile({})).toMatchObject({ newEmail: null })
  await expect(api.confirmEmail({ token: change })).rejects.toMatchObject({ status: 422 })

  await ada.api.changeEmail({ newEmail, password: ada.password })
  const again = await tokenFor(newEmail)
  await api.forgotPassword({ email: ada.email })
  await api.resetPassword({ token: await tokenFor(ada.email), newPassword: NEW_PASSWORD })
  await expect(api.confirmEmail({ token: again })).rejects.toMatchObject({ status: 422 })
})

test('a link to a new password is not mailed to an address that changes at this moment', async () => {
  const ada = await customer()
  const sent: unknown[] = []
  let changing: Promise<void> | undefined
  /** Called after the address was read: changes it, in a transaction that commits a little later. */
  async function allows() {
    await new Promise<void>(resolve => {
      changing = transact(db, async tx => {
        await tx.update(users).set({ email: freshAddress() }).where(eq(users.id, ada.id))
        resolve()
        await setTimeout(200)
      })
    })
    return true
  }
  const mail = { send: async (letter: unknown) => void sent.push(letter) }

  await mailReset({ db, mail, publicUrl: SHOP, limits: { allows, giveBack: async () => {} } }, ada.email)
  await changing

  expect(sent).toEqual([])
  expect(await db.$count(passwordResets, eq(passwordResets.userId, ada.id))).toBe(0)
})
