import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NODE, ROOT, run, SIGNALLED } from './run.mjs'
import { longRuns } from './test/long-runs.ts'
import { countStep, reportTo } from './test/reports.ts'
import { printSummary, type SummaryRow } from './test/summary.ts'

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const TEST_TIMEOUT = '--testTimeout=600000'

const reports = mkdtempSync(join(tmpdir(), 'piazza-faults-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

// Tests with real servers start the built shop.
const built = await run(NODE, [join(ROOT, 'scripts/build.ts')])
if (built !== 0) process.exit(built)

const started = performance.now()
const rows: SummaryRow[] = []
const figures: string[] = []
for (const { name, projects, files, env } of longRuns(process.argv.slice(2))) {
  const startedRun = performance.now()
  const report = join(reports, `${name}.json`)
  const args = [...projects.map(project => `--project=${project}`), ...reportTo('vitest', report).args, ...files]
  const figuresFile = join(reports, `${name}.figures`)
  const runEnv = { ...process.env, ...env, FIGURES_FILE: figuresFile }
  const code = await run(NODE, [VITEST, 'run', TEST_TIMEOUT, ...args], { env: runEnv })
  const seconds = (performance.now() - startedRun) / 1000
  rows.push({ name, ...countStep(code === 0, 'vitest', report), seconds })
  if (existsSync(figuresFile)) {
    const lines = readFileSync(figuresFile, 'utf8').trimEnd().split('\n')
    figures.push(...lines.map(line => `${name.padEnd(10)}${line}`))
  }
  if (code > SIGNALLED) break
}
if (figures.length > 0) console.log(`\n${figures.join('\n')}`)
process.exitCode = printSummary(rows, (performance.now() - started) / 1000)
