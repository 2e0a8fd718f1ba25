import { matchesGlob } from 'node:path'

interface MutantGroup {
  /** The code to mutate, as globs. */
  mutate: string[]
  /**
   * The tests that must detect the mutants, as globs. Keep the list short: each mutant runs all tests that reach it.
   */
  tests: string[]
  /** Set if modules hold state that must not leak from one test file to the next; slower. */
  isIsolated?: true
  /** Set if tests open the embedded database. */
  usesDatabase?: true
}

/** The groups of code for mutation testing, with the tests to run. */
export const MUTANT_GROUPS: Readonly<Record<string, MutantGroup>> = {
  contract: {
    mutate: ['contract/**/*.ts'],
    tests: ['tests/unit/contract/*.test.ts', 'tests/unit/lib/constants.test.ts'],
  },
  stores: { mutate: ['src/stores/**/*.ts'], tests: ['tests/unit/stores/**/*.test.ts'], isIsolated: true },
  pages: {
    mutate: ['server/page-cache/**/*.ts'],
    tests: ['tests/unit/server/page-cache/*.test.ts', 'tests/unit/server/config.test.ts'],
  },
  stock: {
    mutate: ['server/orders/{stock,pricing,placing,cancelling}.ts', 'server/cart/{cart,cart-view}.ts'],
    tests: [
      'tests/api/orders/{orders,largest,numbers,later-reports,parcels,placing,cancelling,refunds,settling,held-units,variants,wire}.test.ts',
      'tests/api/cart/{cart,variants}.test.ts',
      'tests/api/{payments/lapses,payments/returns,returns/returns,operators/customers}.test.ts',
      'tests/unit/server/orders/pricing.test.ts',
    ],
    usesDatabase: true,
  },
  providers: {
    mutate: ['server/payments/providers/{config,flutterwave,http,refunds,signature,stripe}.ts'],
    tests: ['tests/unit/server/payments/*.test.ts', 'tests/unit/server/config.test.ts'],
  },
  money: {
    mutate: ['server/payments/*.ts', 'server/payments/providers/configured-provider.ts', 'server/orders/paying.ts'],
    tests: [
      'tests/api/payments/{charges,failed-payments,lapses,messages,mismatch,none,part-refunds,payments}.test.ts',
      'tests/api/payments/{refund-records,returns,sandbox,silent-payments,slow-refunds,webhooks}.test.ts',
      'tests/api/orders/{later-reports,settling,money}.test.ts',
      'tests/api/returns/free-parts.test.ts',
      'tests/api/operators/{doctor,orders-to-ship}.test.ts',
    ],
    usesDatabase: true,
  },
  sessions: {
    mutate: [
      'server/accounts/{sessions,session-ending,session-rotation,refresh-tokens,session-cache,tokens,jwt}.ts',
      'server/accounts/{passwords,password-reset}.ts',
    ],
    tests: [
      'tests/api/accounts/{sessions,session-calls,session-list,access-tokens,password-reset,auth}.test.ts',
      'tests/unit/server/accounts/{tokens,passwords}.test.ts',
    ],
    usesDatabase: true,
  },
}

/**
 * The group in the environment variable MUTANT_GROUP, for the configurations of Stryker and of its vitest. Other tools
 * that load these configurations get `contract`. Throws an Error for an unknown group.
 */
export function chosenGroup(): MutantGroup & { name: string } {
  const name = process.env.MUTANT_GROUP ?? 'contract'
  const group = MUTANT_GROUPS[name]
  if (!group) throw new Error(`MUTANT_GROUP is one of ${Object.keys(MUTANT_GROUPS).join(', ')}.`)
  return { name, ...group }
}

/** The path of Stryker's report on a group, relative to the project. */
export function mutantReport(group: string): string {
  return `reports/mutants/${group}.json`
}

export interface MutantRun {
  group: string
  /** Only these files of the group; all if empty. */
  files: string[]
}

/** The runs for `names`, each a group or a file of one; all groups without names. Throws an Error for other names. */
export function mutantRuns(names: readonly string[]): MutantRun[] {
  if (names.length === 0) return Object.keys(MUTANT_GROUPS).map(group => ({ group, files: [] }))
  const files = new Map<string, string[]>()
  for (const name of names) {
    const group = groupOf(name)
    files.set(group, [...(files.get(group) ?? []), ...(group === name ? [] : [name])])
  }
  return [...files].map(([group, files]) => ({ group, files }))
}

function groupOf(name: string): string {
  if (name in MUTANT_GROUPS) return name
  const found = Object.entries(MUTANT_GROUPS).find(([, { mutate }]) => mutate.some(glob => matchesGlob(name, glob)))
  if (found) return found[0]
  throw new Error(`'${name}' is no group and no file of one. The groups are ${Object.keys(MUTANT_GROUPS).join(', ')}.`)
}
