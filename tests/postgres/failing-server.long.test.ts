import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { getCategories } from '#contract/catalogue.ts'
import { isTransient } from '#server/db/errors.ts'
import { openDatabase } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { printFigure } from '#tests/support/faults/figures.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { startRelay } from '#tests/support/fakes/relay.ts'
import { promised, rounds } from '#tests/support/rounds.ts'
import { startWriters } from '#tests/support/provider/writers.ts'
import { PATIENCE } from '#tests/support/patience.ts'

const RECOVERY_MS = 5000
/** More than the shop’s number of connections. */
const TRIES = 12

const cluster = new URL(inject('postgresUrl')!)
const relay = await startRelay(Number(cluster.port))
const provider = await startProvider({
  cluster: Object.assign(new URL(cluster), { port: relay.port }).href,
  limits: 'placeOrder=100000/1m,ordersPerDay=100000/1d,api=100000/1m,login=100000/1m',
})
const { db } = provider
const { rows } = await db.execute<{ name: string }>(sql`select current_database() as name`)
const name = rows[0]!.name
const operator = new Client(cluster.href)
await operator.connect()
// Silences stderr: audit events that cannot be stored are written there.
const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
afterAll(async () => {
  quiet.mockRestore()
  await provider.close()
  await operator.end()
  await relay.close()
})

const disconnect = () =>
  operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
const health = () => provider.request(`/api${getHealth.path}`)

test('a read-only database server still shows products, but orders and health checks get 503', async () => {
  const ada = await provider.customer()
  const product = await addShippable(db)
  expect((await health()).status).toBe(200)

  await operator.query(`alter database ${name} set default_transaction_read_only = on`)
  await disconnect()
  await vi.waitFor(async () => expect((await provider.request(`/api${getCategories.path}`)).status).toBe(200), PATIENCE)

  for (let count = 0; count < TRIES; count += 1)
    await expect(ada.api.placeOrder(orderOf(ada.id, [product]))).rejects.toMatchObject({ status: 503 })
  const unwell = await vi.waitFor(async () => {
    const answer = await health()
    expect(answer.status).toBe(503)
    return answer
  }, PATIENCE)
  expect(unwell.headers.get('retry-after')).toBe('1')
  expect(await unwell.json()).toEqual({ error: 'The database is read-only', code: 'UNAVAILABLE' })
  expect((await provider.request(`/api${getCategories.path}`)).status).toBe(200)

  // Sessions that began read-only stay read-only: the shop needs new connections.
  await operator.query(`alter database ${name} reset default_transaction_read_only`)
  await vi.waitFor(() => ada.api.placeOrder(orderOf(ada.id, [product])), promised(RECOVERY_MS))
  await vi.waitFor(async () => expect((await health()).status).toBe(200), promised(RECOVERY_MS))
})

test('connections that are closed again and again cause 503s but lose no order', { timeout: 300_000 }, async () => {
  const writers = await startWriters(provider)
  const { acknowledged, refusals } = writers
  let known = 0
  let recovery = 0
  try {
    await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(writers.count)
    const end = performance.now() + rounds(2000, 10_000)
    while (performance.now() < end) {
      await disconnect()
      await sleep(Math.random() * 100)
    }
    known = acknowledged.length
    const began = performance.now()
    await expect.poll(() => acknowledged.length, promised(RECOVERY_MS)).toBeGreaterThan(known)
    recovery = performance.now() - began
  } finally {
    await writers.stop()
  }
  console.log(`${known} orders, ${refusals.length} refusals`)
  printFigure('orders again after connections were ended', `${Math.round(recovery)} ms`, '5 s')

  await writers.examine()
})

test('an error for too many connections counts as temporary', async () => {
  const role = `shop_${name}`
  await operator.query(`create role ${role} login connection limit 0`)
  const url = Object.assign(new URL(cluster), { username: role, pathname: `/${name}` }).href

  const error = await openDatabase({ url }).catch((reason: unknown) => reason)

  expect(error).toMatchObject({ message: expect.stringContaining('too many connections') as string })
  expect(error).toSatisfy(isTransient)
  await operator.query(`drop role ${role}`)
})

test('a query result that is cut off counts as a temporary error', async () => {
  const breaking = sleep(500).then(relay.cut)

  const cut = db.execute(sql`select repeat('long ', 1000), pg_sleep(0.01) from generate_series(1, 300)`)
  await expect(cut).rejects.toSatisfy(isTransient)

  await breaking
  await vi.waitFor(async () => expect((await health()).status).toBe(200), promised(RECOVERY_MS))
})

test('a maintenance transaction fails when its connection is closed, and the shop stays healthy', async () => {
  const upkeep = provider.database.unhurried(unlimitedDb =>
    transact(unlimitedDb, async tx => {
      await tx.execute(sql`select 1`)
      await disconnect()
      await sleep(100)
      await tx.execute(sql`select 1`)
    }),
  )

  await expect(upkeep).rejects.toSatisfy(isTransient)
  await vi.waitFor(async () => expect((await health()).status).toBe(200), promised(RECOVERY_MS))
})

test('the server ends a transaction that idles too long, which releases its locks', async () => {
  const product = await addShippable(db, { stock: 1 })
  const idle = transact(db, async tx => {
    await tx.execute(sql`select from products where id = ${product.id} for update`)
    await sleep(6000)
    await tx.execute(sql`select 1`)
  })
  await expect(idle).rejects.toSatisfy(isTransient)
  const ada = await provider.customer()
  expect(await ada.api.placeOrder(orderOf(ada.id, [product]))).toHaveProperty('orderId')
})

test('a database server that accepts connections but stays silent causes a clear error at the start, and 503s later', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo

  await expect(openDatabase({ url: `postgres://piazza@127.0.0.1:${port}/shop` })).rejects.toThrow(
    /^The database of DATABASE_URL cannot be used: /,
  )
  relay.to(port)
  relay.cut()
  expect((await provider.request(`/api${getCategories.path}`)).status).toBe(503)
  await vi.waitFor(async () => expect((await health()).status).toBe(503), promised(12_000))
  relay.to(Number(cluster.port))
  relay.cut()
  await vi.waitFor(async () => expect((await health()).status).toBe(200), promised(2 * RECOVERY_MS))
  silent.close()
})

test('an unknown database host causes a clear error at the start', async () => {
  await expect(openDatabase({ url: 'postgres://piazza@database.invalid/shop' })).rejects.toThrow(
    /^The database of DATABASE_URL cannot be used: getaddrinfo/,
  )
})
