import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { countStep } from '#scripts/test/reports.ts'

const folder = mkdtempSync(join(tmpdir(), 'piazza-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

function report(content: object): string {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

function vitest(numPassedTests: number, numFailedTests: number, testResults: object[] = []): string {
  return report({ numPassedTests, numFailedTests, numPendingTests: 0, numTodoTests: 0, testResults })
}

describe('countStep', () => {
  test('counts a plain step as one', () => {
    expect(countStep(true, undefined, '')).toMatchObject({ passed: 1, failed: 0 })
    expect(countStep(false, undefined, '')).toMatchObject({ passed: 0, failed: 1 })
  })

  test('adds up tests and files that did not even load', () => {
    const broken = { status: 'failed', assertionResults: [] }
    const failed = { status: 'failed', assertionResults: [{ status: 'failed' }] }
    expect(countStep(false, 'vitest', vitest(5, 1, [broken, failed]))).toMatchObject({ passed: 5, failed: 2 })
  })

  test('tells which browser tests passed only when they were run again', () => {
    const file = report({ stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 } })
    expect(countStep(false, 'playwright', file)).toEqual({ passed: 8, flaky: 1, failed: 1, skipped: 2 })
  })

  test('has a failure when no test ran, when the runner crashed, and when it failed without saying why', () => {
    expect(countStep(true, 'vitest', vitest(0, 0))).toMatchObject({ failed: 1 })
    expect(countStep(false, 'vitest', join(folder, 'missing.json'))).toMatchObject({ passed: 0, failed: 1 })
    expect(countStep(false, 'vitest', vitest(3, 0))).toMatchObject({ passed: 3, failed: 1 })
  })
})
