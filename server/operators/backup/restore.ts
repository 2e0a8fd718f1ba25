import { lstat, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { isBadRow, reasonOf } from '#server/db/errors.ts'
import { openDatabase } from '#server/db/database.ts'
import { UnreadableFileError } from '#server/catalogue/files/import/lines.ts'
import { InvalidInputError } from '#server/platform/errors.ts'
import { acquireLock } from '#server/platform/lock.ts'
import { absent, newDraft } from '#server/media/files.ts'
import { parseJson } from '#server/platform/parse-json.ts'
import { RELEASE } from '#server/db/release.ts'
import { unpack } from './archive.ts'
import { knowsMigration, migrateRows } from './migrate-rows.ts'
import { FOLDERS, FORMAT, Note, NOTE, ROWS } from './parts.ts'
import { isInUse, readRows, versionOf } from './rows.ts'

interface Options {
  file: string
  dataDir: string
  databaseUrl?: string | undefined
  /** URL of the same database without a connection pooler. */
  listenUrl?: string | undefined
  signal: AbortSignal
}

/**
 * Restores a shop from an archive of this or an older version. Throws an `InvalidInputError` for a damaged or newer
 * archive, and for a data folder or database that is not empty or cannot be filled, which keep what they have; an Error
 * if another process holds the folder. Returns the number of rows, the time of the backup, and the version of Piazza
 * that made it.
 */
export async function restore(options: Options): Promise<{ rows: number; madeAt: string; release: string }> {
  const { file, dataDir, signal } = options
  const lock = await acquireLock(dataDir, 'market restore')
  const draft = await newDraft(dataDir)
  try {
    await requireEmpty(dataDir)
    await unpack(file, draft, signal)
    const note = await readNote(file, draft)
    const rows = await fill(options, draft, note.version)
    for (const name of await readdir(draft))
      if (FOLDERS.includes(name)) await rename(join(draft, name), join(dataDir, name))
    return { rows, madeAt: note.madeAt, release: note.release }
  } finally {
    await rm(draft, { recursive: true, force: true })
    lock.release()
  }
}

/** Removes the empty folders, so that one that cannot be replaced fails the restore before a row is stored. */
async function requireEmpty(dataDir: string): Promise<void> {
  for (const name of FOLDERS) {
    const place = join(dataDir, name)
    const found = await lstat(place).catch(absent)
    if (!found) continue
    if (found.isSymbolicLink())
      throw new InvalidInputError(
        `${place} is a link: remove it, and move the restored folder to another disk afterwards`,
      )
    if ((await readdir(place)).length > 0)
      throw new InvalidInputError(`${place} is not empty: restore into a new DATA_DIR`)
    await rmdir(place).catch((error: Error) => {
      throw new InvalidInputError(
        `${place} cannot be replaced, for example because a disk is mounted there: ${error.message}`,
      )
    })
  }
}

async function readNote(file: string, draft: string) {
  const text = await readFile(join(draft, NOTE), 'utf8').catch(() => '')
  const note = z.safeParse(Note, parseJson(text))
  if (!note.success) throw new InvalidInputError(`${file} is no backup of Piazza`)
  const { format, version, release } = note.data
  if (format > FORMAT || !knowsMigration(version))
    throw new InvalidInputError(
      `${file} was made by a newer version of Piazza (${release}) than this one (${RELEASE}): update Piazza, then restore it`,
    )
  return note.data
}

async function fill(options: Options, draft: string, version: string): Promise<number> {
  const { dataDir, databaseUrl, listenUrl, file, signal } = options
  const folder = join(dataDir, 'db')
  const isNew = !databaseUrl && (await readdir(folder).catch(() => [])).length === 0
  const database = await openDatabase({ url: databaseUrl, listenUrl, folder })
  let isFilled = false
  try {
    if (await isInUse(database.db)) throw new InvalidInputError('There is a shop already: restore into a new database')
    const isOlder = (await versionOf(database.db)) !== version
    const rows = join(draft, ROWS)
    try {
      const present = isOlder ? await migrateRows({ rows, draft, version, signal }) : rows
      const count = await database.unhurried(db => readRows(db, present))
      isFilled = true
      return count
    } catch (error) {
      if (!isDamage(error)) throw error
      throw new InvalidInputError(`${file} is damaged: ${reasonOf(error)}`)
    }
  } finally {
    await database.close()
    if (isNew && !isFilled) await rm(folder, { recursive: true, force: true })
  }
}

/** Whether an error means that rows are damaged, rather than that disk space or permissions are missing. */
function isDamage(error: unknown): boolean {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  return isBadRow(error) || isMissing || error instanceof UnreadableFileError
}
