import { eq, sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { orders } from '#server/db/schema.ts'
import { decodeCustomer } from '#lib/accounts/storage.ts'
import { newcomer } from '#tests/support/accounts/customer.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { apiAt } from '#tests/support/processes/api-at.ts'
import { startEqualProcesses } from '#tests/support/processes/equal-processes.ts'
import { addShippable, orderOf } from '#tests/support/provider/ordering.ts'

const JOBS = ['deliverAlerts', 'moveDueReturns', 'payRefunds', 'reconcile', 'releaseUnpaid']

/** It takes half a minute, and more on a busy machine. */
const TAKEOVER = { ...PATIENCE, timeout: 2 * PATIENCE.timeout }

let shop: Awaited<ReturnType<typeof startEqualProcesses>>
afterEach(() => shop.close())

/** Makes the schedules due, as they are after a minute: pg-boss remembers by these rows what it has sent. */
async function passMinute(): Promise<void> {
  await shop.database.db.execute(sql`delete from jobs.job where name = '__pgboss__send-it'`)
}

/** As if no process had run for two days. */
async function missTwoDays(): Promise<void> {
  const { db } = shop.database
  const isLastStored = sql`select 1 from jobs.schedule where name = 'dailyUpkeep'`
  await vi.waitFor(async () => expect((await db.execute(isLastStored)).rows).toHaveLength(1), PATIENCE)
  await db.execute(sql`update jobs.schedule set created_on = now() - interval '3 days'`)
  await db.execute(sql`update jobs.version set cron_on = now() - interval '2 days'`)
}

async function countOf(name: string, state: string): Promise<number> {
  const { rows } = await shop.database.db.execute(
    sql`select 1 from jobs.job where name = ${name} and state::text = ${state}`,
  )
  return rows.length
}

async function placeOverdueOrder(): Promise<string> {
  const { db } = shop.database
  const product = await addShippable(db)
  const origin = shop.processes[0]!.url
  const { token } = await apiAt(origin).register(newcomer())
  const { id } = decodeCustomer(token)!
  const { orderId } = await apiAt(origin, token).placeOrder(orderOf(id, [product]))
  await db
    .update(orders)
    .set({ heldUntil: sql`now() - interval '1 minute'` })
    .where(eq(orders.id, orderId))
  return orderId
}

async function waitUntilCancelled(orderId: string): Promise<void> {
  await vi.waitFor(async () => {
    const [order] = await shop.database.db.select().from(orders).where(eq(orders.id, orderId))
    expect(order).toMatchObject({ status: 'cancelled' })
  }, PATIENCE)
}

test(
  'scheduled jobs run once for all processes, also those missed while none was running',
  { timeout: 300_000 },
  async () => {
    shop = await startEqualProcesses(1)
    await vi.waitFor(async () => expect(await countOf('releaseUnpaid', 'completed')).toBeGreaterThan(0), PATIENCE)
    await shop.processes[0]!.kill()
    const { db } = shop.database
    await db.execute(sql`delete from jobs.job`)
    await missTwoDays()

    await Promise.all([shop.add(), shop.add()])

    for (const name of JOBS)
      await vi.waitFor(async () => expect(await countOf(name, 'completed')).toBeGreaterThan(0), PATIENCE)
    const { rows } = await db.execute<{ name: string; runs: number; due: number }>(sql`
    select job.name, count(*)::int as runs,
      (select count(distinct (data ->> 'slot', data ->> 'key'))::int from jobs.job sent
        where sent.name = '__pgboss__send-it' and sent.data ->> 'name' = job.name) as due
    from jobs.job where name = any(${sql.param(JOBS)}::text[]) group by job.name order by job.name`)
    expect(rows.map(({ name }) => name)).toEqual(JOBS)
    // An occurrence is dropped while the job of the one before waits.
    expect(rows.filter(({ runs, due }) => runs > due)).toEqual([])
    // Units of unpaid orders are to be back within a minute.
    const looks = await db.execute(sql`select cron from jobs.schedule where name = 'releaseUnpaid' order by cron`)
    expect(looks.rows).toEqual([{ cron: '* * * * *' }, { cron: '30 * * * * *' }])
  },
)

test('another process soon does the work of one that has died', { timeout: 300_000 }, async () => {
  shop = await startEqualProcesses(1)
  await apiAt(shop.processes[0]!.url).register(newcomer())
  await missTwoDays()
  for (const name of ['emailConfirmation', 'reconcile'])
    await vi.waitFor(async () => expect(await countOf(name, 'completed')).toBeGreaterThan(0), PATIENCE)

  // As after a kill -9 a minute ago, in work that may take an hour. Later occurrences of schedules are other jobs.
  const { rows } = await shop.database.db.execute<{ id: string }>(sql`
    update jobs.job set state = 'active', completed_on = null, heartbeat_on = now() - interval '1 minute',
      expire_seconds = 3600
    where name in ('emailConfirmation', 'reconcile') returning id`)

  await vi.waitFor(async () => {
    const done = sql`select id from jobs.job where state = 'completed'`
    expect((await shop.database.db.execute<{ id: string }>(done)).rows).toEqual(expect.arrayContaining(rows))
  }, TAKEOVER)
})

test('another process releases what a killed one was about to release', { timeout: 300_000 }, async () => {
  shop = await startEqualProcesses(1)
  await vi.waitFor(async () => expect(await countOf('releaseUnpaid', 'completed')).toBeGreaterThan(0), PATIENCE)
  const orderId = await placeOverdueOrder()

  const client = new Client(shop.url)
  await client.connect()
  await client.query('begin; lock table orders in access exclusive mode')
  await passMinute()
  await vi.waitFor(async () => expect(await countOf('releaseUnpaid', 'active')).toBe(1), PATIENCE)
  await shop.processes[0]!.kill()
  await client.end()
  await shop.add()
  await passMinute()

  await waitUntilCancelled(orderId)
})
