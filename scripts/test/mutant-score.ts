import { readFileSync } from 'node:fs'

interface MutantReport {
  files: Record<string, { mutants: { status: string }[] }>
}

export interface MutantScore {
  /** A test failed, or the changed code did not end. */
  noticed: number
  /** Those that no test reaches included. */
  survived: number
  percent: number
}

/** What a report of Stryker (mutation-testing-report-schema) adds up to; invalid and ignored mutants do not count. */
export function scoreReport(file: string): MutantScore {
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as MutantReport
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...counted: string[]) => statuses.filter(status => counted.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const survived = count('Survived', 'NoCoverage')
  return { noticed, survived, percent: (100 * noticed) / (noticed + survived) }
}
