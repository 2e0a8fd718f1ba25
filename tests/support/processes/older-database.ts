import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MIGRATIONS, openDatabase } from '#server/db/database.ts'
import type { Database } from '#server/db/types.ts'

/** Opens the database in `folder`/db with the tables as they were before a migration, given by its number. */
export async function openOlderDatabase(folder: string, migration: string): Promise<Database> {
  const migrationsFolder = await migrationsBefore(migration, join(folder, 'migrations'))
  return openDatabase({ folder: join(folder, 'db'), migrationsFolder })
}

async function migrationsBefore(number: string, into: string): Promise<string> {
  const { migrationsFolder } = MIGRATIONS
  await mkdir(join(into, 'meta'), { recursive: true })
  const journal = JSON.parse(await readFile(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  const entries = journal.entries.filter(({ tag }) => tag < number)
  for (const { tag } of entries) await copyFile(join(migrationsFolder, `${tag}.sql`), join(into, `${tag}.sql`))
  await writeFile(join(into, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  return into
}
