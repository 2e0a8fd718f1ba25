import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Not among the packages: a shop loads parts of it later, also while they are installed anew. */
const PACKED = '.packed'

/**
 * Where packed servers lie in a project, the list of what the newest was made of (paths in the project), and the name of
 * the one that belongs to the last good build.
 */
export function placesIn(root: string): { folder: string; list: string; lastGood: string } {
  const folder = join(root, PACKED)
  return { folder, list: join(folder, 'files.json'), lastGood: join(folder, 'last-good') }
}

/**
 * The server as `scripts/pack-server.ts` packed it, to be imported instead of `serve.ts`: 1,100 files in one load four
 * times as quickly. Null unless it was made in this place, of these very files.
 */
export function findPacked(root = ROOT): string | null {
  // `node --watch` starts anew when a file changes that was loaded as it is.
  if (process.env.WATCH_REPORT_DEPENDENCIES) return null
  const { folder, list } = placesIn(root)
  try {
    const { files, name } = JSON.parse(readFileSync(list, 'utf8')) as { files: string[]; name: string }
    const packed = join(folder, name, 'serve.mjs')
    return name === nameOf(root, files) && existsSync(packed) ? packed : null
  } catch {
    // Never packed, or something of it is gone.
    return null
  }
}

/** The server that was packed with the last good build; where there is none, as `findPacked`. */
export function findLastGood(root = ROOT): string | null {
  const { folder, lastGood } = placesIn(root)
  try {
    const packed = join(folder, readFileSync(lastGood, 'utf8'), 'serve.mjs')
    if (existsSync(packed)) return packed
  } catch {
    // Nothing was packed with a good build yet.
  }
  return findPacked(root)
}

/** The name of what is packed of these files: of their contents, as a checkout or a copy changes their times. */
export function nameOf(root: string, files: string[]): string {
  const hash = createHash('sha256').update(root)
  for (const file of files) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
