import type { ReportKind } from './reports.ts'

export interface Step {
  name: string
  /** A program of node_modules/.bin and its arguments. */
  command: string[]
  env?: Record<string, string>
  /** How its tests are counted; without a report the step itself counts as one. */
  report?: ReportKind
  /** Steps that must have ended before, well or not. */
  after?: string[]
  /** Steps without whose success this one makes no sense. */
  needs?: string[]
  /** Two steps that use the same thing never run at the same time. */
  uses?: string
}

/** What has not changed since the last run need not be looked at again. */
const TYPES_CACHE = 'node_modules/.cache/types.tsbuildinfo'

const steps: Step[] = [
  { name: 'build', command: ['node', 'scripts/build.ts', '--if-needed'], uses: 'astro' },
  {
    name: 'format',
    command: ['prettier', '--check', '--log-level=warn', '--cache', '.'],
  },
  { name: 'lint', command: ['oxlint'] },
  { name: 'content', command: ['node', 'scripts/check-content.ts'] },
  {
    name: 'types-astro',
    command: ['astro', 'check', '--tsconfig=tsconfig.astro.json', '--minimumFailingSeverity=warning'],
    uses: 'astro',
  },
  {
    name: 'types',
    command: ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', TYPES_CACHE],
    after: ['types-astro'],
  },
  { name: 'dead-code', command: ['knip'] },
  { name: 'unit', command: ['vitest', 'run', '--project=unit*'], report: 'vitest' },
  {
    name: 'api-pglite',
    command: ['vitest', 'run', '--project=api', '--project=operators', '--project=process'],
    report: 'vitest',
    after: ['build'],
  },
  {
    name: 'api-postgres',
    // What only PostgreSQL can show: PGlite has one connection.
    command: ['vitest', 'run', '--project=api', '--project=operators', '--project=postgres'],
    env: { TEST_DATABASE: 'postgres' },
    report: 'vitest',
    after: ['build'],
  },
]

const browser: Step = {
  name: 'e2e',
  command: ['playwright', 'test', '--reporter=list,json'],
  report: 'playwright',
  needs: ['build'],
  after: steps.map(step => step.name),
}

/** Every step in the order in which they are started. */
export const STEPS: readonly Step[] = [...steps, browser]

/** The steps that `names` mean: `api` means `api-pglite` and `api-postgres`. Throws an Error for a name that means none. */
export function selectSteps(names: string[]): Step[] {
  for (const name of names) {
    if (!STEPS.some(step => isMeant(step, name))) {
      throw new Error(`There is no step '${name}'. The steps are ${STEPS.map(step => step.name).join(', ')}.`)
    }
  }
  return STEPS.filter(step => names.some(name => isMeant(step, name)))
}

function isMeant(step: Step, name: string): boolean {
  return step.name === name || step.name.startsWith(`${name}-`)
}
