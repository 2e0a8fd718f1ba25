import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'

const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL('../../server/db/migrations', import.meta.url)) }
const extensions = { pg_trgm }

export interface Snapshot {
  /** What PGlite's `dumpDataDir` answered. */
  file: string
  remove(): void
}

/** An empty shop's embedded database, made once: making a new one takes seconds, beginning with this a fraction of one. */
export async function makeSnapshot(): Promise<Snapshot> {
  const folder = mkdtempSync(join(tmpdir(), 'piazza-snapshot-'))
  const file = join(folder, 'empty.tar')
  const database = await PGlite.create({ extensions })
  await migrate(drizzle(database), MIGRATIONS)
  const dump = await database.dumpDataDir('none')
  await database.close()
  writeFileSync(file, new Uint8Array(await dump.arrayBuffer()))
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Lays an embedded database into a new folder. */
export async function layInto(folder: string, snapshot: string): Promise<void> {
  const database = await PGlite.create({ dataDir: folder, loadDataDir: await openAsBlob(snapshot), extensions })
  await database.close()
}
