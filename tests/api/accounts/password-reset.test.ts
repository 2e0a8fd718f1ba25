import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { getAccount } from '#contract/account.ts'
import { forgotPassword, resetPassword } from '#contract/auth.ts'
import { auditEvents, passwordResets, users } from '#server/db/schema.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { addShippable, assertInvariants, KENYA, orderOf } from '#tests/support/provider/ordering.ts'
import { addProduct, stockOf } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const SHOP = 'https://shop.example'
const MINUTE = 60_000
const NEW_PASSWORD = 'Better-Horse-10'

const { db, api, request, requestFrom, apiOf, customer, newcomer, letters, close } = await startProvider({
  publicUrl: SHOP,
  limits: 'reset=1000/1h,forgotPerIp=12/1h',
})
afterAll(close)

const post = (path: string, body: object, headers = {}) =>
  request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const forgot = (email: string, headers = {}) => post(`/api${forgotPassword.path}`, { email }, headers)
const lettersTo = (email: string) => letters.filter(({ to }) => to === email)

/** Waits until the customer has `count` letters and returns the link of the latest. */
async function linkFor(email: string, count = 1): Promise<URL> {
  await vi.waitFor(() => expect(lettersTo(email)).toHaveLength(count), PATIENCE)
  return new URL(lettersTo(email).at(-1)!.link)
}

async function tokenFor(email: string): Promise<string> {
  await lettersSent(db)
  const known = lettersTo(email).length
  await forgot(email)
  return (await linkFor(email, known + 1)).searchParams.get('token') ?? ''
}

const reset = (token: string, newPassword = NEW_PASSWORD) => post(`/api${resetPassword.path}`, { token, newPassword })

describe('a forgotten password', () => {
  test('is reset with a mailed link to the shop’s page that is valid for 30 minutes', async () => {
    const { email, name, id } = await customer('José Ada')
    const link = await tokenFor(email).then(() => linkFor(email))

    expect(link.origin + link.pathname).toBe(`${SHOP}/resetpassword`)
    expect(link.searchParams.get('token')).toMatch(/^[\w-]{43}$/)
    const [letter] = lettersTo(email)
    expect(letter).toMatchObject({ to: email, subject: 'Choose a new password' })
    expect(letter?.text).toContain(`Hello ${name},`)
    expect(letter?.text).toContain(link.href)
    const [row] = await db.select().from(passwordResets).where(eq(passwordResets.userId, id))
    expect(Math.abs(row!.expiresAt.getTime() - Date.now() - 30 * MINUTE)).toBeLessThan(MINUTE)
    expect(JSON.stringify(row)).not.toContain(link.searchParams.get('token'))
  })

  test('gets a mail without the customer’s name while the address is not confirmed', async () => {
    const stranger = await newcomer('Cheap Pills')
    await tokenFor(stranger.email)

    const letter = lettersTo(stranger.email).find(({ subject }) => subject === 'Choose a new password')
    expect(letter?.text).toMatch(/^Hello,$/m)
    expect(JSON.stringify(letter)).not.toContain('Pills')
  })

  test('gets the same response for an address without an account, and no mail is sent', async () => {
    const { email } = await customer()
    const [known, unknown, odd] = [
      await forgot(email),
      await forgot('nobody@piazza.example'),
      await forgot('x'.repeat(5000)),
    ]

    const body = await known.text()
    expect([known.status, unknown.status, odd.status]).toEqual([200, 200, 200])
    expect([await unknown.text(), await odd.text()]).toEqual([body, body])
    const bare = ({ headers }: Response) => [...headers].filter(([key]) => key !== 'x-request-id')
    expect(bare(unknown)).toEqual(bare(known))
    await linkFor(email)
    expect(letters.map(({ to }) => to)).not.toContain('nobody@piazza.example')
  })

  test('gets at most three mails an hour for one IP address; further requests return the same response', async () => {
    const { email } = await customer()
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ email: ` ${email.toUpperCase()} ` })
    const answers: string[] = []
    for (let at = 0; at < 5; at += 1)
      answers.push(await (await requestFrom('7.0.0.2', `/api${forgotPassword.path}`, { ...init, body })).text())
    const other = await customer()
    await tokenFor(other.email)

    expect(new Set(answers).size).toBe(1)
    await vi.waitFor(() => expect(lettersTo(email)).toHaveLength(3), PATIENCE)
  })

  test('gets a link to the shop’s own address even if the Host header is forged', async () => {
    const { email } = await customer()
    await forgot(email, { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' })

    expect((await linkFor(email)).origin).toBe(SHOP)
    expect(JSON.stringify(lettersTo(email))).not.toContain('evil')
  })

  test('can be reported only 12 times an hour from one IP address', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const statuses: number[] = []
    for (let at = 0; at < 13; at += 1) {
      const body = JSON.stringify({ email: `nobody-${at}@piazza.example` })
      statuses.push((await requestFrom('7.0.0.1', `/api${forgotPassword.path}`, { ...init, body })).status)
    }

    expect(statuses).toEqual([...Array(12).fill(200), 429])
  })
})

describe('a reset link', () => {
  test('sets the password, ends all sessions and does not sign the customer in', async () => {
    const { email, password, id, api: signedIn } = await customer()
    const other = await api.login({ email, password })
    const token = await tokenFor(email)

    const answer = await reset(token)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(Object.keys((await answer.json()) as object)).toEqual(['message'])
    await expect(signedIn.getAccount({})).rejects.toMatchObject({ status: 409 })
    const bearer = { headers: { authorization: `Bearer ${other.token}` } }
    expect((await request(`/api${getAccount.path}`, bearer)).status).toBe(409)
    await expect(api.login({ email, password })).rejects.toMatchObject({ status: expect.any(Number) })
    await expect(api.login({ email, password: NEW_PASSWORD })).resolves.toHaveProperty('token')
    const events = await db.select().from(auditEvents).where(eq(auditEvents.actorId, id))
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['password_link', 'password_reset']))
    expect(JSON.stringify(events)).not.toContain(token)
  })

  test('confirms the address, empties the account’s cart, address book and alerts and cancels unpaid orders', async () => {
    const stranger = await newcomer()
    const [kite, train] = [await addShippable(db), await addShippable(db)]
    const { post: postal, ...place } = KENYA
    const book = ['Hideout', 'Office'].map(label => ({ label, shippingDetails: { ...place, postal } }))
    for (const entry of book) await stranger.api.addAddress(entry)
    const { id: productId } = await addProduct(db, { stock: 0 })
    await stranger.api.addAlert({ productId })
    await stranger.api.addToCart({ userId: stranger.id, productId: kite.id, quantity: 1 })
    const { groups } = await stranger.api.getCart({ userId: stranger.id })
    await stranger.api.saveForLater({ lineId: groups[0]!.products[0]!._id })
    await stranger.api.addToCart({ userId: stranger.id, productId: kite.id, quantity: 1 })
    const { orderId } = await stranger.api.placeOrder(orderOf(stranger.id, [{ product: train, quantity: 3 }]))

    expect((await reset(await tokenFor(stranger.email))).status).toBe(200)

    const { token } = await api.login({ email: stranger.email, password: NEW_PASSWORD })
    const owner = apiOf(token)
    const account = await owner.getAccount({})
    expect(account.emailConfirmed).toBe(true)
    expect(account.shippingDetails).toMatchObject({ name: '', address: '' })
    await owner.updateAccount({ country: 'Kenya', currency: 'USD', shippingDetails: { ...place, postal } })
    expect((await owner.getAddresses({})).addresses.map(({ label }) => label)).toEqual([''])
    expect(await owner.getAlerts({ userId: stranger.id })).toMatchObject({ alerts: [] })
    expect((await owner.getCart({ userId: stranger.id })).count).toBe(0)
    expect(await owner.getSavedLines({ userId: stranger.id })).toEqual({ lines: [] })
    expect((await owner.getOrder({ orderId })).order).toMatchObject({ status: 'cancelled', paymentStatus: 'unpaid' })
    expect(await stockOf(db, train)).toBe(5)
    await lettersSent(db)
    const subjects = lettersTo(stranger.email).map(({ subject }) => subject)
    expect(subjects.toSorted()).toEqual(['Choose a new password', 'Confirm your email address'])
    await assertInvariants(db)
  })

  test('withdraws a deletion that was asked for while the address was not confirmed', async () => {
    const stranger = await newcomer()
    await stranger.api.deleteAccount({ password: stranger.password })

    expect((await reset(await tokenFor(stranger.email))).status).toBe(200)

    const { token } = await api.login({ email: stranger.email, password: NEW_PASSWORD })
    expect(await apiOf(token).getAccount({})).not.toHaveProperty('deletion')
  })

  test('keeps cart and unpaid orders of a confirmed customer, and paid orders of any customer', async () => {
    const ada = await customer()
    const [kite, train] = [await addShippable(db), await addShippable(db)]
    await ada.api.addToCart({ userId: ada.id, productId: kite.id, quantity: 1 })
    const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [train]))
    const stranger = await newcomer()
    const gift = await addShippable(db, { priceCents: 0, shippingPrices: { Kenya: 0 } })
    const paid = await stranger.api.placeOrder(orderOf(stranger.id, [gift]))

    for (const { email } of [ada, stranger]) expect((await reset(await tokenFor(email))).status).toBe(200)

    const [hers, theirs] = await Promise.all(
      [ada, stranger].map(async ({ email }) => apiOf((await api.login({ email, password: NEW_PASSWORD })).token)),
    )
    expect((await hers!.getCart({ userId: ada.id })).count).toBe(1)
    expect((await hers!.getOrder({ orderId })).order.status).toBe('pending')
    expect((await theirs!.getOrder(paid)).order.status).toBe('placed')
  })

  test('is recorded in the audit when it is mailed, used and rejected', async () => {
    const { email, id } = await customer()
    const token = await tokenFor(email)
    await lettersSent(db)
    expect((await reset(token)).status).toBe(200)
    expect((await reset(token)).status).toBe(422)

    const events = await db.select().from(auditEvents).orderBy(auditEvents.id)
    const seen = events.map(({ event, outcome, actorId }) => `${event} ${outcome} ${actorId}`)
    expect(seen.filter(each => each.endsWith(id)).toSorted()).toEqual([
      `password_link ok ${id}`,
      `password_reset ok ${id}`,
    ])
    expect(seen.at(-1)).toBe('password_reset refused null')
  })

  test('works only once, even when it is used several times at the same moment', async () => {
    const { email } = await customer()
    const token = await tokenFor(email)

    const answers = await Promise.all([reset(token), reset(token), reset(token)])

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
    expect(await (await reset(token)).json()).toMatchObject({ error: 'Invalid or expired reset token' })
  })

  test('expires after 30 minutes', async () => {
    const { email, id } = await customer()
    const token = await tokenFor(email)
    const [before] = await db.select().from(users).where(eq(users.id, id))
    const [live] = await db.select().from(passwordResets).where(eq(passwordResets.userId, id))
    const expiresAt = new Date(live!.expiresAt.getTime() - 31 * MINUTE)
    await db.update(passwordResets).set({ expiresAt }).where(eq(passwordResets.userId, id))

    const answer = await reset(token)

    expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({
      status: 422,
      error: 'Invalid or expired reset token',
    })
    expect((await db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash).toBe(before?.passwordHash)
  })

  test('works after the shop has failed to store the new password, which is not recorded as refused', async () => {
    const { email } = await customer()
    const token = await tokenFor(email)
    const refusals = () => db.$count(auditEvents, eq(auditEvents.outcome, 'refused'))
    const before = await refusals()
    await db.execute(sql`alter table sessions rename to sessions_away`)
    const failed = await reset(token)
    await db.execute(sql`alter table sessions_away rename to sessions`)

    expect(failed.status).toBe(500)
    expect(await refusals()).toBe(before)
    expect((await reset(token)).status).toBe(200)
  })

  test('stops working when a newer link is mailed', async () => {
    const { email } = await customer()
    const first = await tokenFor(email)
    const second = await tokenFor(email)

    expect((await reset(first)).status).toBe(422)
    expect((await reset(second)).status).toBe(200)
  })

  test.each([
    ['', 'Please fill in all fields', 400],
    ['short', 'Password must be at least 8 characters long', 400],
    ['alllowercase-1', 'Password must contain at least one uppercase letter', 400],
  ])('rejects a password that breaks the rules and can then be used again: %s', async (password, error, status) => {
    const { email } = await customer()
    const token = await tokenFor(email)

    const answer = await reset(token, password)

    expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({ status, error })
    expect((await reset(token)).status).toBe(200)
  })

  test('that is wrong is rejected before the password is looked at', async () => {
    const answer = await reset('A'.repeat(43), 'P@ssw0rd')

    expect(await answer.json()).toMatchObject({ error: 'Invalid or expired reset token' })
  })

  test.each([
    ['nothing', '', 400],
    ['a word', 'guessed', 422],
    ['one of the right form', 'A'.repeat(43), 422],
    ['one without an end', 'A'.repeat(5000), 400],
  ])('is rejected when the token is wrong: %s', async (_, token, status) => {
    expect((await reset(token)).status).toBe(status)
  })
})
