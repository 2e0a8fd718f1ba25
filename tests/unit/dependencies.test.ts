import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#scripts/run.mjs'

interface Package {
  version: string
  resolved?: string
  integrity?: string
  license?: string
  hasInstallScript?: boolean
}

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as unknown

const { packages } = read('package-lock.json') as { packages: Record<string, Package> }
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> }
const { '': _, ...locked } = packages
const all = Object.entries(locked).map(([path, found]) => ({
  name: path.split('node_modules/').at(-1) ?? '',
  ...found,
}))
const namesOf = (found: { name: string }[]) => [...new Set(found.map(({ name }) => name))].toSorted()

/** What a company may use and pass on without giving away its own code; MPL and LGPL cover their own files only. */
const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'Zlib',
]
/** npm reads no licence in their package.json; what lies beside it says MIT. */
const MIT_ELSEWHERE = ['busboy', 'humanize-number', 'streamsearch', 'xmlhttprequest-ssl']

/** The first versions without holes that are known. */
const FLOORS = { astro: '7.0.0', hono: '4.12.25', 'socket.io-parser': '4.2.6' }

describe('each package of the lock file', () => {
  test('comes from the npm registry, as the bytes that were locked', () => {
    const registry = 'https://registry.npmjs.org/'
    const stray = all.filter(
      ({ resolved = registry, integrity = '' }) => !resolved.startsWith(registry) || !/^sha512-\S{88}$/.test(integrity),
    )

    expect(all.length).toBeGreaterThan(500)
    expect(namesOf(stray)).toEqual([])
  })

  test('runs a script when it is installed only as package.json says', () => {
    expect(Object.keys(allowScripts).toSorted()).toEqual(
      namesOf(all.filter(({ hasInstallScript }) => hasInstallScript)),
    )
  })

  test('has a licence that a shop can live with', () => {
    const partsOf = (license: string) => license.replace(/[()]/g, '').split(/ (?:AND|OR) /)
    const isFree = ({ name, license }: { name: string; license?: string }) =>
      license ? partsOf(license).every(part => LICENCES.includes(part)) : MIT_ELSEWHERE.includes(name)

    expect(namesOf(all.filter(found => !isFree(found)))).toEqual([])
  })

  test.each(Object.entries(FLOORS))('that is %s is at least %s', (name, floor) => {
    const versions = all.filter(found => found.name === name).map(({ version }) => version)

    expect(versions.length).toBeGreaterThan(0)
    for (const version of versions)
      expect(version.localeCompare(floor, 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
  })
})
