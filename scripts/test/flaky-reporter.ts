import type { Reporter, TestCase } from 'vitest/node'

/** What stands before the name of a test that passed only when it was run again; `countStep` counts such lines. */
export const FLAKY = 'flaky: '

/** Names the tests that passed only when they were run again, which vitest's own reports do not. */
export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) console.log(`\n${FLAKY}${test.module.relativeModuleId} › ${test.fullName}`)
  }
}
