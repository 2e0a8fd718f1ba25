import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orders } from '#server/db/schema.ts'
import { ApiError } from '#lib/api.ts'
import { crowd } from '#tests/support/crowd.ts'
import { addShippable, assertInvariants, orderOf } from '#tests/support/ordering.ts'
import { type Postgres, startPostgres } from '#tests/support/postgres.ts'
import { startProvider } from '#tests/support/provider.ts'
import { rounds } from '#tests/support/rounds.ts'

const WRITERS = 16
/** At most ten unpaid orders are one customer's. */
const CUSTOMERS = 160
const BETWEEN_CRASHES_MS = 800
const RECOVERY_MS = 5000
const STOCK = 1_000_000

let cluster: Postgres
let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  // What this server loses with its power is what the test is about, and nobody else's tests may run on it.
  cluster = await startPostgres({ fsync: true })
  provider = await startProvider({ cluster: cluster.url, limits: 'placeOrder=100000/1m,api=100000/1m' })
})
afterAll(async () => {
  await provider?.close()
  await cluster?.stop()
})

/** As `pg_ctl -m immediate`: one killed backend, and the server drops all others and recovers from its log. */
async function crash(): Promise<void> {
  const victim = new Client(cluster.url)
  victim.on('error', () => undefined)
  await victim.connect()
  const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise(resolve => victim.once('end', resolve))
  process.kill(rows[0]!.pid, 'SIGKILL')
  await ended
}

test('a database that crashes under load costs 503s for some seconds, and no order', { timeout: 120_000 }, async () => {
  const { db } = provider
  const product = await addShippable(db, { stock: STOCK })
  const buyers = await crowd(provider, CUSTOMERS)
  const acknowledged: string[] = []
  const refusals: unknown[] = []
  let isOver = false

  async function write(own: typeof buyers): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const { id, api } = own[turn % own.length]!
      if (turn >= own.length * 10) return
      try {
        acknowledged.push((await api.placeOrder(orderOf(id, [product]))).orderId)
      } catch (error) {
        refusals.push(error)
        await pause(50)
      }
    }
  }

  const each = CUSTOMERS / WRITERS
  const writers = Array.from({ length: WRITERS }, (_, at) => write(buyers.slice(at * each, (at + 1) * each)))
  const recoveries: number[] = []
  for (let round = 0; round < rounds(2, 5); round += 1) {
    await pause(BETWEEN_CRASHES_MS)
    await crash()
    const before = acknowledged.length
    const began = performance.now()
    await expect.poll(() => acknowledged.length, { timeout: RECOVERY_MS }).toBeGreaterThan(before + WRITERS)
    recoveries.push(performance.now() - began)
  }
  isOver = true
  await Promise.all(writers)

  expect(refusals.map(refusal => (refusal instanceof ApiError ? refusal.status : refusal))).toEqual(
    refusals.map(() => 503),
  )
  expect(refusals.length).toBeGreaterThan(0)
  const stored = await db.select({ id: orders.id }).from(orders).where(inArray(orders.id, acknowledged))
  expect(stored).toHaveLength(acknowledged.length)
  await assertInvariants(db, { initialStock: new Map([[product.id, STOCK]]) })
})
