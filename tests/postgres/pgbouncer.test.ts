import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { events } from '#contract/realtime.ts'
import { openSellerTokens } from '#server/accounts/seller-tokens.ts'
import { openDatabase } from '#server/db/database.ts'
import { named } from '#server/db/prepared.ts'
import { users } from '#server/db/schema.ts'
import { checkConnections } from '#server/operators/cli/doctor-connections.ts'
import { readConfig } from '#server/config.ts'
import { openProvider } from '#server/provider.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { apiAt } from '#tests/support/processes/api-at.ts'
import { startEqualProcesses } from '#tests/support/processes/equal-processes.ts'
import { addShippable, assertInvariants, orderOf } from '#tests/support/provider/ordering.ts'
import { startPgBouncer } from '#tests/support/processes/pgbouncer.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'
import { connect } from '#tests/support/provider/sockets.ts'
import { typeCommand } from '#tests/support/provider/typing.ts'

const STOCK = 100
const CUSTOMERS = 12
const LIMITS = ['register', 'placeOrder', 'ordersPerDay', 'ordersPerDayPerIp', 'api']
  .map(name => `${name}=100000/1m`)
  .join(',')

const pooler = await startPgBouncer(inject('postgresUrl')!)
const pooled = (url: string) => Object.assign(new URL(pooler.url), { pathname: new URL(url).pathname }).href
const shop = await startEqualProcesses(2, url => ({
  DATABASE_URL: pooled(url),
  DATABASE_LISTEN_URL: url,
  DATABASE_POOL_SIZE: '20',
  LIMITS,
}))
const { processes, database, secrets, url } = shop
afterAll(async () => {
  await shop.close()
  await pooler.close()
})

function apiOf(at: number, token = '') {
  return apiAt(processes[at % processes.length]!.url, token)
}

describe('a shop behind PgBouncer in transaction mode', () => {
  test('takes orders at two processes at once, and every unit is accounted for', async () => {
    const product = await addShippable(database.db, { stock: STOCK })

    const orders = await Promise.all(
      Array.from({ length: CUSTOMERS }, async (_, at) => {
        const { token } = await apiOf(at).register(newcomer())
        const api = apiOf(at + 1, token)
        return api.placeOrder(orderOf(decodeCustomer(token)!.id, [product]))
      }),
    )

    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(CUSTOMERS)
    await assertInvariants(database.db, { initialStock: new Map([[product.variantId, STOCK]]) })
  })

  test('repeats its prepared statements on whichever connection the pooler chooses', async () => {
    const calls = Array.from({ length: 60 }, (_, at) => apiOf(at).getCategories({}))

    await expect(Promise.all(calls)).resolves.toHaveLength(60)
  })

  test('carries messages between its processes past the pooler', async () => {
    const product = await addShippable(database.db, { stock: 1 })
    const sellerId = product.sellerId
    const sellerToken = (await openSellerTokens({ db: database.db, secrets }).issue(sellerId)).token
    const { token } = await apiOf(0).register(newcomer('Grace'))
    const window = connect(processes[1]!.url, sellerToken)
    await window.in()

    const { id: userId } = decodeCustomer(token)!
    const { message } = await apiOf(0, token).sendMessage({ userId, sellerId, text: 'Hello' })

    await expect.poll(() => window.of(events.customerMessage)).toMatchObject([{ _id: message.id }])
    window.socket.disconnect()
  })

  test('gets statements without names', async () => {
    const through = await openDatabase({ url: pooled(url), listenUrl: url, poolSize: 5 })
    const one = named<{ value: number }>('one', value => sql`select ${value('given')}::int as value`)

    const rows = await Promise.all(Array.from({ length: 30 }, (_, given) => one(through.db, { given })))

    expect(rows.flat().map(({ value }) => value)).toEqual(Array.from({ length: 30 }, (_, at) => at))
    await through.close()
  })

  test('is restored through the pooler from its backup, and starts after that', { timeout: 600_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'piazza-restored-'))
    const file = join(dataDir, 'shop.tar.gz')
    const settings = (name: string, to: string) => ({
      DATA_DIR: join(dataDir, name),
      DATABASE_URL: pooled(to),
      DATABASE_LISTEN_URL: to,
    })
    const empty = settings('restored', await createDatabase(inject('postgresUrl')!))
    await apiOf(0).register(newcomer())
    expect(await typeCommand(['backup', file], { env: settings('first', url) })).toMatchObject({ code: 0 })

    expect(await typeCommand(['restore', file], { env: empty })).toMatchObject({ code: 0, err: '' })

    const restored = await openProvider(readConfig({ ...empty, DEMO: 'off' }), pino({ level: 'silent' }))
    expect(await restored.database.db.$count(users)).toBe(await database.db.$count(users))
    await restored.close()
    await rm(dataDir, { recursive: true })
  })

  test('sees in the output of doctor how many connections it needs, and that the role has no time limits', async () => {
    // The third process is this one.
    const through = await openDatabase({ url: pooled(url), listenUrl: url })
    const config = { ...readConfig({}), databaseUrl: pooled(url), listenUrl: url }

    const findings = await checkConnections({ database: through, config })

    expect(findings.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^3 processes may open 9 of PostgreSQL’s 197 connections$/),
      expect.stringContaining('ALTER ROLE'),
    ])
    const direct = await checkConnections({ database: through, config: { ...config, databaseUrl: url } })
    expect(direct[0]?.text).toMatch(/^3 processes may open 59 of/)
    await through.close()
  })
})
