import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { inject } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { openSigningKeys } from '#server/platform/signing-keys.ts'
import { createDatabase } from './postgres.ts'
import { startProviderProcess } from './provider-process.ts'

/**
 * Providers of one shop, each with its own data folder, on one PostgreSQL; `more` returns additional configuration for
 * its URL.
 */
export async function startEqualProcesses(count = 2, more: (url: string) => Record<string, string> = () => ({})) {
  const url = await createDatabase(inject('postgresUrl')!)
  const database = await openDatabase({ url })
  const folder = await mkdtemp(join(tmpdir(), 'piazza-processes-'))
  let startedCount = 0
  const start = () =>
    startProviderProcess({
      DATABASE_URL: url,
      DATA_DIR: join(folder, String((startedCount += 1))),
      PROVIDER_URL: '',
      PUBLIC_URL: '',
      DEMO: 'off',
      ...more(url),
    })
  const processes = await Promise.all(Array.from({ length: count }, start))
  return {
    url,
    database,
    processes,
    /** Starts one more process. */
    async add() {
      processes.push(await start())
    },
    /** The keys that all processes sign with. */
    secrets: await openSigningKeys({ database, folder, log: pino({ level: 'silent' }) }),
    async close() {
      await Promise.all(processes.map(each => each.kill()))
      await database.close()
      await rm(folder, { recursive: true })
    },
  }
}
