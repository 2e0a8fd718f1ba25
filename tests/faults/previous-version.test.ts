import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { printFigure } from '#tests/support/faults/figures.ts'
import { PREVIOUS_VERSION, unpackVersion } from '#tests/support/processes/previous-version.ts'

const VITEST = 'node_modules/vitest/vitest.mjs'
/** What customers and shops do while processes of two versions run. */
const FOLDERS = ['accounts', 'cart', 'catalogue', 'chat', 'notifications', 'orders', 'payments', 'realtime', 'returns']
/** These need a build, much time for one statement, or a file that the commit lacks. */
const LEFT_OUT = ['shown-changes', 'plans', 'disconnects']
const MAX_MS = 1800_000
const MAX_OUTPUT_LENGTH = 100_000_000

interface Report {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
}

const folder = await mkdtemp(join(tmpdir(), 'piazza-previous-'))
afterAll(() => rm(folder, { recursive: true }))

/** Runs the unpacked version's API tests on PostgreSQL. */
async function runApiTests(): Promise<Report> {
  const report = join(folder, 'report.json')
  const files = FOLDERS.map(name => `tests/api/${name}/`)
  const others = LEFT_OUT.map(name => `--exclude=**/${name}.test.ts`)
  const args = [VITEST, 'run', '--project=api', '--reporter=json', `--outputFile=${report}`, ...others, ...files]
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, TEST_DATABASE: 'postgres' }
  const options = { cwd: folder, env, maxBuffer: MAX_OUTPUT_LENGTH }
  // It rejects if a test fails, too; the report names the test.
  const failure: unknown = await promisify(execFile)(process.execPath, args, options).catch((error: unknown) => error)
  return JSON.parse(await readFile(report, 'utf8').catch(() => Promise.reject(failure))) as Report
}

test('processes of the previous version work with the tables of this one', { timeout: MAX_MS }, async () => {
  await unpackVersion(PREVIOUS_VERSION.commit, folder)
  const { numPassedTests, testResults } = await runApiTests()
  printFigure('API tests of the previous version that pass on the present tables', String(numPassedTests), 'all')

  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter(each => each.status === 'failed')
    return status === 'failed' && tests.length === 0 ? [name] : tests.map(({ fullName }) => fullName)
  })
  expect(failed).toEqual([])
  expect(numPassedTests).toBeGreaterThan(0)
})
