import { setTimeout as pause } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { orders } from '#server/db/schema.ts'
import { ApiError } from '#lib/api.ts'
import { crowd } from '#tests/support/crowd.ts'
import { addShippable, assertInvariants, orderOf } from '#tests/support/ordering.ts'
import { type Postgres, startPostgres } from '#tests/support/postgres.ts'
import { startProvider } from '#tests/support/provider.ts'
import { rounds } from '#tests/support/rounds.ts'

const WRITERS = 16
/** At most ten unpaid orders are one customer's. */
const UNPAID = 10
const CUSTOMERS = 10
const RECOVERY_MS = 5000
const PATIENCE = { timeout: 20_000 }
const STOCK = 1_000_000

let cluster: Postgres
let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  // What a server loses with its power is what this is about, and nobody else's tests may run on it.
  cluster = await startPostgres({ fsync: true })
  provider = await startProvider({ cluster: cluster.url, limits: 'placeOrder=100000/1m,api=100000/1m' })
  // Audit events that cannot be stored are written there.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => cluster.stop())

test('a database that crashes under load costs 503s for some seconds, and no order', { timeout: 120_000 }, async () => {
  const { db, database } = provider
  const products = await Promise.all(Array.from({ length: WRITERS }, () => addShippable(db, { stock: STOCK })))
  const heard: (string | null)[] = []
  await database.onChange(tag => void heard.push(tag))
  const acknowledged: string[] = []
  const refusals: unknown[] = []
  let isOver = false

  async function write(product: (typeof products)[number]): Promise<void> {
    while (!isOver)
      for (const { id, api } of await crowd(provider, CUSTOMERS).catch(() => []))
        for (let count = 0; count < UNPAID && !isOver; count += 1)
          try {
            acknowledged.push((await api.placeOrder(orderOf(id, [product]))).orderId)
          } catch (error) {
            refusals.push(error)
            await pause(50)
          }
  }

  /** How long the shop takes no order after the database is back. */
  async function crash(): Promise<number> {
    const placed = acknowledged.length
    await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(placed + WRITERS)
    const refused = refusals.length
    await cluster.crash()
    const began = performance.now()
    const known = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: RECOVERY_MS }).toBeGreaterThan(known)
    expect(refusals.length).toBeGreaterThan(refused)
    return performance.now() - began
  }

  const writers = products.map(write)
  const recoveries: number[] = []
  try {
    for (let round = 0; round < rounds(1, 5); round += 1) recoveries.push(await crash())
  } finally {
    isOver = true
    await Promise.all(writers)
  }
  console.log(
    `${acknowledged.length} orders, ${refusals.length} refusals, back after ${recoveries.map(Math.round).join(', ')} ms`,
  )

  for (const refusal of refusals) expect(refusal).toSatisfy(error => error instanceof ApiError && error.status === 503)
  const stored = await db.select({ id: orders.id }).from(orders).where(inArray(orders.id, acknowledged))
  expect(stored).toHaveLength(acknowledged.length)
  await assertInvariants(db, { initialStock: new Map(products.map(({ id }) => [id, STOCK])) })
  // Something may have been missed while nobody listened; and the jobs go on.
  await vi.waitFor(() => expect(heard).toContain(null), PATIENCE)
  const letterCount = provider.letters.length
  await vi.waitFor(() => expect(provider.letters.length).toBeGreaterThan(letterCount), PATIENCE)
})

test('a shop whose database is gone closes all the same', async () => {
  await cluster.stop()
  await provider.close()
})
