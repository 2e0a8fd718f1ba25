import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { queryProducts, getSellers } from '#contract/catalogue.ts'
import { getAccount } from '#contract/account.ts'
import { auditEvents } from '#server/db/schema.ts'
import { type LimitName, readRules, RULES } from '#server/http/limit-rules.ts'
import { openLimits } from '#server/http/limits.ts'
import { pageHeaders } from '#server/http/signature.ts'
import { type Customer, startProvider } from '#tests/support/provider/provider.ts'

const SECRET = 'only the storefront and its provider know this'

const { db, database, customer, request, requestFrom, close } = await startProvider({
  limits: 'api=8/1m,search=3/1m',
  purgeSecret: SECRET,
})
afterAll(close)

const SEARCH = `/api${queryProducts.path}?searchValue=kite`
const LISTING = `/api${queryProducts.path}?category=Toys`

async function statuses(path: string, count: number, address: string, headers = {}): Promise<number[]> {
  const answers: number[] = []
  for (let at = 0; at < count; at += 1) answers.push((await requestFrom(address, path, { headers })).status)
  return answers
}

const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR

/** The documented limits, written out: change them here when the shop’s limits change. */
const PROMISED: Record<LimitName, [uses: number, seconds: number]> = {
  register: [100, HOUR],
  login: [5, 15 * MINUTE],
  loginPerIp: [30, 15 * MINUTE],
  logins: [60, HOUR],
  forgot: [3, HOUR],
  forgotPerIp: [30, HOUR],
  resetMail: [5, 30 * MINUTE],
  confirmationMail: [5, DAY],
  confirmationMailPerMailbox: [10, DAY],
  unconfirmedMail: [100, DAY],
  confirmationMailPerIp: [30, HOUR],
  accountMail: [10, DAY],
  confirmEmail: [300, HOUR],
  currentPassword: [5, 15 * MINUTE],
  passwordChecks: [30, HOUR],
  accountChange: [30, HOUR],
  dataDownload: [10, HOUR],
  reset: [300, HOUR],
  refresh: [60, MINUTE],
  placeOrder: [10, MINUTE],
  ordersPerDay: [200, DAY],
  ordersPerDayPerIp: [10_000, DAY],
  orderMail: [30, DAY],
  paymentMail: [60, DAY],
  alertMail: [30, DAY],
  alerts: [60, HOUR],
  confirm: [20, MINUTE],
  track: [60, MINUTE],
  returns: [20, HOUR],
  review: [5, MINUTE],
  reviewVote: [30, MINUTE],
  reviewReport: [10, HOUR],
  chat: [60, MINUTE],
  chatBytes: [2_097_152, DAY],
  chatBytesPerIp: [52_428_800, DAY],
  socketEvents: [100, MINUTE],
  upload: [20, 10 * MINUTE],
  uploadBytes: [209_715_200, DAY],
  uploadBytesPerIp: [1_048_576_000, DAY],
  ai: [10, MINUTE],
  aiPerDay: [200, DAY],
  aiUnconfirmed: [20, DAY],
  aiPerIp: [1000, DAY],
  aiBudget: [5000, DAY],
  search: [60, MINUTE],
  suggest: [420, MINUTE],
  notYours: [20, HOUR],
  render: [300, MINUTE],
  missingPictures: [300, MINUTE],
  api: [600, MINUTE],
  apiPerIp: [6000, MINUTE],
}

describe('rate limits', () => {
  const limits = openLimits({ database, rules: readRules() })
  const names = Object.keys(PROMISED) as LimitName[]

  test.each(names.map(name => [name, ...PROMISED[name]] as const))(
    '%s: allow %i uses within %i s, then reject',
    async (name, uses, seconds) => {
      expect(Object.keys(RULES)).toEqual(names)
      // All but the last in one step, as the shop counts millions of bytes.
      await limits.take(name, '1.2.3.4', uses - 1)
      await limits.take(name, '1.2.3.4')

      const refusal = await limits.take(name, '1.2.3.4').catch((error: unknown) => error)

      expect(refusal).toMatchObject({
        code: 'TOO_MANY_REQUESTS',
        message: expect.stringContaining('Too many attempts, please try again in'),
      })
      expect((refusal as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(seconds - 20)
      expect((refusal as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(seconds)
      await expect(limits.take(name, '1.2.3.5')).resolves.toBeUndefined()
    },
  )

  test('allow new requests when their time is over', async () => {
    const short = openLimits({ database, rules: readRules('review=1/1s') })
    await short.take('review', 'ada')
    await expect(short.take('review', 'ada')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 })

    await vi.waitFor(() => short.take('review', 'ada'), { timeout: 5000, interval: 100 })
  })

  test('count an IPv6 /64 network as one address', async () => {
    const small = openLimits({ database, rules: readRules('forgotPerIp=10/1h') })
    for (let at = 0; at < 10; at += 1) await small.take('forgotPerIp', `2001:db8:1:2::${at}`)

    await expect(small.take('forgotPerIp', '2001:db8:1:2::ffff')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await expect(small.take('forgotPerIp', '2001:db8:1:3::1')).resolves.toBeUndefined()
  })

  test('give a use back after a success', async () => {
    for (let at = 0; at < 20; at += 1) {
      await limits.take('login', 'grace')
      await limits.giveBack('login', 'grace')
    }

    expect(await limits.allows('login', 'grace')).toBe(true)
  })

  test.each(['in memory', 'in the database'])(
    'uses given back after their time is over add nothing (%s)',
    async kind => {
      const rules = readRules('login=3/1h')
      const counting = openLimits({ rules, ...(kind === 'in the database' && { database }) })
      await counting.giveBack('login', 'late')

      for (let at = 0; at < 3; at += 1) await counting.take('login', 'late')

      expect(await counting.allows('login', 'late')).toBe(false)
    },
  )

  test('do not count a request that is rejected for exceeding the limit', async () => {
    const small = openLimits({ database, rules: readRules('uploadBytes=200/1d') })
    await small.take('uploadBytes', 'joan', 150)
    await expect(small.take('uploadBytes', 'joan', 60)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })

    await small.take('uploadBytes', 'joan', 50)
    await small.giveBack('uploadBytes', 'joan', 50)
    await expect(small.take('uploadBytes', 'joan', 50)).resolves.toBeUndefined()
  })

  test('uses given back lift a limit that a burst has reached', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => limits.allows('loginPerIp', '7.0.0.1')))
    const taken = answers.filter(Boolean)
    expect(taken).toHaveLength(30)

    await Promise.all(taken.map(() => limits.giveBack('loginPerIp', '7.0.0.1')))

    for (let count = 0; count < 30; count += 1) await limits.take('loginPerIp', '7.0.0.1')
    expect(await limits.allows('loginPerIp', '7.0.0.1')).toBe(false)
  })

  test('count only the first of two simultaneous requests that together exceed the limit', async () => {
    const small = openLimits({ database, rules: readRules('uploadBytes=200/1d') })
    const sent = await Promise.allSettled([
      small.take('uploadBytes', 'mary', 150),
      small.take('uploadBytes', 'mary', 150),
    ])
    expect(sent.filter(({ status }) => status === 'rejected')).toHaveLength(1)

    await small.take('uploadBytes', 'mary', 50)
  })

  test('hold when many requests come at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => limits.allows('review', 'eve')))

    expect(answers.filter(Boolean)).toHaveLength(5)
  })

  test('write one audit event per limit and key, not one per rejected request', async () => {
    for (let at = 0; at < 12; at += 1) await limits.allows('review', 'mallory')
    for (let at = 0; at < 12; at += 1) await limits.allows('login', 'mallory')

    const events = await db.select().from(auditEvents).where(eq(auditEvents.event, 'limit'))
    const hers = events.filter(({ details }) => details.key === 'mallory')
    expect(hers.map(({ outcome, details }) => [outcome, details.limit])).toEqual([
      ['refused', 'review'],
      ['refused', 'login'],
    ])
  })

  test('still work when their database is unreachable', async () => {
    const query = () => Promise.reject(new Error('connection refused'))
    const away = { kind: 'postgresql' as const, db: { $client: { query } } as unknown as typeof db }
    // Silences stderr: audit events that cannot be stored are written there.
    const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => quiet.mockRestore())
    const insured = openLimits({ database: away, rules: readRules('review=2/1m') })

    await insured.take('review', 'ada')
    await insured.take('review', 'ada')
    await expect(insured.take('review', 'ada')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })
})

describe('the rate limit of the API', () => {
  test('allows ten times as many requests to all customers behind one address together', async () => {
    const office = await Promise.all(Array.from({ length: 11 }, () => customer()))
    const statusOf = async ({ token }: Customer, address: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await requestFrom(address, `/api${getAccount.path}`, { headers })).status
    }

    // Eight calls by each of ten customers.
    for (let round = 0; round < 8; round += 1)
      for (const each of office.slice(0, 10)) expect(await statusOf(each, '5.0.1.1')).toBe(200)

    expect(await statusOf(office[10]!, '5.0.1.1')).toBe(429)
    expect(await statusOf(office[10]!, '5.0.1.2')).toBe(200)
  })

  test('allows an address 8 requests a minute, then returns 429 with the time to wait', async () => {
    expect(await statuses(LISTING, 8, '5.0.0.1')).toEqual(Array(8).fill(200))

    const refused = await requestFrom('5.0.0.1', LISTING)

    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(40)
    expect(await refused.json()).toEqual({ error: expect.stringMatching(/^Too many attempts, please try again in/) })
  })

  test('ignores an address that the client sends in X-Forwarded-For', async () => {
    await statuses(LISTING, 8, '5.0.0.2')

    expect(await statuses(LISTING, 2, '5.0.0.2', { 'x-forwarded-for': '9.9.9.9' })).toEqual([429, 429])
    expect(await statuses(LISTING, 1, '5.0.0.3', { 'x-forwarded-for': '5.0.0.2' })).toEqual([200])
  })

  test('counts a request as a search only if it has a search text', async () => {
    expect(await statuses(SEARCH, 4, '5.0.0.4')).toEqual([200, 200, 200, 429])
    expect(await statuses(LISTING, 3, '5.0.0.4')).toEqual([200, 200, 200])
    expect(await statuses(`/api${queryProducts.path}?searchValue=`, 1, '5.0.0.4')).toEqual([200])
  })

  test('does not count requests of pages rendered in the same process', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, async () => request(SEARCH)))

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  test('does not count requests of a separate storefront that proves it with the shared secret', async () => {
    const proof = pageHeaders(SECRET, SEARCH)
    expect(await statuses(SEARCH, 12, '5.0.0.5', proof)).toEqual(Array(12).fill(200))

    for (const [at, forged] of [
      pageHeaders('another secret', SEARCH),
      pageHeaders(SECRET, `/api${getSellers.path}`),
    ].entries())
      expect(await statuses(SEARCH, 4, `5.0.0.${6 + at}`, forged)).toEqual([200, 200, 200, 429])
  })
})
