import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ROOT } from '#scripts/run.mjs'
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
  test('counts a step without a report as one', () => {
    expect(countStep(true, undefined, '')).toMatchObject({ passed: 1, failed: 0 })
    expect(countStep(false, undefined, '')).toMatchObject({ passed: 0, failed: 1 })
  })

  test('adds up failed tests and files that did not load', () => {
    const broken = {
      name: join(ROOT, 'tests/api/a.test.ts'),
      status: 'failed',
      message: 'No such file.',
      assertionResults: [],
    }
    const result = {
      status: 'failed',
      fullName: 'a cart keeps what it holds',
      failureMessages: ['expected 1 to be 2\n  at a line'],
    }
    const failed = {
      name: join(ROOT, 'tests/api/b.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [result],
    }
    expect(countStep(false, 'vitest', vitest(5, 1, [broken, failed]))).toMatchObject({
      passed: 5,
      failed: 2,
      failures: [
        'tests/api/a.test.ts › did not run\n    No such file.',
        'tests/api/b.test.ts › a cart keeps what it holds\n    expected 1 to be 2\n      at a line',
      ],
    })
  })

  test('lists browser tests that passed only when retried', () => {
    const stats = { expected: 7, unexpected: 1, flaky: 1, skipped: 2 }
    const flaky = {
      status: 'flaky',
      results: [{ errors: [{ message: 'It was \u001B[31mnot\u001B[39m seen.\n\n  \nExpected: 1' }] }, { errors: [] }],
    }
    const specs = [{ title: 'the cart is kept', tests: [flaky] }]
    const file = report({
      stats,
      suites: [{ file: 'cart.test.ts', specs: [], suites: [{ file: 'cart.test.ts', specs }] }],
    })
    expect(countStep(false, 'playwright', file)).toEqual({
      passed: 8,
      flaky: 1,
      failed: 1,
      skipped: 2,
      failures: [
        'tests/e2e/cart.test.ts › the cart is kept (passed the second time)\n    It was not seen.\n    Expected: 1',
      ],
    })
  })

  test('has a failure when no test ran, the runner crashed, or it failed without a reason', () => {
    expect(countStep(true, 'vitest', vitest(0, 0))).toMatchObject({ failed: 1 })
    expect(countStep(false, 'vitest', join(folder, 'missing.json'))).toMatchObject({ passed: 0, failed: 1 })
    expect(countStep(false, 'vitest', vitest(3, 0))).toMatchObject({ passed: 3, failed: 1 })
  })
})
