import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { longRuns } from '#scripts/test/long-runs.ts'

const CALL = /\brounds\(\d/
const callers = globSync('tests/**/*.ts').filter(
  file => file !== 'tests/support/faults/rounds.ts' && CALL.test(readFileSync(file, 'utf8')),
)

/** The number of databases that a test can run on. */
const databasesOf = (file: string) => (/^tests\/(api|operators)\//.test(file) ? 2 : 1)

describe('the long test runs', () => {
  test('include every test that calls rounds(), on each database that it can use', () => {
    expect(callers.length).toBeGreaterThan(5)
    const runs = longRuns()
    for (const file of callers)
      expect([file, runs.filter(run => run.files.includes(file)).length]).toEqual([file, databasesOf(file)])
  })

  test('set TEST_FAULTS, which only rounds.ts reads', () => {
    for (const { env } of longRuns()) expect(env).toMatchObject({ TEST_FAULTS: 'on' })
    const readers = globSync('tests/**/*.ts').filter(file => /env\.TEST_FAULTS/.test(readFileSync(file, 'utf8')))
    expect(readers).toEqual(['tests/support/faults/rounds.ts'])
  })

  test('include all files in tests/faults', () => {
    const files = longRuns().find(({ name }) => name === 'faults')?.files
    expect(files?.toSorted()).toEqual(globSync('tests/faults/**/*.test.ts').toSorted())
  })

  test('can be selected by a part of their file names', () => {
    const chosen = longRuns(['injected-texts']).map(({ name, files }) => [name, files])
    const file = 'tests/api/chat/injected-texts.test.ts'
    expect(chosen).toEqual([
      ['pglite', [file]],
      ['postgres', [file]],
    ])
    expect(longRuns(['no such file'])).toEqual([])
  })
})
