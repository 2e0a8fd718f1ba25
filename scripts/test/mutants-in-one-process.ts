import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { NODE, ROOT, run, SIGNALLED } from '../run.mjs'
import { instrument } from './instrumented.ts'
import { MUTANT_GROUPS, type MutantRun, mutantReport } from './mutant-groups.ts'
import { THRESHOLDS } from './mutant-score.ts'
import { type Judged, judge, readLines } from './mutant-tries.ts'

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
/** Two of them are Stryker's. */
const OPTIONS = {
  'in-one-process': { type: 'boolean' },
  ignoreStatic: { type: 'boolean' },
  resume: { type: 'boolean' },
  testFiles: { type: 'string' },
} as const

type Mutant = Awaited<ReturnType<typeof instrument>>['mutants'][number]

/** Tries all mutants of a group or its files with one run of its tests, writes Stryker's report, prints survivors. */
export async function tryInOneProcess({ group, files }: MutantRun, args: string[]): Promise<void> {
  const options = parseArgs({ args, options: OPTIONS }).values
  const globs = files.length > 0 ? files : (MUTANT_GROUPS[group]?.mutate ?? [])
  const report = join(ROOT, mutantReport(group))
  const tries = report.replace('.json', '.tries.jsonl')
  mkdirSync(dirname(report), { recursive: true })
  if (!options.resume) rmSync(tries, { force: true })
  const env = { ...process.env, MUTANT_GROUP: group, MUTATED_FILES: globs.join('\n') }
  const runTests = (args: string[], more: Record<string, string>) =>
    run(NODE, [VITEST, 'run', '--config', 'vitest.mutants.config.ts', ...args], { env: { ...env, ...more } })

  const testFiles = options.testFiles?.split(',') ?? []
  let remaining = testFiles
  do {
    const from = readLines(tries).length
    const code = await runTests(remaining, { MUTANT_TRIES: tries })
    if (code > SIGNALLED) throw new Error('The tests were stopped')
    remaining = readLines(tries)
      .slice(from)
      .flatMap(line => ('abandoned' in line ? [line.abandoned] : []))
  } while (remaining.length > 0)

  const { mutants } = await instrument(globs)
  const ids = mutants.map(({ id }) => id)
  const { results, once, unusable } = judge(readLines(tries), ids)
  const pass = async (mutantEnv: Record<string, string>) => {
    const code = await runTests([...testFiles, '--bail=1', '--reporter=dot'], mutantEnv)
    if (code > SIGNALLED) throw new Error('The tests were stopped')
    return code === 0
  }
  const untried = options.ignoreStatic ? [] : once
  if (untried.length > 0 && !(await pass({}))) throw new Error('The tests fail without a mutant')
  for (const id of untried) {
    const hasSurvived = await pass({ __STRYKER_ACTIVE_MUTANT__: id })
    results.set(id, { status: hasSurvived ? 'Survived' : 'Killed' })
  }
  writeFileSync(report, JSON.stringify(reportOf(mutants, results), null, 1))
  for (const mutant of mutants) {
    const { status } = results.get(mutant.id) ?? {}
    if (status !== 'Killed' && status !== 'Timeout') console.log(`${status}: ${describeMutant(mutant)}`)
  }
  for (const test of unusable) console.log(`Not used, because it fails when it is repeated: ${test}`)
}

/** A report of the mutation-testing-report-schema, which counts lines and columns from 1. */
function reportOf(mutants: readonly Mutant[], results: Judged['results']) {
  const place = ({ line, column }: { line: number; column: number }) => ({ line: line + 1, column: column + 1 })
  const files = Map.groupBy(mutants, ({ fileName }) => fileName)
  const fileReports = [...files].map(([name, own]) => [
    name,
    {
      language: 'typescript',
      source: readFileSync(join(ROOT, name), 'utf8'),
      mutants: own.map(({ id, mutatorName, replacement, location }) => {
        const { start, end } = location
        return { id, mutatorName, replacement, location: { start: place(start), end: place(end) }, ...results.get(id) }
      }),
    },
  ])
  const { high, low } = THRESHOLDS
  return { schemaVersion: '2', thresholds: { high, low }, files: Object.fromEntries(fileReports) }
}

function describeMutant({ fileName, location: { start, end }, replacement }: Mutant): string {
  const lines = readFileSync(join(ROOT, fileName), 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1)
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column) ?? ''
  lines[0] = lines[0]?.slice(start.column) ?? ''
  const onOneLine = (code: string) => code.replace(/\s+/g, ' ')
  return `${fileName}:${start.line + 1}:${start.column + 1}  ${onOneLine(lines.join(' '))}  ->  ${onOneLine(replacement)}`
}
