import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../run.mjs'

export type ReportKind = 'playwright' | 'vitest'

export interface Counts {
  passed: number
  /** How many of the passed ones are browser tests that failed at first. Other tests are never retried. */
  flaky: number
  failed: number
  skipped: number
  /** File, name and reason of each failed test, including browser tests that passed the second time. */
  failures: string[]
}

const NONE: Counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, failures: [] }
/** The summary shows only the beginning of a message; the step's output has all of it. */
const LINES_OF_MESSAGE = 6

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: VitestFile[]
}

interface VitestFile {
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
}

interface PlaywrightSuite {
  file: string
  suites?: PlaywrightSuite[]
  specs: { title: string; tests: PlaywrightTest[] }[]
}

interface PlaywrightTest {
  status: 'expected' | 'flaky' | 'skipped' | 'unexpected'
  results: { errors: { message?: string }[] }[]
}

/** The arguments and environment variables that make a test runner write its report to `file`. */
export function reportTo(kind: ReportKind, file: string): { args: string[]; env: Record<string, string> } {
  if (kind === 'playwright') return { args: [], env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } }
  return { args: ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`], env: {} }
}

/**
 * The counts of a step. A step that fails without a failed test (a crash, a missing report) or in which no test ran has
 * one failure.
 */
export function countStep(isOk: boolean, kind: ReportKind | undefined, file: string): Counts {
  const counted = kind ? readReport(kind, file) : { ...NONE, passed: isOk ? 1 : 0 }
  const isUnexplained = !isOk && counted.failed === 0
  return isUnexplained || counted.passed + counted.failed === 0 ? { ...counted, failed: counted.failed + 1 } : counted
}

function readReport(kind: ReportKind, file: string): Counts {
  let report: unknown
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The runner crashed before it wrote the report: no test counts.
    return { ...NONE }
  }
  return kind === 'vitest' ? countVitest(report as VitestReport) : countPlaywright(report as PlaywrightReport)
}

function countVitest(report: VitestReport): Counts {
  const broken = report.testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(result => result.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    flaky: 0,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...broken.map(file => describeFailure(relative(ROOT, file.name), 'did not run', file.message)),
      ...report.testResults.flatMap(file =>
        file.assertionResults
          .filter(result => result.status === 'failed')
          .map(result => describeFailure(relative(ROOT, file.name), result.fullName, result.failureMessages[0])),
      ),
    ],
  }
}

function countPlaywright({ stats, suites }: PlaywrightReport): Counts {
  const { expected, flaky, unexpected, skipped } = stats
  return { passed: expected + flaky, flaky, failed: unexpected, skipped, failures: suites.flatMap(playwrightFailures) }
}

function playwrightFailures({ file, specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => {
        const name = status === 'flaky' ? `${title} (passed the second time)` : title
        return describeFailure(`tests/e2e/${file}`, name, results[0]?.errors[0]?.message)
      }),
  )
  return [...own, ...suites.flatMap(playwrightFailures)]
}

function describeFailure(file: string, name: string, message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim())
  return [`${file} › ${name}`, ...lines.slice(0, LINES_OF_MESSAGE).map(line => `    ${line}`)].join('\n')
}
