import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTENT_SOURCES } from '#scripts/builds.ts'
import { ROOT } from '#scripts/run.mjs'

const IMPORTED = /^(?:import|export) (?!type )[\w\s{},*]*from '([.#][^']+)'/gm

/** The files of the project that a file needs, itself included. */
function filesNeededBy(file: string, found = new Set<string>()): Set<string> {
  found.add(file)
  for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORTED)) {
    const needed = name.startsWith('#') ? name.slice(1) : join(file, '..', name)
    if (!found.has(needed)) filesNeededBy(needed, found)
  }
  return found
}

test('a change of any file that makes the policy pages publishes them again', () => {
  const unseen = [...filesNeededBy('server/content/publish.ts')].filter(
    file => !CONTENT_SOURCES.some(source => file === source || file.startsWith(join(source, '/'))),
  )

  expect(unseen).toEqual([])
})
