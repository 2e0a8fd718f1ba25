import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { getConstructionPlans } from 'pg-boss'
import { openDatabase } from '#server/db/database.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs.ts'
import { createDatabase, TEMPLATE } from '../processes/postgres.ts'

const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL('../../../server/db/migrations', import.meta.url)) }
const FOLDER = 'db'

export interface Snapshot {
  /** Output of PGlite's `dumpDataDir`. */
  file: string
  remove(): void
}

/** Creates the embedded database of a fresh shop. That takes seconds; copying it, a fraction of one. */
export async function makeSnapshot(): Promise<Snapshot> {
  const folder = mkdtempSync(join(tmpdir(), 'piazza-snapshot-'))
  const file = join(folder, 'empty.tar')
  const database = await PGlite.create({ dataDir: join(folder, FOLDER), extensions: { pg_trgm } })
  await migrate(drizzle(database), MIGRATIONS)
  await database.exec(getConstructionPlans(JOBS_SCHEMA))
  const dump = await database.dumpDataDir('none')
  await database.close()
  writeFileSync(file, new Uint8Array(await dump.arrayBuffer()))
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Copies the database of a snapshot into a new folder. */
export function layInto(folder: string, snapshot: string): Promise<void> {
  return cp(join(dirname(snapshot), FOLDER), folder, { recursive: true })
}

/** Creates the cluster's `TEMPLATE` with the schema of a fresh shop. New databases are copies of it. */
export async function makeTemplate(cluster: string): Promise<void> {
  const url = await createDatabase(cluster, { name: TEMPLATE })
  const database = await openDatabase({ url })
  await database.db.execute(getConstructionPlans(JOBS_SCHEMA))
  await database.close()
}
