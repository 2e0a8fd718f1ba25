import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Not in node_modules: a running shop loads parts of it later, even while packages are being reinstalled. */
const PACKED = '.packed'

/**
 * Paths in a project: the folder of packed servers, the JSON list of the files that the newest was packed from (paths
 * in the project), and the file that holds the name of the server packed with the last good build.
 */
export function placesIn(root: string): { folder: string; list: string; lastGood: string } {
  const folder = join(root, PACKED)
  return { folder, list: join(folder, 'files.json'), lastGood: join(folder, 'last-good') }
}

/**
 * The server that `scripts/pack-server.ts` packed, to be imported instead of `serve.ts`: 1,100 files as one load four
 * times as fast. Null unless it was packed in this folder, from exactly these files.
 */
export function findPacked(root = ROOT): string | null {
  // `node --watch` watches only the files that it loads, so it must load the sources.
  if (process.env.WATCH_REPORT_DEPENDENCIES) return null
  const { folder, list } = placesIn(root)
  try {
    const { files, name } = JSON.parse(readFileSync(list, 'utf8')) as { files: string[]; name: string }
    const packed = join(folder, name, 'serve.mjs')
    return name === nameOf(root, files) && existsSync(packed) ? packed : null
  } catch {
    // Never packed, or a file is missing.
    return null
  }
}

/** The server that was packed with the last good build; if there is none, that of `findPacked`. */
export function findLastGood(root = ROOT): string | null {
  const { folder, lastGood } = placesIn(root)
  try {
    const packed = join(folder, readFileSync(lastGood, 'utf8'), 'serve.mjs')
    if (existsSync(packed)) return packed
  } catch {
    // There is no good build yet.
  }
  return findPacked(root)
}

/** A hash of the files' contents as the packed server's name. Not of their times, which a checkout or copy changes. */
export function nameOf(root: string, files: string[]): string {
  const hash = createHash('sha256').update(root)
  for (const file of files) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
