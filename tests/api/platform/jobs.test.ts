import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { type JobOptions, openJobs } from '#server/platform/jobs.ts'
import { PATIENCE } from '#tests/support/patience.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, close } = await startProvider()
afterAll(close)
const log = pino({ level: 'silent' })
const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0).toReversed()) await close()
})

const POLL_SECONDS = 0.5
const pool = db.$client

/** A job queue, and the addresses of the mails that it has sent. */
function open(options: JobOptions) {
  const done: string[] = []
  const handlers = {
    passwordReset: async ({ email }: { email: string }) => void done.push(email),
    payRefunds: () => Promise.resolve(),
  }
  const jobs = openJobs({ database, handlers, log, pollSeconds: POLL_SECONDS, hasSchedules: true, ...options })
  return { done, jobs }
}

const LAST_STATEMENT = /insert into jobs\.schedule/i
const FIRST_STATEMENT = /jobs\.create_queue/i

/** The connection is lost the next `times` times that a job queue which starts reaches a statement. */
function loseConnection(statement: RegExp, times: number) {
  const query = pool.query.bind(pool) as (...all: unknown[]) => unknown
  return vi.spyOn(pool, 'query').mockImplementation((...all: unknown[]) => {
    if (times === 0 || !statement.test(String(all[0]))) return query(...all)
    times -= 1
    return Promise.reject(new Error('the connection was lost'))
  })
}

test('a job queue whose start failed half-way does nothing more, and can be started again', async () => {
  const { done, jobs } = open({ retrySeconds: 3600 })
  const spy = loseConnection(LAST_STATEMENT, 1)

  await expect(jobs.start()).rejects.toThrow('the connection was lost')
  const before = spy.mock.calls.length
  await sleep(3 * POLL_SECONDS * 1000)
  expect(spy.mock.calls.slice(before)).toEqual([])

  await jobs.send('passwordReset', { email: 'ada' })
  await vi.waitFor(() => expect(done).toEqual(['ada']), PATIENCE)
  await jobs.close()
})

test('the jobs of a shop whose database was away at its start run once it is back', async () => {
  // A command stores a mail that the shop is to send.
  const command = open({ kinds: [], hasSchedules: false }).jobs
  await command.send('passwordReset', { email: 'ada' })
  await command.close()
  const { done, jobs } = open({ retrySeconds: 1 })
  loseConnection(FIRST_STATEMENT, 2)

  await expect(jobs.start()).rejects.toThrow('the connection was lost')

  await vi.waitFor(() => expect(done).toEqual(['ada']), PATIENCE)
  await jobs.close()
})

test('a shop that closes while its job queue cannot start ends without another try', async () => {
  const { jobs } = open({ retrySeconds: 1 })
  const spy = loseConnection(FIRST_STATEMENT, Infinity)
  await expect(jobs.start()).rejects.toThrow('the connection was lost')

  await jobs.close()

  const before = spy.mock.calls.length
  await sleep(1500)
  expect(spy.mock.calls.slice(before)).toEqual([])
})

test('a long job ends by itself when its shop closes', async () => {
  const started = Promise.withResolvers<void>()
  const passwordReset = async (_: unknown, closing: AbortSignal) => {
    started.resolve()
    await once(closing, 'abort')
  }
  const jobs = openJobs({ database, handlers: { passwordReset }, log })
  await jobs.start()
  await jobs.send('passwordReset', { email: 'eve' })
  await started.promise

  await jobs.close()

  const { rows } = await database.db.execute(sql`select state from jobs.job where data->>'email' = 'eve'`)
  expect(rows).toEqual([{ state: 'completed' }])
})

describe('jobs', () => {
  test('start only if the transaction that sends them commits', async () => {
    const done: string[] = []
    const passwordReset = async ({ email }: { email: string }) => void done.push(email)
    const jobs = openJobs({ database, handlers: { passwordReset }, log, pollSeconds: 0.5 })
    closing.push(jobs.close)
    await jobs.start()

    await jobs.transact(db, (_, sendJob) => sendJob('passwordReset', { email: 'kept' }))
    const undone = jobs.transact(db, async (_, sendJob) => {
      await sendJob('passwordReset', { email: 'undone' })
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')

    await vi.waitFor(() => expect(done).toEqual(['kept']), PATIENCE)
    await jobs.send('passwordReset', { email: 'later' })
    await vi.waitFor(() => expect(done).toEqual(['kept', 'later']), PATIENCE)
  })

  test('start at once when the transaction that sends them commits', async () => {
    const done: string[] = []
    const passwordReset = async ({ email }: { email: string }) => void done.push(email)
    const jobs = openJobs({ database, handlers: { passwordReset }, log, pollSeconds: 3600 })
    closing.push(jobs.close)
    await jobs.send('passwordReset', { email: 'before' })
    await vi.waitFor(() => expect(done).toEqual(['before']), PATIENCE)

    for (const email of ['Ada', 'Eve']) await jobs.transact(db, (_, sendJob) => sendJob('passwordReset', { email }))

    await vi.waitFor(() => expect(done).toEqual(['before', 'Ada', 'Eve']), PATIENCE)
  })

  test('go on when the clock is set back by an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    closing.push(() => vi.useRealTimers())
    const done: string[] = []
    const passwordReset = async ({ email }: { email: string }) => void done.push(email)
    const jobs = openJobs({ database, handlers: { passwordReset }, log, pollSeconds: 0.5 })
    closing.push(jobs.close)
    await jobs.start()
    const otherProcess = openJobs({ database, handlers: {}, log })
    closing.push(otherProcess.close)
    vi.setSystemTime(Date.now() - 3600_000)

    await otherProcess.send('passwordReset', { email: 'ada' })

    await vi.waitFor(() => expect(done).toEqual(['ada']), PATIENCE)
  })

  test('run without a pause in between, even after another process stopped', async () => {
    const done: string[] = []
    const away = openJobs({ database, handlers: { passwordReset: () => Promise.reject(new Error('away')) }, log })
    await away.start()
    await away.close()
    const jobs = openJobs({ database, handlers: { passwordReset: async ({ email }) => void done.push(email) }, log })
    closing.push(jobs.close)

    // With a pause after each, as long as the queue rests when it is empty, they would take longer than this waits.
    for (let at = 0; at < 40; at += 1) await jobs.send('passwordReset', { email: String(at) })

    await vi.waitFor(() => expect(done).toHaveLength(40), PATIENCE)
  })

  test('do the daily upkeep once for all processes, when it is due or was missed', async () => {
    const dailyUpkeep = vi.fn<() => Promise<void>>(async () => undefined)
    const open = () => openJobs({ database, handlers: { dailyUpkeep }, log, pollSeconds: 0.5 })
    const before = open()
    await before.start()
    await before.close()
    await db.execute(sql`update jobs.schedule set created_on = now() - interval '3 days'`)
    await db.execute(sql`update jobs.version set cron_on = now() - interval '2 days'`)

    const processes = [open(), open()]
    closing.push(...processes.map(each => each.close))
    await Promise.all(processes.map(each => each.start()))

    await vi.waitFor(() => expect(dailyUpkeep).toHaveBeenCalled(), PATIENCE)
    const { rows } = await db.execute(sql`select 1 from jobs.job where name = 'dailyUpkeep'`)
    expect(rows).toHaveLength(1)
  })

  test('cannot be sent once they are closed', async () => {
    const jobs = openJobs({ database, handlers: {}, log })
    await jobs.close()

    await expect(jobs.send('passwordReset', { email: 'ada' })).rejects.toThrow('the job queue is closed')
    await expect(jobs.transact(db, () => Promise.resolve())).rejects.toThrow('the job queue is closed')
  })

  test('do not start in a shop that is closed while starting', async () => {
    const closed = await openDatabase({})
    await closed.close()
    const jobs = openJobs({ database: closed, handlers: {}, log })
    await jobs.close()

    await expect(jobs.start()).resolves.toBeUndefined()
  })
})
