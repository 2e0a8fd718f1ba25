import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { satisfies, validRange } from 'semver'
import { type Advisory, merge, readAudit } from '#scripts/advisories/merge.ts'
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

/** Licences that a company may use without publishing its own code; MPL and LGPL cover their own files only. */
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
/** npm finds no licence in their package.json; their licence file or repository says MIT. */
const MIT_ELSEWHERE = ['busboy', 'humanize-number', 'streamsearch', 'xmlhttprequest-ssl', 'y-provider']

const advisories = read('scripts/advisories/known.json') as Advisory[]
/** Less severe advisories may wait for the next update of their package. */
const URGENT = ['critical', 'high']

describe('each package of the lock file', () => {
  test('comes from the npm registry with an integrity hash', () => {
    const registry = 'https://registry.npmjs.org/'
    const stray = all.filter(
      ({ resolved = registry, integrity = '' }) => !resolved.startsWith(registry) || !/^sha512-\S{88}$/.test(integrity),
    )

    expect(all.length).toBeGreaterThan(500)
    expect(namesOf(stray)).toEqual([])
  })

  test('runs an install script only if package.json lists it', () => {
    expect(Object.keys(allowScripts).toSorted()).toEqual(
      namesOf(all.filter(({ hasInstallScript }) => hasInstallScript)),
    )
  })

  test('has an accepted licence', () => {
    const partsOf = (license: string) => license.replace(/[()]/g, '').split(/ (?:AND|OR) /)
    const isFree = ({ name, license }: { name: string; license?: string }) =>
      license ? partsOf(license).every(part => LICENCES.includes(part)) : MIT_ELSEWHERE.includes(name)

    expect(namesOf(all.filter(found => !isFree(found)))).toEqual([])
  })

  test('has no known serious vulnerability', () => {
    const urgent = advisories.filter(({ severity, accepted }) => URGENT.includes(severity) && !accepted)
    const holes = urgent.flatMap(({ package: name, vulnerable, id }) =>
      all
        .filter(found => found.name === name && satisfies(found.version, vulnerable, { includePrerelease: true }))
        .map(({ version }) => `${name} ${version}: ${id}`),
    )

    expect(holes).toEqual([])
  })
})

describe('the list of known advisories', () => {
  test('contains packages, versions and a reason for each accepted one', () => {
    expect(advisories.length).toBeGreaterThan(30)
    for (const { package: name, id, severity, vulnerable, accepted = 'none' } of advisories) {
      expect([name, validRange(vulnerable)]).toEqual([name, expect.any(String)])
      expect(id).toMatch(/^(GHSA(-[23456789cfghjmpqrvwx]{4}){3}|CVE-\d{4}-\d{4,})$/)
      expect(['low', 'moderate', 'high', 'critical']).toContain(severity)
      expect(accepted).not.toBe('')
    }
  })

  test('gets npm audit’s findings, and keeps the accepted ones', () => {
    const via = { name: 'ws', url: 'https://github.com/advisories/GHSA-1', severity: 'high', range: '<9.0.0' }
    const report = { vulnerabilities: { ws: { via: [via] }, 'socket.io': { via: ['ws'] } } }
    const found = readAudit(JSON.stringify(report))
    const known = { package: 'ws', id: 'GHSA-1', severity: 'high', vulnerable: '<8.0.0', accepted: 'never started' }
    const other = { package: 'astro', id: 'GHSA-2', severity: 'low', vulnerable: '<7.0.0' }

    expect(found).toEqual([{ package: 'ws', id: 'GHSA-1', severity: 'high', vulnerable: '<9.0.0' }])
    expect(merge([known, other], found)).toEqual([other, { ...known, vulnerable: '<9.0.0' }])
  })

  test.each([
    ['', 'npm audit printed no JSON'],
    ['{"message":"405 Method Not Allowed"}', '405 Method Not Allowed'],
    ['{}', 'npm audit printed no report'],
  ])('is unchanged when npm audit prints %j', (text, reason) => {
    expect(() => readAudit(text)).toThrow(reason)
  })
})
