import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { compilePolicies } from './compile.ts'
import { makeRendition } from './pictures.ts'
import { placesOf } from './places.ts'

interface Options {
  /** The folder of Markdown files; the shop's own without one. */
  from?: string
  distDir: string
  now?: Date
}

/**
 * Checks and renders the policy pages and puts them where running shops take them from. Returns the number of pages, or
 * the faults as `file:line: text`: then nothing has changed.
 */
export async function publishContent({
  from,
  distDir,
  now,
}: Options): Promise<{ pageCount: number; faults: string[] }> {
  const { policies, pictures, faults } = await compilePolicies({ folder: from, now })
  if (faults.size > 0) return { pageCount: 0, faults: [...faults.values()].flat() }
  if (policies.length === 0)
    return { pageCount: 0, faults: [`${from ?? 'src/content/policies'} has no Markdown files`] }
  const { list, files } = placesOf(distDir)
  await mkdir(files, { recursive: true })
  // Their names follow from their contents. Those of earlier pages stay, for windows that are still open.
  for (const { file, renditions } of pictures) {
    for (const { address, width } of renditions) {
      const place = join(files, basename(address))
      if (!existsSync(place)) await replace(place, await makeRendition(file, width))
    }
  }
  await replace(list, JSON.stringify({ policies }))
  return { pageCount: policies.length, faults: [] }
}

/** Readers see the old file or the new one, never a part. */
async function replace(file: string, content: string | Buffer): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}`)
  await writeFile(beside, content)
  await rename(beside, file)
}
