import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Db } from '../db/open.ts'
import { Refusal } from '../errors.ts'
import { pack } from './archive.ts'
import { FOLDERS, NOTE, type Note, ROWS } from './parts.ts'
import { versionOf, writeRows } from './rows.ts'

interface Options {
  db: Db
  dataDir: string
  /** The archive to write. Refused (422) when something is there already. */
  file: string
  signal: AbortSignal
}

/** Writes the whole shop, its rows as they are at one moment, into an archive. Answers how many rows and bytes that is. */
export async function backUp({ db, dataDir, file, signal }: Options): Promise<{ rows: number; bytes: number }> {
  if (await stat(file).catch(() => null)) throw new Refusal(422, `${file} is there already`)
  const into = await stat(dirname(file)).catch(() => null)
  if (!into?.isDirectory()) throw new Refusal(422, `There is no folder ${dirname(file)}`)
  // Beside the archive: the disk with the data may be full.
  const draft = await mkdtemp(`${file}.`)
  try {
    await mkdir(join(draft, ROWS))
    const rows = await writeRows(db, join(draft, ROWS), signal)
    const note: Note = { format: 1, version: await versionOf(db), madeAt: new Date().toISOString() }
    await writeFile(join(draft, NOTE), JSON.stringify(note))
    const present = await readdir(dataDir)
    const folders = FOLDERS.filter(name => present.includes(name))
    // After the rows: a picture that these name is there by then.
    await pack(
      file,
      [
        { folder: draft, names: [NOTE, ROWS] },
        { folder: dataDir, names: folders },
      ],
      signal,
    )
    return { rows, bytes: (await stat(file)).size }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
