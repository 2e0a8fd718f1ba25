import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { refunds } from '#server/db/schema.ts'
import type { Db } from '#server/db/types.ts'
import { openMetrics } from '#server/operators/metrics/metrics.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { freePort } from '#tests/support/ports.ts'
import { addShippable, orderOf, payOrder, withoutJobs } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const provider = await startProvider()
const { db, jobs, customer, close } = provider
afterAll(close)

/** Opens the metrics of a process with this shop; `database` replaces parts of its database. */
async function openFigures(database: Partial<typeof provider.database> = {}) {
  const at = { host: '127.0.0.1', port: await freePort() }
  await openMetrics(pino({ level: 'silent' })).listen(at, {
    ...provider,
    database: { ...provider.database, ...database },
  })
  return async () => (await fetch(`http://${at.host}:${at.port}/metrics`)).text()
}

/** A database that never responds: its queries, however they continue, never settle. */
function silentDb(): unknown {
  return new Proxy(() => undefined, {
    get: (_, name) => (name === 'then' ? () => undefined : silentDb()),
    apply: () => silentDb(),
  })
}

test('the figures of the shop are its orders by status, the units that they hold, and its jobs by state', async () => {
  const jar = await addShippable(db, { stock: 10 })
  const { api, id } = await customer()
  await api.placeOrder(orderOf(id, [{ product: jar, quantity: 3 }]))
  await jobs.transact(db, (_, sendJob) => sendJob('refund', { attemptId: 'no such attempt' }, 3600))

  const scrape = await openFigures()

  await expect.poll(scrape).toContain('piazza_orders{status="pending"} 1\n')
  await expect.poll(scrape).toContain('piazza_held_units 3\n')
  await expect.poll(scrape).toContain('piazza_jobs{job="refund",state="waiting"} 1\n')
})

test('a refund counts as late once it waits for more than a day, also one of a part of a payment', async () => {
  const ada = await customer()
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [await addShippable(db)]))
  const attempt = await payOrder(db, jobs, (await ada.api.getOrder({ orderId })).order)
  await refundPart(db, withoutJobs(jobs), orderId, 500)
  await expect.poll(await openFigures()).toContain('piazza_late_refunds 0\n')

  await db
    .update(refunds)
    .set({ createdAt: new Date(Date.now() - 25 * 3600_000) })
    .where(eq(refunds.attemptId, attempt.id))

  await expect.poll(await openFigures()).toContain('piazza_late_refunds 1\n')
})

test('figures that cannot be counted do not hide the others', async () => {
  const scrape = await openFigures({ unhurried: () => Promise.reject(new Error('the statement took too long')) })

  await expect.poll(scrape).toContain('piazza_jobs{job="refund",state="waiting"} 1\n')
  expect(await scrape()).not.toContain('piazza_orders{')
})

test('while the database is silent, the metrics say that it does not respond', async () => {
  const never = silentDb() as Db
  const scrape = await openFigures({ db: never, unhurried: work => work(never), isAlive: () => false })

  expect(await scrape()).toContain('piazza_database_up 0\n')
})
