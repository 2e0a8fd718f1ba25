import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Beside the packages of which it is made, and gone when they are. */
export const PACKED = join(ROOT, 'node_modules/.cache/piazza-packed')
/** Says which files were packed, by their paths in the project; the packages are told by their lock file. */
export const LIST = join(PACKED, 'files.json')

/**
 * The server as `scripts/pack-server.ts` packed it, to be imported instead of `serve.ts`: 1,100 files in one load four
 * times as quickly. Null unless it was made in this place, of these very files.
 */
export function findPacked(): string | null {
  // `node --watch` starts anew when a file changes that was loaded as it is.
  if (process.env.WATCH_REPORT_DEPENDENCIES) return null
  try {
    const { files, name } = JSON.parse(readFileSync(LIST, 'utf8')) as { files: string[]; name: string }
    return name === nameOf(files) ? join(PACKED, name, 'serve.mjs') : null
  } catch {
    // Never packed, or something of it is gone.
    return null
  }
}

/** The name of what is packed of these files: of their contents, as a checkout or a copy changes their times. */
export function nameOf(files: string[]): string {
  const hash = createHash('sha256').update(ROOT)
  for (const file of files) hash.update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 16)
}
