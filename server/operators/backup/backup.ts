import { link, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DAY_MS } from '#contract/rules.ts'
import type { Db } from '#server/db/types.ts'
import { InvalidInputError } from '#server/platform/errors.ts'
import { RELEASE } from '#server/db/release.ts'
import { pack } from './archive.ts'
import { FOLDERS, FORMAT, NOTE, type Note, ROWS } from './parts.ts'
import { isInUse, versionOf, writeRows } from './rows.ts'

interface Options {
  db: Db
  dataDir: string
  /** The archive to write. An `InvalidInputError` is thrown if the file exists. */
  file: string
  signal: AbortSignal
}

/** Prefix of the temporary folders in which archives are made. */
const DRAFT = '.piazza-backup-'
/** Older temporary folders are left over from killed backups: no backup takes this long. */
const ABANDONED_MS = DAY_MS

/**
 * Writes the whole shop, with all rows as of one moment, into an archive. Returns the number of rows and bytes. Throws
 * an `InvalidInputError` if the file exists, its folder does not, or the database is empty.
 */
export async function backUp({ db, dataDir, file, signal }: Options): Promise<{ rows: number; bytes: number }> {
  if (await stat(file).catch(() => null)) throw alreadyExists(file)
  const into = dirname(file)
  const found = await stat(into).catch(() => null)
  if (!found?.isDirectory()) throw new InvalidInputError(`${into} is not a folder that the shop can see`)
  // With other settings than the shop's, the command opens another database, which it has just created.
  if (!(await isInUse(db)))
    throw new InvalidInputError(
      `There is no shop in ${dataDir}: give DATA_DIR and DATABASE_URL the values that the shop has`,
    )
  await sweep(into)
  // Next to the archive: the disk with the data may be full.
  const draft = await mkdtemp(join(into, DRAFT))
  const archive = join(draft, 'archive')
  try {
    await mkdir(join(draft, ROWS))
    const rows = await writeRows(db, join(draft, ROWS), signal)
    const note: Note = {
      format: FORMAT,
      release: RELEASE,
      version: await versionOf(db),
      madeAt: new Date().toISOString(),
    }
    await writeFile(join(draft, NOTE), JSON.stringify(note))
    const present = await readdir(dataDir)
    const folders = FOLDERS.filter(name => present.includes(name))
    // Packed after the rows are written, so that it contains all pictures to which they refer.
    await pack(
      archive,
      [
        { folder: draft, names: [NOTE, ROWS] },
        { folder: dataDir, names: folders },
      ],
      signal,
    )
    await publish(archive, file)
    return { rows, bytes: (await stat(file)).size }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Gives the archive its name, unless another backup has taken it in the meantime. */
async function publish(archive: string, file: string): Promise<void> {
  try {
    await link(archive, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyExists(file)
    // The file system has no hard links.
    await rename(archive, file)
  }
}

function alreadyExists(file: string): InvalidInputError {
  return new InvalidInputError(`${file} already exists`)
}

/** Removes the temporary folders of killed backups. Does nothing if the folder cannot be read. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(DRAFT)) continue
    const draft = join(folder, name)
    const found = await stat(draft).catch(() => null)
    // Another user's folders cannot be removed.
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS)
      await rm(draft, { recursive: true, force: true }).catch(() => undefined)
  }
}
