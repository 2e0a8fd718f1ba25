import { eq } from 'drizzle-orm'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { refreshToken } from '#contract/session.ts'
import { register, login } from '#contract/auth.ts'
import { auditEvents, users } from '#server/db/schema.ts'
import { lettersSent } from '#tests/support/provider/letters.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, api, apiOf, customer, newcomer, request, requestFrom, close } = await startProvider({
  limits: 'login=3/15m,loginPerIp=20/15m,register=2/1h',
})
const secure = await startProvider({ publicUrl: 'https://shop.example' })
afterAll(() => Promise.all([close(), secure.close()]))

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
const REGISTER = `/api${register.path}`
const LOGIN = `/api${login.path}`

let made = 0
const someone = () => ({ name: 'José Ángel', email: `someone-${(made += 1)}@x.test`, password: 'Correct-Horse-9' })

function posted(body: object, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
}

const wrongLogin = { error: 'Wrong email or password' }

describe('a new customer', () => {
  test('is signed in at once and gets status 201 with the token in the body', async () => {
    const answer = await request(REGISTER, posted(someone()))

    expect(answer.status).toBe(201)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      token: expect.any(String) as string,
      message: 'Register success',
      isSafari: false,
      cookieFallback: false,
    })
  })

  test('begins with the country and currency that the visitor chose', async () => {
    const { token } = await api.register({ ...someone(), country: 'Kenya', currency: 'KES' })

    const account = await apiOf(token).getAccount({})

    expect(account).toMatchObject({ country: 'Kenya', currency: 'KES', shippingDetails: { country: '' } })
    for (const choice of [{ country: 'Atlantis' }, { currency: 'XXX' }])
      await expect(api.register({ ...someone(), ...choice })).rejects.toMatchObject({ status: 400 })
  })

  test('gets an access token for ten minutes with the customer’s id, name and email', async () => {
    const { name, email, password } = someone()
    const { token } = await api.register({ name, email, password })
    const [user] = await db.select().from(users).where(eq(users.email, email))

    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'at+jwt' })
    const { iat = 0, ...claims } = decodeJwt(token)
    expect(claims).toEqual({
      iss: 'piazza',
      aud: 'customer',
      sub: user?.id,
      id: user?.id,
      name,
      email,
      sid: expect.any(String) as string,
      jti: expect.any(String) as string,
      exp: iat + 600,
    })
    expect(await apiOf(token).getAccount({})).toMatchObject({ currency: 'USD' })
  })

  test('cannot register an email again in another letter case, and signs in with any letter case', async () => {
    const { name, password } = someone()
    await api.register({ name, email: 'Mixed.Case@X.test', password })

    await expect(api.register({ name, email: ' mixed.case@x.TEST ', password })).rejects.toMatchObject({
      status: 422,
      message: 'This email is already registered',
      fields: { email: 'This email is already registered' },
    })
    expect(await api.login({ email: 'MIXED.case@x.test', password })).toMatchObject({ message: 'Login success' })
  })

  test('gets only one account when the same email is registered several times at once', async () => {
    const twice = someone()
    const answers = await Promise.all([1, 2, 3].map(async () => request(REGISTER, posted(twice))))

    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '422', '422'])
  })

  test.each([
    [{ name: '' }, 'Name is required'],
    [{ name: 'A' }, 'Name must be at least 2 characters'],
    [{ name: 'A'.repeat(51) }, 'Name must be less than 50 characters'],
    [{ name: 'R2 D2' }, 'Name can only contain letters and spaces'],
    [{ email: '' }, 'Email is required'],
    [{ email: 'a@b' }, 'Email must be at least 5 characters'],
    [{ email: 'nobody at x.test' }, 'Please enter a valid email address'],
    [{ password: '' }, 'Password is required'],
    [{ password: 'Ab-1' }, 'Password must be at least 8 characters'],
    [{ password: `Ab-1${'x'.repeat(100)}` }, 'Password must be less than 100 characters'],
    [{ password: 'correct-horse-9' }, 'Password must contain at least one uppercase letter'],
    [{ password: 'CORRECT-HORSE-9' }, 'Password must contain at least one lowercase letter'],
    [{ password: 'Correct-Horse' }, 'Password must contain at least one number'],
    [{ password: 'CorrectHorse9' }, 'Password must contain at least one special character'],
  ])('gets an error that names the wrong field: %j', async (wrong, message) => {
    const answer = await request(REGISTER, posted({ ...someone(), ...wrong }))

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: message, fields: { [Object.keys(wrong)[0]!]: message } })
  })

  test('cannot choose a very common password', async () => {
    await expect(api.register({ ...someone(), password: 'P@ssw0rd' })).rejects.toMatchObject({
      status: 422,
      message: 'This password is too easy to guess',
    })
  })

  test('may use spaces, umlauts and emoji in the password, and all of them count', async () => {
    const { name, email } = someone()
    const password = ' Pässwort 9 🙂 '
    await api.register({ name, email, password })

    expect(await api.login({ email, password })).toMatchObject({ message: 'Login success' })
    await expect(api.login({ email, password: password.trim() })).rejects.toMatchObject({ status: 422 })
  })
})

describe('signing in', () => {
  test('returns 201 with a token, as registering does', async () => {
    const { email, password } = await customer()
    const answer = await request(LOGIN, posted({ email, password }, { 'user-agent': SAFARI }))

    expect(answer.status).toBe(201)
    expect(await answer.json()).toEqual({
      token: expect.any(String) as string,
      message: 'Login success',
      isSafari: true,
      cookieFallback: false,
    })
  })

  test('returns the same error for an unknown email as for a wrong password', async () => {
    const { email } = await customer()
    const wrong = [
      { email, password: 'Wrong-Horse-9' },
      { email: 'nobody@x.test', password: 'Wrong-Horse-9' },
      { email: 'not an address', password: 'x' },
      { email, password: 'x'.repeat(5000) },
    ]
    for (const credentials of wrong) {
      const answer = await request(LOGIN, posted(credentials))
      expect([answer.status, await answer.json(), answer.headers.get('set-cookie')]).toEqual([422, wrongLogin, null])
    }
  })

  test.each([
    { email: '', password: 'x' },
    { email: 'a@x.test', password: '' },
    { email: ' ', password: '' },
  ])('requires both email and password: %j', async credentials => {
    const answer = await request(LOGIN, posted(credentials))

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'Email and password are required!' })
  })

  test('sets isSafari only for Safari', async () => {
    const { email, password } = await customer()
    for (const [agent, isSafari] of [
      [CHROME, false],
      [SAFARI, true],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 CriOS/130.0 Mobile Safari/604.1',
        false,
      ],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile Safari/604.1',
        true,
      ],
    ] as const) {
      const answer = await request(LOGIN, posted({ email, password }, { 'user-agent': agent }))
      expect([agent, await answer.json()]).toEqual([agent, expect.objectContaining({ isSafari })])
    }
  })
})

describe('the refresh cookie', () => {
  test('has the __Host- prefix and the Secure flag on https', async () => {
    const answer = await secure.request(REGISTER, posted(someone()))

    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-rt=[0-9a-f-]{36}\.[\w-]{64}; Max-Age=1209[56]\d\d; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('has neither the __Host- prefix nor the Secure flag on http', async () => {
    const answer = await request(REGISTER, posted(someone()))

    expect(answer.headers.get('set-cookie')).toMatch(
      /^rt=[0-9a-f-]{36}\.[\w-]{64}; Max-Age=1209[56]\d\d; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('of an https shop works only under its __Host- name', async () => {
    const registered = await secure.request(REGISTER, posted(someone()))
    const [cookie = ''] = registered.headers.get('set-cookie')?.split(';') ?? []
    const refresh = (sent: string) => secure.request(`/api${refreshToken.path}`, posted({}, { cookie: sent }))

    expect((await refresh(cookie.replace('__Host-', ''))).status).toBe(409)
    expect((await refresh(cookie)).status).toBe(200)
  })
})

describe('repeated sign-ins and registrations', () => {
  const from = (address: string, body: object) => requestFrom(address, LOGIN, posted(body))

  test('block sign-ins from an address after three wrong passwords, even with the right one, but not from others', async () => {
    const { email, password } = await customer()
    for (let at = 0; at < 3; at += 1)
      expect((await from('192.0.2.1', { email, password: 'Wrong-Horse-9' })).status).toBe(422)

    const refused = await from('192.0.2.1', { email: email.toUpperCase(), password })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await from('192.0.2.2', { email, password })).status).toBe(201)
  })

  test('block sign-ins from an address after 20 wrong passwords for different accounts', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 21; at += 1)
      statuses.push((await from('192.0.2.3', { email: `guess-${at}@x.test`, password: 'Wrong-Horse-9' })).status)

    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 422), 429])
  })

  test('do not block an address that sends the right password', async () => {
    const { email, password } = await customer()
    for (let at = 0; at < 25; at += 1) expect((await from('192.0.2.4', { email, password })).status).toBe(201)
  })

  test('block registrations from an address after two accounts', async () => {
    const statuses = []
    for (let at = 0; at < 3; at += 1)
      statuses.push((await requestFrom('192.0.2.5', REGISTER, posted(someone()))).status)

    expect(statuses).toEqual([201, 201, 429])
  })
})

describe('the audit', () => {
  test('records registrations, sign-ins, sign-outs and failed sign-ins, but no passwords', async () => {
    const { id, email, password, api: own } = await newcomer()
    await api.login({ email, password })
    await expect(api.login({ email, password: 'Wrong-Horse-9' })).rejects.toMatchObject({ status: 422 })
    await own.logout({})
    await lettersSent(db)

    const events = await db.select().from(auditEvents).orderBy(auditEvents.id)
    const mine = events.filter(({ actorId, details }) => actorId === id || details['email'] === email)
    // A job sends the letter, so its event can be recorded before or after the others.
    expect(mine.map(({ event, outcome }) => `${event} ${outcome}`).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'confirmation_link ok',
      'login ok',
      'login refused',
      'logout ok',
      'register ok',
    ])
    expect(JSON.stringify(events)).not.toContain('Horse')
  })
})
