import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findOrInstallChromium } from '#tests/support/browser/chromium.ts'
import { killRunningSteps, type Result, runStep } from './run-step.ts'
import { schedule } from './schedule.ts'
import { ALL_STEPS, STEPS, selectSteps } from './steps.ts'
import { printSummary } from './summary.ts'

const LANES = 2
const STOPPED = 130
const reports = mkdtempSync(join(tmpdir(), 'piazza-test-'))

process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    killRunningSteps()
    process.exit(STOPPED)
  })
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, all: { type: 'boolean' } } })
  const steps = values.only ? selectSteps(values.only.split(',')) : values.all ? ALL_STEPS : STEPS
  if (steps.some(step => step.report === 'playwright')) prepareBrowser()

  const started = performance.now()
  const results = await schedule(steps, LANES, async step => {
    console.log(`… ${step.name}`)
    const result = await runStep(step, reports)
    show(result)
    return result
  })
  const rows = results.map(({ step, ...result }) => ({ name: step.name, ...result }))
  return printSummary(rows, (performance.now() - started) / 1000)
}

/** Installs the browser if it is missing. If that fails, the other steps still run, and the browser tests fail. */
function prepareBrowser(): void {
  try {
    process.env.CHROMIUM_PATH = findOrInstallChromium()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
}

function show({ step, failed, seconds, output }: Result): void {
  const outcome = failed > 0 ? 'FAILED' : 'passed'
  console.log(`\n── ${step.name}: ${outcome} in ${seconds.toFixed(1)} s (${step.command.join(' ')})`)
  if (output.trim()) console.log(output.trimEnd())
  console.log()
}
