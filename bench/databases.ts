import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, startPostgres } from '#tests/support/processes/postgres.ts'
import { NO_LIMITS } from './load.ts'

interface Options {
  only: string | undefined
  /** Limits that are lifted besides those of `NO_LIMITS`. */
  unlimited: string[]
}

/** Calls `measure` for PostgreSQL (fsync on) and PGlite, or `only` one, with the configuration of an empty provider. */
export async function onEachDatabase(
  { only, unlimited }: Options,
  measure: (kind: string, environment: Record<string, string>) => Promise<void>,
): Promise<void> {
  for (const kind of ['postgresql', 'embedded'].filter(each => !only || each === only)) {
    const cluster = kind === 'postgresql' ? await startPostgres({ fsync: true }) : null
    const dataDir = await mkdtemp(join(tmpdir(), 'piazza-bench-'))
    try {
      await measure(kind, {
        DATA_DIR: dataDir,
        DATABASE_URL: cluster ? await createDatabase(cluster.url) : '',
        DEMO: 'off',
        LIMITS: [NO_LIMITS, ...unlimited.map(name => `${name}=100000000/1m`)].join(','),
        PROVIDER_URL: '',
        PUBLIC_URL: '',
        SMTP_URL: '',
      })
    } finally {
      await rm(dataDir, { recursive: true, force: true })
      await cluster?.stop()
    }
  }
}
