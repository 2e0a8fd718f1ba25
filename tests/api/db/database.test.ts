import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { getHealth } from '#contract/health.ts'
import { getCategories } from '#contract/catalogue.ts'
import { isBusy } from '#server/db/errors.ts'
import { openDatabase } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { printFigure, spreadOf } from '#tests/support/faults/figures.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { makeSnapshot } from '#tests/support/provider/snapshot.ts'

const POOL_SIZE = 10
const MAX_QUEUE_LENGTH = 1000

const { db, database, request, close } = await startProvider()
afterAll(close)

/** Takes all connections until the returned function is called. */
function takeAll(): () => Promise<void> {
  const end = new AbortController()
  const work = () =>
    transact(db, async tx => {
      while (!end.signal.aborted) await tx.execute(sql`select pg_sleep(0.05)`)
    })
  // The embedded database has only one connection; the other transactions time out waiting for it.
  const taking = Array.from({ length: POOL_SIZE }, () => work().catch(() => undefined))
  const free = async () => {
    end.abort()
    await Promise.all(taking)
  }
  onTestFinished(free)
  return free
}

describe('a failing statement', () => {
  test('keeps its connection and the session’s temporary tables', async () => {
    await db.execute(sql`create temporary table noted as select 1 as line`)

    await expect(db.execute(sql`select 1 / 0`)).rejects.toMatchObject({ cause: { code: '22012' } })

    expect((await db.execute(sql`select line from noted`)).rows).toEqual([{ line: 1 }])
  })

  test('in a script leaves no transaction open', async () => {
    await expect(db.execute(sql.raw('begin; select 1 / 0; commit'))).rejects.toMatchObject({ cause: { code: '22012' } })

    expect((await db.execute(sql`select 1 as line`)).rows).toEqual([{ line: 1 }])
  })
})

test('transactions that cannot begin release their connection', async () => {
  const nonsense = { isolationLevel: 'nonsense' as 'serializable' }
  // More often than the pool has connections.
  for (let at = 0; at < 12; at += 1)
    await expect(transact(db, () => Promise.resolve(), nonsense)).rejects.toMatchObject({ cause: { code: '42601' } })

  expect((await db.execute(sql`select 1 as line`)).rows).toEqual([{ line: 1 }])
})

describe('a database whose connections are all in use', () => {
  test('makes a request fail with 503 after five seconds, while health checks still respond', async () => {
    const free = takeAll()
    const end = new AbortController()
    const refusing = Promise.resolve(request(`/api${getCategories.path}`)).finally(() => end.abort())

    const times: number[] = []
    while (!end.signal.aborted) {
      const began = performance.now()
      expect((await request(`/api${getHealth.path}`)).status).toBe(200)
      times.push(performance.now() - began)
    }
    const refused = await refusing
    await free()

    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    printFigure('health beside a database that others use', spreadOf(times, 100), 'under 1 s')
    // The health check does not wait as the request does.
    expect(times.length).toBeGreaterThan(1)
    expect((await request(`/api${getCategories.path}`)).status).toBe(200)
  })

  test('lets what is committed succeed, although nobody can be asked whether pages show it', async () => {
    const free = takeAll()

    await expect(database.settled()).resolves.toBeUndefined()

    await free()
  })

  test('rejects further statements at once when a thousand are waiting', async () => {
    const free = takeAll()
    const results: ('done' | 'busy')[] = []
    const waiting = Array.from({ length: MAX_QUEUE_LENGTH + POOL_SIZE }, async () => {
      const result = await db.execute(sql`select 1`).then(
        () => 'done' as const,
        error => (isBusy(error) ? ('busy' as const) : Promise.reject(error as Error)),
      )
      results.push(result)
    })

    await vi.waitFor(() => expect(results.length).toBeGreaterThan(0), PATIENCE)
    const refused = results.length
    await free()
    await Promise.all(waiting)

    expect(refused).toBeLessThanOrEqual(2 * POOL_SIZE)
    expect(results.slice(0, refused)).toEqual(Array.from({ length: refused }, () => 'busy'))
    // A busy machine may not get through a thousand statements within the five seconds that each of them waits.
    expect(results.slice(refused)).toContain('done')
  })
})

test(
  'the embedded database’s watchdog stays off until the last of several long tasks ends',
  { timeout: 120_000 },
  async () => {
    // Creating a new database takes longer than this watchdog allows.
    const made = inject('snapshot') === null ? await makeSnapshot() : null
    onTestFinished(() => made?.remove())
    const embedded = await openDatabase({ snapshot: inject('snapshot') ?? made?.file, maxStatementMs: 500 })
    const sleep = (seconds: number) => embedded.db.execute(sql`select 1 as woken from pg_sleep(${seconds})`)
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const works = [first, second].map(({ promise }) => embedded.unhurried(() => promise))

    first.resolve()
    await works[0]
    expect((await sleep(1)).rows).toEqual([{ woken: 1 }])

    second.resolve()
    await works[1]
    // So long that the watchdog comes first even when this thread is held up for seconds.
    await expect(sleep(60)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('was restarted') as string },
    })
    await embedded.close()
  },
)
