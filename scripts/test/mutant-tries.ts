import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** How often each mutant ran, by its id. */
export type Hits = Readonly<Record<string, number>>

/**
 * What a run of a test with a mutant showed. `unsettled`: the test failed, and then also without a mutant, so that an
 * earlier mutant may have damaged the shop. `not run`: the code runs once only, for example to prepare a statement, and
 * had run before.
 */
export type Outcome = 'passed' | 'failed' | 'timed out' | 'unsettled' | 'not run'

/** A line of the file in which a run of the tests records what it tried. Tests are named by their file and name. */
export type Line =
  | { test: string; mutant: string; outcome: Outcome }
  /** Mutants that ran outside of tests: when modules were loaded and shops started. */
  | { loaded: Hits }
  /** A test that has tried all its mutants. */
  | { done: string }
  /** A test that fails without a mutant, or the second time. */
  | { unusable: string }
  /** A test file whose shop no longer worked, so that the rest needs a new one. */
  | { abandoned: string }

export function readLines(file: string): Line[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as Line)
}

export function addLine(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

interface Result {
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored'
  /** The test that detected it. */
  statusReason?: string | undefined
}

export interface Judged {
  /** By mutant. Those in code that runs once only are ignored: it has run before a test can switch them on. */
  results: Map<string, Result>
  /** Undetected mutants in code that runs once only, or also when modules are loaded. */
  once: string[]
  /** Tests that could not be repeated. */
  unusable: Set<string>
}

/** What the tries show about the mutants `ids`. */
export function judge(lines: readonly Line[], ids: readonly string[]): Judged {
  const results = new Map<string, Result>(ids.map(id => [id, { status: 'NoCoverage' }]))
  const runOnce = new Set<string>()
  const unusable = new Set<string>()
  for (const line of lines) {
    if ('unusable' in line) unusable.add(line.unusable)
    if ('loaded' in line) for (const id of Object.keys(line.loaded)) runOnce.add(id)
    if (!('outcome' in line)) continue
    if (line.outcome === 'not run') runOnce.add(line.mutant)
    else if (line.outcome === 'failed') results.set(line.mutant, { status: 'Killed', statusReason: line.test })
    else if (line.outcome === 'timed out') results.set(line.mutant, { status: 'Timeout', statusReason: line.test })
    else if (results.get(line.mutant)?.status === 'NoCoverage') results.set(line.mutant, { status: 'Survived' })
  }
  const statusOf = (id: string) => results.get(id)?.status
  const once = [...runOnce].filter(id => statusOf(id) === 'Survived' || statusOf(id) === 'NoCoverage')
  for (const id of once) if (statusOf(id) === 'NoCoverage') results.set(id, { status: 'Ignored' })
  return { results, once, unusable }
}
