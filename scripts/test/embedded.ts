import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../run.mjs'

/** The tag of API test files that `npm test` runs on the embedded database, too: `// @module-tag embedded`. */
export const EMBEDDED_TAG = 'embedded'

const HAS_TAG = new RegExp(String.raw`^// @module-tag ${EMBEDDED_TAG}$`, 'm')

/** The paths of all API test files, relative to the project: those with the tag, and all others. */
export function apiTests(): { embedded: string[]; others: string[] } {
  const files = globSync('tests/api/**/*.test.ts', { cwd: ROOT }).toSorted()
  const hasTag = (file: string) => HAS_TAG.test(readFileSync(join(ROOT, file), 'utf8'))
  return { embedded: files.filter(hasTag), others: files.filter(file => !hasTag(file)) }
}
