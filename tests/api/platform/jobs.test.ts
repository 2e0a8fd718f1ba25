import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { type JobOptions, openJobs } from '#server/platform/jobs.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { database, close } = await startProvider()
afterAll(close)
afterEach(() => vi.restoreAllMocks())

const POLL_SECONDS = 0.5
const pool = database.db.$client

/** A job queue, and the addresses of the mails that it has sent. */
function open(options: JobOptions) {
  const done: string[] = []
  const handlers = {
    passwordReset: async ({ email }: { email: string }) => void done.push(email),
    payRefunds: () => Promise.resolve(),
  }
  const log = pino({ level: 'silent' })
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
