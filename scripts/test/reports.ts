import { readFileSync } from 'node:fs'

export type ReportKind = 'playwright' | 'vitest'

export interface Counts {
  passed: number
  /** Of those that passed, how many browser tests failed at first. No other test is run a second time. */
  flaky: number
  failed: number
  skipped: number
}

const NONE: Counts = { passed: 0, flaky: 0, failed: 0, skipped: 0 }

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

/** The arguments and variables that make a test runner write its report to `file`. */
export function reportTo(kind: ReportKind, file: string): { args: string[]; env: Record<string, string> } {
  if (kind === 'playwright') return { args: [], env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } }
  return { args: ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`], env: {} }
}

/**
 * What a step adds to the sum. A step that fails without a failed test (a crash, a report that is missing)
 * has one failure, and so has one in which no test ran.
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
    // The runner crashed before it wrote one: no test counts.
    return { ...NONE }
  }
  return kind === 'vitest' ? countVitest(report as VitestReport) : countPlaywright(report as PlaywrightReport)
}

function countVitest(report: VitestReport): Counts {
  const broken = report.testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(result => result.status === 'failed'),
  )
  return {
    ...NONE,
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

function countPlaywright({ stats }: PlaywrightReport): Counts {
  const { expected, flaky, unexpected, skipped } = stats
  return { passed: expected + flaky, flaky, failed: unexpected, skipped }
}
