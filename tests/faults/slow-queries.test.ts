import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { addTime, printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { startPostgres } from '#tests/support/processes/postgres.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const ROUND_MS = 40_000
const POLL_MS = 50
/** More than PostgreSQL’s pool holds. */
const AT_ONCE = 12

async function onPostgres() {
  const cluster = await startPostgres()
  onTestFinished(cluster.stop)
  return startProvider({ cluster: cluster.url, limits: 'api=100000/1m' })
}

describe.each([
  ['the embedded database', () => startProvider({ cluster: null, limits: 'api=100000/1m', maxStatementMs: 5000 })],
  ['PostgreSQL', onPostgres],
])('with %s', (database, open) => {
  test.each([1, AT_ONCE])('the health check keeps responding during %i slow queries at a time', async atOnce => {
    const { db, request, close } = await open()
    const end = performance.now() + ROUND_MS
    const outcomes: string[] = []
    async function query() {
      while (performance.now() < end) {
        const counting = db.execute(sql`select count(*) from generate_series(1, 8000000)`)
        outcomes.push(
          await counting.then(
            () => 'done',
            () => 'refused',
          ),
        )
      }
    }

    const querying = Promise.all(Array.from({ length: atOnce }, query))
    const times: number[] = []
    const statuses: Record<number, number> = {}
    let besideQueries = 0
    while (performance.now() < end) {
      const endedBefore = outcomes.length
      const { status } = await addTime(times, () => request(`/api${getHealth.path}`))
      statuses[status] = (statuses[status] ?? 0) + 1
      if (outcomes.length === endedBefore) besideQueries += 1
      await sleep(POLL_MS)
    }
    await querying
    await close()

    const done = outcomes.filter(outcome => outcome === 'done').length
    const figure = `health beside ${atOnce} slow queries at a time on ${database}`
    printFigure(figure, `${spreadOf(times, 50)}, ${spreadOf(times, 99)}`, '99 % within 200 ms')
    console.log(`${done} of ${outcomes.length} queries done; health by status: ${JSON.stringify(statuses)}`)
    expect(besideQueries).toBeGreaterThan(0)
  })
})
