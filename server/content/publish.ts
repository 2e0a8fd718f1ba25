import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CATEGORIES, compilePolicies, listMistakes } from './compile.ts'
import { makeRendition } from './pictures.ts'
import { contentPaths } from './paths.ts'

interface Options {
  /** The folder of Markdown files; `src/content/policies` by default. Later builds publish this folder again. */
  from?: string
  distDir: string
  now?: Date
}

/**
 * Checks and renders the policy pages and publishes them to running shops. Returns the number of pages, or the mistakes
 * as `file:line: text`; then nothing has changed.
 */
export async function publishContent({
  from,
  distDir,
  now,
}: Options): Promise<{ pageCount: number; mistakes: string[] }> {
  const beside = from && join(from, '../categories')
  const categories = beside && existsSync(beside) ? beside : CATEGORIES
  const compiled = await compilePolicies({ folder: from, categories, now })
  const mistakes = listMistakes(compiled)
  if (mistakes.length > 0) return { pageCount: 0, mistakes }
  const { policies, pictures, introductions } = compiled
  const { list, files, origin } = contentPaths(distDir)
  await mkdir(files, { recursive: true })
  // Names are hashes of the contents. Pictures of earlier pages stay, for pages that are still open in browsers.
  for (const { file, renditions } of pictures) {
    for (const { address, width } of renditions) {
      const place = join(files, basename(address))
      if (!existsSync(place)) await replace(place, await makeRendition(file, width))
    }
  }
  await replace(list, JSON.stringify({ policies, introductions }))
  if (from) await replace(origin, from)
  else await rm(origin, { force: true })
  return { pageCount: policies.length, mistakes: [] }
}

/** Replaces a file atomically: readers see the old or the new file, never a part. */
async function replace(file: string, content: string | Buffer): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}`)
  await writeFile(beside, content)
  await rename(beside, file)
}
