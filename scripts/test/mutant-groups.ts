import { matchesGlob } from 'node:path'

interface MutantGroup {
  /** The code that is changed on purpose, as globs. */
  mutate: string[]
  /** The tests that have to notice, as globs. Each change runs all that reach it, so only tests worth their time. */
  tests: string[]
  /** Set where modules keep state that one test file must not leave to the next; slower. */
  isIsolated?: true
  /** Set where tests open the embedded database. */
  usesDatabase?: true
}

/** What mutation testing changes, and which tests it runs. */
export const MUTANT_GROUPS: Readonly<Record<string, MutantGroup>> = {
  contract: {
    mutate: ['contract/**/*.ts'],
    tests: ['tests/unit/contract/*.test.ts', 'tests/unit/lib/constants.test.ts'],
  },
  stores: { mutate: ['src/stores/**/*.ts'], tests: ['tests/unit/stores/**/*.test.ts'], isIsolated: true },
  pages: {
    mutate: ['server/page-cache/**/*.ts'],
    tests: ['tests/unit/server/page-cache/*.test.ts'],
  },
  stock: {
    mutate: ['server/orders/{stock,lines,placing,cancelling}.ts', 'server/cart/{cart,cart-view}.ts'],
    tests: [
      'tests/api/orders/{orders,placing,cancelling,settling,held-units}.test.ts',
      'tests/api/cart/cart.test.ts',
      'tests/unit/server/orders/lines.test.ts',
    ],
    usesDatabase: true,
  },
  money: {
    mutate: ['server/payments/**/*.ts', 'server/orders/paying.ts'],
    tests: [
      'tests/api/payments/{payments,lapses,mismatch,returns,sandbox,webhooks}.test.ts',
      'tests/api/orders/{settling,money}.test.ts',
      'tests/unit/server/payments/http.test.ts',
    ],
    usesDatabase: true,
  },
  sessions: {
    mutate: [
      'server/accounts/{sessions,session-rotation,refresh-tokens,living-sessions,tokens,jwt}.ts',
      'server/accounts/{passwords,password-reset}.ts',
    ],
    tests: [
      'tests/api/accounts/{sessions,session-calls,password-reset,auth}.test.ts',
      'tests/unit/server/accounts/{tokens,passwords}.test.ts',
    ],
    usesDatabase: true,
  },
}

/**
 * The group that the environment variable MUTANT_GROUP names, as Stryker and its vitest read it; `contract` for other
 * tools that open their configuration. Throws an Error when there is no such group.
 */
export function chosenGroup(): MutantGroup & { name: string } {
  const name = process.env.MUTANT_GROUP ?? 'contract'
  const group = MUTANT_GROUPS[name]
  if (!group) throw new Error(`MUTANT_GROUP is one of ${Object.keys(MUTANT_GROUPS).join(', ')}.`)
  return { name, ...group }
}

/** Where Stryker writes what became of a group's mutants, below the project. */
export function mutantReport(group: string): string {
  return `reports/mutants/${group}.json`
}

export interface MutantRun {
  group: string
  /** Only these files of the group; all of them when empty. */
  files: string[]
}

/** The runs that `names` mean: groups, or files of a group; every group without names. Throws an Error for what is neither. */
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
