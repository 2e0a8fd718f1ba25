import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { MIGRATIONS, openDatabase } from '#server/db/database.ts'
import { readRows, writeRows } from './rows.ts'

interface Options {
  /** Folder of the archive's rows. */
  rows: string
  /** Folder for a temporary database. */
  draft: string
  /** Hash of the latest migration that was applied to the rows. */
  version: string
  signal: AbortSignal
}

const OLDER = 'older'

/** Whether this version of Piazza has the migration; it has all migrations of earlier versions. */
export function knowsMigration(version: string): boolean {
  return indexOf(version) !== -1
}

/**
 * Migrates rows of an older version: reads them into an embedded database with the tables of that version, migrates it,
 * and writes its rows. Returns the folder of the new rows.
 */
export async function migrateRows({ rows, draft, version, signal }: Options): Promise<string> {
  const folder = join(draft, OLDER, 'db')
  const migrationsFolder = await migrationsUpTo(version, join(draft, OLDER))
  const older = await openDatabase({ folder, migrationsFolder })
  try {
    await older.unhurried(db => readRows(db, rows))
  } finally {
    await older.close()
  }
  const migrated = join(draft, OLDER, 'rows')
  await mkdir(migrated)
  const database = await openDatabase({ folder })
  try {
    await database.unhurried(db => writeRows(db, migrated, signal))
  } finally {
    await database.close()
  }
  return migrated
}

/** Creates a folder with the migrations of the older version. */
async function migrationsUpTo(version: string, into: string): Promise<string> {
  const { migrationsFolder } = MIGRATIONS
  const folder = join(into, 'migrations')
  await mkdir(join(folder, 'meta'), { recursive: true })
  const listed = await readFile(join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  const journal = JSON.parse(listed) as { entries: { tag: string }[] }
  const entries = journal.entries.slice(0, indexOf(version) + 1)
  for (const { tag } of entries) await copyFile(join(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`))
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  return folder
}

function indexOf(version: string): number {
  return readMigrationFiles(MIGRATIONS).findIndex(({ hash }) => hash === version)
}
