import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CONTENT_SOURCES, openBuilds } from '#scripts/builds.ts'
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

test('the previous build stays complete, and the files of the last ten builds stay for pages that are open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'piazza-builds-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const dist = join(folder, 'dist')
  const builds = openBuilds(dist)
  for (let i = 0; i < 12; i += 1) {
    vi.setSystemTime(Date.UTC(2026, 0, 1 + i))
    const build = builds.begin()
    for (const part of ['client', 'server', 'shop']) mkdirSync(join(build, part))
    builds.publish(build, String(i))
  }

  const kept = readdirSync(join(folder, '.dist')).toSorted().toReversed()
  const parts = kept.map(name => readdirSync(join(folder, '.dist', name)))
  expect(realpathSync(dist)).toBe(join(folder, '.dist', kept[0]!))
  expect(parts.slice(0, 2)).toEqual(Array.from({ length: 2 }, () => ['.built', 'client', 'server', 'shop']))
  expect(parts.slice(2)).toEqual(Array.from({ length: 8 }, () => ['.built', 'client']))
})
