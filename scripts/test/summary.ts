import type { Counts } from './reports.ts'

export interface SummaryRow extends Counts {
  name: string
  seconds: number
}

/** Prints failures, counts and their sum. Returns the exit code: 1 if anything failed or nothing passed. */
export function printSummary(rows: readonly SummaryRow[], seconds: number): number {
  const sum = (count: (row: SummaryRow) => number) => rows.reduce((total, row) => total + count(row), 0)
  const [passed, failed] = [sum(row => row.passed), sum(row => row.failed)]
  for (const row of rows) {
    for (const failure of row.failures) console.log(`\n${row.name}: ${failure}`)
  }
  console.log(`\n${'step'.padEnd(14)}  passed  flaky  failed  skipped  seconds`)
  for (const row of rows) {
    const cells = [
      String(row.passed).padStart(6),
      String(row.flaky).padStart(5),
      String(row.failed).padStart(6),
      String(row.skipped).padStart(7),
    ]
    console.log(`${row.name.padEnd(14)}  ${cells.join('  ')}  ${row.seconds.toFixed(1).padStart(7)}`)
  }
  console.log(`\nAll in ${seconds.toFixed(0)} s.\n${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? 1 : 0
}
