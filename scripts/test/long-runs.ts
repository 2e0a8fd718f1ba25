import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../run.mjs'

/** A vitest run of tests that take too long for `npm test`, or that run more rounds here. */
interface LongRun {
  name: string
  projects: string[]
  files: string[]
  env: Record<string, string>
}

const THOROUGH = { TEST_FAULTS: 'on' }
/** The only module that reads TEST_FAULTS. */
const ROUNDS = '#tests/support/rounds.ts'

/**
 * All long runs, or only their files whose paths contain one of `names`. They include the tests under `tests/faults`,
 * which choose their databases, and all others that import `rounds`, which run on each database they support.
 */
export function longRuns(names: readonly string[] = []): LongRun[] {
  const runs: LongRun[] = [
    { name: 'unit', projects: ['unit*'], files: withRounds('unit'), env: THOROUGH },
    {
      name: 'pglite',
      projects: ['api', 'operators', 'process'],
      files: withRounds('{api,operators,process}'),
      env: THOROUGH,
    },
    {
      name: 'postgres',
      projects: ['api', 'operators', 'postgres'],
      files: withRounds('{api,operators,postgres}'),
      env: { ...THOROUGH, TEST_DATABASE: 'postgres' },
    },
    { name: 'faults', projects: ['faults'], files: testsIn('faults'), env: THOROUGH },
  ]
  if (names.length === 0) return runs
  return runs
    .map(run => ({ ...run, files: run.files.filter(file => names.some(name => file.includes(name))) }))
    .filter(({ files }) => files.length > 0)
}

function withRounds(folders: string): string[] {
  return testsIn(folders).filter(file => readFileSync(join(ROOT, file), 'utf8').includes(ROUNDS))
}

function testsIn(folders: string): string[] {
  return globSync(`tests/${folders}/**/*.test.ts`, { cwd: ROOT }).toSorted()
}
