import { readFileSync } from 'node:fs'

/** Percent. A group fails below `break`; the others only colour Stryker's reports. */
export const THRESHOLDS = { high: 95, low: 85, break: 85 }

interface MutantReport {
  files: Record<string, { mutants: { status: string }[] }>
}

export interface MutantScore {
  /** Mutants that made a test fail or time out. */
  detected: number
  /** Including mutants that no test reaches. */
  survived: number
  percent: number
}

/** The score of a Stryker report (mutation-testing-report-schema). Invalid and ignored mutants do not count. */
export function scoreReport(file: string): MutantScore {
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as MutantReport
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...counted: string[]) => statuses.filter(status => counted.includes(status)).length
  const detected = count('Killed', 'Timeout')
  const survived = count('Survived', 'NoCoverage')
  return { detected, survived, percent: (100 * detected) / (detected + survived) }
}
