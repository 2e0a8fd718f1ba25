import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sumBy } from '../platform/sum.ts'

// Younger drafts are not swept: other processes may still be writing them.
const ABANDONED_MS = 60 * 60 * 1000

/** Writes a file atomically, readable by the owner only; flushed to the disk when the promise resolves. */
export async function writeWhole(folder: string, path: string, bytes: Buffer): Promise<void> {
  const draft = join(draftsOf(folder), randomUUID())
  await mkdir(draftsOf(folder), { recursive: true, mode: 0o700 })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await writeFile(draft, bytes, { mode: 0o600, flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** The size of a file in bytes; null if there is none. */
export async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(absent)
  return found?.isFile() ? found.size : null
}

/** The total size of the files in a folder, and when it last changed; null if there is none. */
export async function measureFolder(path: string): Promise<{ path: string; bytes: number; changedAt: Date } | null> {
  const found = await stat(path).catch(absent)
  if (!found) return null
  const sizes = await Promise.all((await namesIn(path)).map(name => sizeOf(join(path, name))))
  return { path, bytes: sumBy(sizes, size => size ?? 0), changedAt: found.mtime }
}

/** The names in a folder; none if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? []
}

/** Creates a folder for temporary files, which `sweepDrafts` removes if a crash leaves it behind. */
export async function newDraft(folder: string): Promise<string> {
  const draft = join(draftsOf(folder), randomUUID())
  await mkdir(draft, { recursive: true, mode: 0o700 })
  return draft
}

/** Removes drafts that a crash left behind; `olderThanMs` must be longer than writing one takes. */
export async function sweepDrafts(folder: string, olderThanMs = ABANDONED_MS): Promise<void> {
  for (const name of await namesIn(draftsOf(folder))) {
    const draft = join(draftsOf(folder), name)
    const found = await stat(draft).catch(absent)
    if (found && Date.now() - found.mtimeMs > olderThanMs) await rm(draft, { recursive: true, force: true })
  }
}

function draftsOf(folder: string): string {
  return join(folder, 'drafts')
}

/** For `catch`: returns null if there is no such file, else throws. */
export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
