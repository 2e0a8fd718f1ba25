import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as contract from '#contract/auth.ts'
import { refreshToken } from '#contract/session.ts'
import { readConfig } from '#server/config.ts'
import { orderSteps } from '#server/db/schema.ts'
import { openProvider } from '#server/provider.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { addShoe, stocksOf } from '#tests/support/catalogue/catalogue.ts'
import { assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { apiAt } from '#tests/support/processes/api-at.ts'
import { createDatabase, startPostgres } from '#tests/support/processes/postgres.ts'
import { startProviderProcess } from '#tests/support/processes/provider-process.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const STOCK = 5
/** The shop sweeps expired orders twice a minute. */
const SWEPT_MS = 90_000
const PASSWORD = 'Correct-Horse-9'

type Process = Awaited<ReturnType<typeof startProviderProcess>>

async function onPostgres() {
  const given = inject('postgresUrl')
  if (given) return createDatabase(given)
  const cluster = await startPostgres()
  afterAll(cluster.stop)
  return createDatabase(cluster.url)
}

const apiOf = ({ url }: Process, token?: string) => apiAt(url, token)

async function refresh({ url }: Process, cookie: string) {
  const headers = { cookie, origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const response = await fetch(`${url}/api${refreshToken.path}`, { method: 'POST', headers, body: '{}' })
  return { status: response.status, cookie: cookieOf(response) }
}

const cookieOf = (response: Response) => response.headers.getSetCookie().map(each => each.split(';')[0] ?? '')[0]

describe.each([
  ['an embedded database', 1, async () => ''],
  ['four processes on PostgreSQL', 4, onPostgres],
])('as time passes, with %s', (_, processes, database) => {
  let environment: NodeJS.ProcessEnv
  let running: Process[] = []
  beforeAll(async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'piazza-clock-'))
    environment = { DATA_DIR, DATABASE_URL: await database(), DEMO: 'off', PROVIDER_URL: '', PUBLIC_URL: '' }
  })
  afterAll(async () => {
    await stop()
    await rm(environment.DATA_DIR!, { recursive: true, force: true })
  })

  /** Restarts the shop with its clock shifted by `shiftMs`. */
  async function at(shiftMs: number): Promise<[Process, ...Process[]]> {
    await stop()
    running = [await startProviderProcess(environment, { shiftMs })]
    while (running.length < processes) running.push(await startProviderProcess(beside(), { shiftMs }))
    return running as [Process, ...Process[]]
  }

  /** Further processes have their own folder. */
  function beside(): NodeJS.ProcessEnv {
    return { ...environment, DATA_DIR: join(environment.DATA_DIR!, `beside-${running.length}`) }
  }

  async function stop(): Promise<void> {
    await Promise.all(running.splice(0).map(each => each.kill()))
  }

  /** Runs `work` on the shop’s database while no process uses it. */
  async function within<Result>(work: (db: Awaited<ReturnType<typeof openProvider>>['database']['db']) => Result) {
    await stop()
    const provider = await openProvider(readConfig(environment), pino({ level: 'silent' }))
    try {
      return await work(provider.database.db)
    } finally {
      await provider.close()
    }
  }

  test('tokens, sessions and holds end on time, and an expired order is cancelled only once', async () => {
    const shoe = await within(db => addShoe(db, { 42: { stock: STOCK }, 43: { stock: STOCK } }))
    const email = `${randomUUID()}@customers.test`
    const [today] = await at(0)
    const { token } = await apiOf(today).register({ name: 'Ada', email, password: PASSWORD })
    const me = decodeCustomer(token)!.id
    const wishes = shoe.variantIds.map((variantId, at) => ({ product: shoe, variantId, quantity: at + 1 }))
    const { orderId } = await apiOf(today, token).placeOrder(orderOf(me, wishes))
    const login = await fetch(`${today.url}/api${contract.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    const cookie = cookieOf(login)!
    expect(cookie).toMatch(/^rt=/)

    const [early] = await at(-10 * MINUTE)
    await expect(apiOf(early, token).getOrder({ orderId })).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })

    const [later, ...others] = await at(11 * MINUTE)
    await expect(apiOf(later, token).getOrder({ orderId })).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
    const all = [later, ...others]
    const refreshed = await Promise.all(Array.from({ length: 20 }, (_, n) => refresh(all[n % all.length]!, cookie)))
    expect(new Set(refreshed.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(refreshed.map(each => each.cookie)).size).toBe(1)
    const successor = refreshed[0]!.cookie!
    expect(successor).not.toBe(cookie)
    const { token: fresh } = await apiOf(later).login({ email, password: PASSWORD })
    expect((await apiOf(later, fresh).getOrder({ orderId })).order.status).toBe('pending')

    const [swept] = await at(31 * MINUTE)
    const { token: newest } = await apiOf(swept).login({ email, password: PASSWORD })
    await expect
      .poll(async () => (await apiOf(swept, newest).getOrder({ orderId })).order.status, { timeout: SWEPT_MS })
      .toBe('cancelled')

    const [muchLater] = await at(15 * DAY)
    expect((await refresh(muchLater, successor)).status).toBe(409)

    await within(async db => {
      await assertInvariants(db, { initialStock: new Map(shoe.variantIds.map(id => [id, STOCK])) })
      expect(await stocksOf(db, shoe)).toEqual([STOCK, STOCK])
      const steps = await db.select().from(orderSteps)
      expect(steps.filter(({ step }) => step.kind === 'cancelled' && step.by === 'time')).toHaveLength(1)
    })
  })
})
