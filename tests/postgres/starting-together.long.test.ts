import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createApi } from '#lib/create-api.ts'
import { createDatabase } from '#tests/support/processes/postgres.ts'
import { startProviderProcess } from '#tests/support/processes/provider-process.ts'
import { rounds } from '#tests/support/rounds.ts'

const ROUNDS = rounds(1, 10)

test(
  'two processes that start at once on an empty PostgreSQL database both open, and add the demo only once',
  { timeout: ROUNDS * 180_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const url = await createDatabase(inject('postgresUrl')!, { isEmpty: true })
      const folder = await mkdtemp(join(tmpdir(), 'piazza-together-'))
      const environment = { DATABASE_URL: url, DEMO: 'on', PROVIDER_URL: '', PUBLIC_URL: '', LOG_LEVEL: 'silent' }

      const starting = ['one', 'other'].map(name =>
        startProviderProcess({ ...environment, DATA_DIR: join(folder, name) }),
      )
      const started = await Promise.allSettled(starting)
      const processes = started.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
      try {
        expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
        const [one, other] = await Promise.all(processes.map(each => shopsOf(each.url)))
        expect(one!.length).toBeGreaterThan(0)
        expect(other).toEqual(one)
        expect(new Set(one).size).toBe(one!.length)
      } finally {
        await Promise.all(processes.map(each => each.kill()))
        await rm(folder, { recursive: true })
      }
    }
  },
)

async function shopsOf(origin: string): Promise<string[]> {
  const { sellers } = await createApi({ origin, fetch }).getSellers({ pageSize: 50 })
  return sellers.map(({ shopName }) => shopName)
}
