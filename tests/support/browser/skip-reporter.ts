import type { Reporter, TestCase, TestResult } from 'playwright/types/testReporter'

/** Prints at the end why tests were skipped, which Playwright's list reporter leaves out. */
export default class SkipReporter implements Reporter {
  #countByReason = new Map<string, number>()

  onTestEnd(_test: TestCase, { status, annotations }: TestResult): void {
    if (status !== 'skipped') return
    const reason = annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given'
    this.#countByReason.set(reason, (this.#countByReason.get(reason) ?? 0) + 1)
  }

  onEnd(): void {
    for (const [reason, count] of this.#countByReason) console.log(`  ${count} skipped: ${reason}`)
  }

  printsToStdio(): boolean {
    return false
  }
}
