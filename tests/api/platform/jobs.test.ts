import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { openJobs } from '#server/platform/jobs.ts'
import { PATIENCE } from '#tests/support/faults/patience.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { database, close } = await startProvider()
afterAll(close)

const POLL_SECONDS = 0.5

test('a job queue whose start failed half-way does nothing more, and can be started again', async () => {
  const done: string[] = []
  const handlers = {
    passwordReset: async ({ email }: { email: string }) => void done.push(email),
    payRefunds: () => Promise.resolve(),
  }
  const log = pino({ level: 'silent' })
  const jobs = openJobs({ database, handlers, log, pollSeconds: POLL_SECONDS, hasSchedules: true })
  const pool = database.db.$client
  const query = pool.query.bind(pool) as (...all: unknown[]) => unknown
  let hasFailed = false
  const spy = vi.spyOn(pool, 'query').mockImplementation((...all: unknown[]) => {
    if (hasFailed || !/insert into jobs\.schedule/i.test(String(all[0]))) return query(...all)
    hasFailed = true
    return Promise.reject(new Error('the connection was lost'))
  })

  await expect(jobs.start()).rejects.toThrow('the connection was lost')
  const before = spy.mock.calls.length
  await sleep(3 * POLL_SECONDS * 1000)
  expect(spy.mock.calls.slice(before)).toEqual([])

  await jobs.send('passwordReset', { email: 'ada' })
  await vi.waitFor(() => expect(done).toEqual(['ada']), PATIENCE)
  spy.mockRestore()
  await jobs.close()
})
