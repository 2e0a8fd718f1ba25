import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { printFigure } from '#tests/support/faults/figures.ts'
import { watchPageAges } from '#tests/support/faults/page-ages.ts'
import { startRollingShop } from '#tests/support/faults/rolling-shop.ts'
import { startPostgres } from '#tests/support/processes/postgres.ts'

const PROCESSES = 3
const CUSTOMERS = 200
/** With four waits of half a minute at most, each of the 200 orders once a minute: three orders a second. */
const THINK_MS = 30_000
/** Five minutes; a quick look takes less. */
const LASTING_MS = Number(process.env.FAULTS_SECONDS ?? 300) * 1000
const BETWEEN_MS = 5000
/** The age that a stored page may have after its product has changed. */
const OLDEST_MS = 1000

const cluster = await startPostgres({ fsync: true })
const shop = await startRollingShop(cluster.url, { count: PROCESSES, thinkMs: THINK_MS, hasChat: true })
const { processes, failures, orderIds, paidIds, texts, database } = shop
afterAll(async () => {
  await shop.close()
  await cluster.stop()
})

/** Restarts one process as an operator does. No request may fail. */
async function restart(at: number): Promise<void> {
  const before = failures.length
  const ending = processes[at]!
  const code = await ending.terminate()
  if (code !== 0) throw new Error(`The process ended with ${code}:\n${ending.log()}`)
  processes[at] = await shop.start(at)
  await sleep(BETWEEN_MS)
  expect(failures.slice(before)).toEqual([])
}

/** Kills some process at some moment. nginx repeats requests that are safe at another process. */
async function kill(): Promise<void> {
  const at = Math.floor(Math.random() * PROCESSES)
  await sleep(Math.random() * BETWEEN_MS)
  const before = failures.length
  await processes[at]!.kill()
  await sleep(BETWEEN_MS)
  expect(failures.slice(before).filter(({ method }) => method === 'GET')).toEqual([])
  processes[at] = await shop.start(at)
}

async function cutListening(): Promise<void> {
  await database.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and starts_with(query, 'LISTEN')`)
}

test(
  'three processes behind nginx lose nothing while they are restarted, killed and cut off, and PostgreSQL crashes',
  { timeout: 300_000 + 2 * LASTING_MS },
  async () => {
    const pages = await watchPageAges(database.db, () => processes.map(({ url }) => url))
    await shop.whileShopping(CUSTOMERS, async () => {
      const startedAt = performance.now()
      while (performance.now() - startedAt < LASTING_MS) {
        for (let at = 0; at < PROCESSES; at += 1) await restart(at)
        await pages.whileDeaf(cutListening)
        await kill()
        await pages.whileDeaf(cluster.crash)
        await sleep(BETWEEN_MS)
      }
    })
    const { oldestMs, readCount } = await pages.end()
    const count = `${orderIds.size} orders, ${paidIds.size} paid, ${texts.length} messages`
    printFigure('during restarts, kills and crashes', count, 'each there once')
    printFigure('oldest stored page', `${oldestMs.toFixed(0)} ms, of ${readCount}`, '1 s')

    expect(paidIds.size).toBeGreaterThan(0)
    expect(readCount).toBeGreaterThan(0)
    expect(oldestMs).toBeLessThanOrEqual(OLDEST_MS)
    await shop.examine()
  },
)
