import type { ReportKind } from './reports.ts'

export interface Step {
  name: string
  /** A program of node_modules/.bin and its arguments. */
  command: string[]
  env?: Record<string, string>
  /** The format of its test report; without one, the step counts as one test. */
  report?: ReportKind
  /** Steps that must have ended before this one, passed or failed. */
  after?: string[]
  /** Steps that must have passed before this one. */
  needs?: string[]
  /** A resource that the step needs alone: steps with the same one never run at the same time. */
  uses?: string
}

/** Many of these tests wait for a database or a process rather than for a processor. */
const WORKERS = '--maxWorkers=3'

/** A file of its own: each run of prettier without a cache, such as that of an editor, deletes the usual one. */
const FORMAT_CACHE = '--cache-location=node_modules/.cache/prettier-check'

const ON_POSTGRES = ['vitest', 'run', WORKERS, '--project=api', '--project=operators', '--project=postgres']

const IN_BROWSER = ['playwright', 'test', '--reporter=list,json']

const steps: Step[] = [
  { name: 'build', command: ['node', 'scripts/build.ts', '--if-needed'], uses: 'astro' },
  {
    name: 'format',
    command: ['prettier', '--check', '--log-level=warn', '--cache', '--cache-strategy=content', FORMAT_CACHE, '.'],
  },
  { name: 'content', command: ['node', 'scripts/check-content.ts'] },
  {
    name: 'types',
    command: ['astro', 'check', '--tsconfig=tsconfig.astro.json', '--minimumFailingSeverity=warning'],
    uses: 'astro',
  },
  // Also checks the types of all .ts and .tsx files, which needs the types of Astro's modules that `astro check`
  // writes.
  { name: 'lint', command: ['oxlint'], after: ['types'] },
  { name: 'dead-code', command: ['knip', '--cache'] },
  { name: 'unit', command: ['vitest', 'run', '--project=unit*'], report: 'vitest' },
  {
    name: 'api-postgres',
    // PGlite has only one connection, so only PostgreSQL shows conflicts of several.
    command: [...ON_POSTGRES, '--exclude=**/*.long.test.ts'],
    env: { TEST_DATABASE: 'postgres' },
    report: 'vitest',
    after: ['build'],
  },
  {
    name: 'process',
    command: ['vitest', 'run', WORKERS, '--project=process', '--exclude=**/*.long.test.ts'],
    report: 'vitest',
    after: ['build'],
  },
]

const browser: Step = {
  name: 'e2e',
  command: [...IN_BROWSER, '--project=phone', '--project=desktop', '--grep-invert=@long'],
  report: 'playwright',
  needs: ['build'],
  after: steps.map(step => step.name),
}

/** What only CI runs (docs/decisions/0023-npm-test-runs-each-test-once.md). */
const extra: Step[] = [
  {
    name: 'e2e-long',
    command: [...IN_BROWSER, '--project=phone', '--project=desktop', '--grep=@long'],
    report: 'playwright',
    needs: ['build'],
    after: [browser.name],
  },
  {
    name: 'e2e-wide',
    command: [...IN_BROWSER, '--project=wide'],
    report: 'playwright',
    needs: ['build'],
    after: ['e2e-long'],
  },
  {
    name: 'api-long',
    command: [...ON_POSTGRES, '.long.test.ts'],
    env: { TEST_DATABASE: 'postgres' },
    report: 'vitest',
    after: ['build', browser.name, 'e2e-wide'],
  },
  {
    name: 'process-long',
    command: ['vitest', 'run', WORKERS, '--project=process', '.long.test.ts'],
    report: 'vitest',
    after: ['build', browser.name, 'e2e-wide'],
  },
  {
    name: 'api-pglite',
    command: ['vitest', 'run', WORKERS, '--project=api', '--project=operators'],
    report: 'vitest',
    after: ['build', browser.name, 'e2e-wide'],
  },
]

/** The steps of `npm test`, in the order in which they start. */
export const STEPS: readonly Step[] = [...steps, browser]

/** The steps of `npm test -- --all`. */
export const ALL_STEPS: readonly Step[] = [...STEPS, ...extra]

/** The steps for `names`: `api` selects all whose names start with `api-`. Throws an Error for an unknown name. */
export function selectSteps(names: string[]): Step[] {
  for (const name of names) {
    if (!ALL_STEPS.some(step => hasName(step, name))) {
      throw new Error(`There is no step '${name}'. The steps are ${ALL_STEPS.map(step => step.name).join(', ')}.`)
    }
  }
  return ALL_STEPS.filter(step => names.some(name => hasName(step, name)))
}

function hasName(step: Step, name: string): boolean {
  return step.name === name || step.name.startsWith(`${name}-`)
}
