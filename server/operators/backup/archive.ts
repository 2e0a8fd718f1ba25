import { execFile } from 'node:child_process'
import { open, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { InvalidInputError } from '#server/platform/errors.ts'

const run = promisify(execFile)

/** The entries `names` of a folder. */
export interface ArchivePart {
  folder: string
  names: string[]
}

/** Follows links and packs their targets: a folder may be on another disk. */
const PACK = '-czhf'
/** Files that are still being received. */
const UNFINISHED = '--exclude=uploads/drafts'

/** Packs everything into the new `file`, which is complete and flushed to disk when the promise resolves. */
export async function pack(file: string, parts: ArchivePart[], signal: AbortSignal): Promise<void> {
  // Create it first, so that other users cannot read it at any time.
  await (await open(file, 'wx', 0o600)).close()
  const words = parts.flatMap(({ folder, names }) => (names.length > 0 ? ['-C', folder, ...names] : []))
  await tar([PACK, file, UNFINISHED, ...words], signal)
  const written = await open(file, 'r+')
  await written.sync().finally(() => written.close())
}

/**
 * Unpacks into `folder`. Throws an `InvalidInputError` for a file that is not an archive, or an archive that contains
 * links or devices.
 */
export async function unpack(file: string, folder: string, signal: AbortSignal): Promise<void> {
  await tar(['-xzf', file, '-C', folder, '--no-same-owner'], signal).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof TarError)) throw error
    throw new InvalidInputError(`${file} is no backup, or not a whole one: ${error.message}`)
  })
  // A link could point outside the folder, and reading a pipe could block for ever.
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const strange = all.find(entry => !entry.isFile() && !entry.isDirectory())
  if (strange)
    throw new InvalidInputError(`${file} is no backup: in it, ${strange.name} is neither a file nor a folder`)
}

class TarError extends Error {}

async function tar(words: string[], signal: AbortSignal): Promise<void> {
  try {
    await run('tar', words, { signal })
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT') throw new Error('Backups need the program tar', { cause: error })
    // Exit code 1: a file changed or vanished during packing, for example a picture that was just deleted as unused.
    if (code === 1 && words[0] === PACK) return
    if (signal.aborted) throw error
    throw new TarError(stderr.trim().split('\n')[0] ?? '', { cause: error })
  }
}
