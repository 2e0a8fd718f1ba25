import { execFile } from 'node:child_process'
import { open, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Refusal } from '../../http/errors.ts'

const run = promisify(execFile)

/** Folders to take `names` from. */
export interface Part {
  folder: string
  names: string[]
}

/** What links lead to is packed in their place: a folder may lie on another disk. */
const PACK = '-czhf'
/** What has only begun to come in. */
const UNFINISHED = '--exclude=uploads/drafts'

/** Packs everything into `file`, which is new, and whole and on the disk when the promise settles well. */
export async function pack(file: string, parts: Part[], signal: AbortSignal): Promise<void> {
  // Nobody else may read it, from its first byte on.
  await (await open(file, 'wx', 0o600)).close()
  const words = parts.flatMap(({ folder, names }) => (names.length > 0 ? ['-C', folder, ...names] : []))
  await tar([PACK, file, UNFINISHED, ...words], signal)
  const written = await open(file, 'r+')
  await written.sync().finally(() => written.close())
}

/** Unpacks into `folder`. Refuses (422) what is no archive, and one that holds more than folders and files. */
export async function unpack(file: string, folder: string, signal: AbortSignal): Promise<void> {
  await tar(['-xzf', file, '-C', folder, '--no-same-owner'], signal).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof TarError)) throw error
    throw new Refusal(422, `${file} is no backup, or not a whole one: ${error.message}`)
  })
  // A link would lead out of the folder, and nobody may ever write to a pipe.
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const strange = all.find(entry => !entry.isFile() && !entry.isDirectory())
  if (strange) throw new Refusal(422, `${file} is no backup: in it, ${strange.name} is neither a file nor a folder`)
}

class TarError extends Error {}

async function tar(words: string[], signal: AbortSignal): Promise<void> {
  try {
    await run('tar', words, { signal })
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT') throw new Error('Backups need the program tar', { cause: error })
    // A picture may go while it is packed: nothing names it any more.
    if (code === 1 && words[0] === PACK) return
    if (signal.aborted) throw error
    throw new TarError(stderr.trim().split('\n')[0] ?? '', { cause: error })
  }
}
