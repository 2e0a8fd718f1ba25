import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { inject } from 'vitest'
import { readConfig } from '#server/config.ts'
import { openProvider, type Provider } from '#server/provider.ts'
import { createDatabase } from '../processes/postgres.ts'
import { layInto } from './snapshot.ts'

/**
 * The data of a shop, for processes that open it one after the other. It is in the PostgreSQL of `cluster` or in an
 * embedded database. `more` is additional configuration.
 */
export async function makeShopData(cluster: string | undefined, more: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'piazza-data-'))
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: cluster ? await createDatabase(cluster) : '',
    DEMO: 'off',
    NODE_ENV: 'test',
    // Nothing listens there, so emails stay queued.
    SMTP_URL: 'smtp://127.0.0.1:1',
    PROVIDER_URL: '',
    PUBLIC_URL: '',
    ...more,
  }
  const snapshot = inject('snapshot')
  if (snapshot && !cluster) await layInto(join(dataDir, 'db'), snapshot)
  return {
    dataDir,
    environment,
    /** Runs `work` with the shop opened in this process. */
    async within<Result>(work: (provider: Provider) => Promise<Result>): Promise<Result> {
      const provider = await openProvider(readConfig(environment), pino({ level: 'silent' }))
      try {
        return await work(provider)
      } finally {
        await provider.close()
      }
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}
