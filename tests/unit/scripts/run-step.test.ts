import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { runStep } from '#scripts/test/run-step.ts'
import type { Step } from '#scripts/test/steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'piazza-run-step-'))
const marker = join(folder, 'has-run')
beforeEach(() => rmSync(marker, { force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

const CRASH = "process.kill(process.pid, 'SIGTRAP')"
const REPORT = `
  const { argv } = process
  const file = argv.find(argument => argument.startsWith('--outputFile.json=')).slice('--outputFile.json='.length)
  const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
  fs.writeFileSync(file, JSON.stringify(counts))
`

function stepOf(name: string, script: string): Step {
  return { name, command: [process.execPath, '-e', script, '--'], report: 'vitest' }
}

describe('runStep', () => {
  test('runs a test runner that crashes once more, and says so', async () => {
    const crashesAtFirst = `
      const isFirst = !fs.existsSync(${JSON.stringify(marker)})
      fs.writeFileSync(${JSON.stringify(marker)}, '')
      if (isFirst) { ${CRASH} } else { ${REPORT} }
    `
    const result = await runStep(stepOf('crashes-at-first', crashesAtFirst), folder)
    expect(result).toMatchObject({
      passed: 3,
      flaky: 1,
      failed: 0,
      failures: ['the test runner crashed (SIGTRAP) and was run once more'],
    })
    expect(existsSync(marker)).toBe(true)
  })

  test('counts a test runner that crashes twice as failed', async () => {
    expect(await runStep(stepOf('crashes', CRASH), folder)).toMatchObject({ passed: 0, failed: 1 })
  })

  test('runs a step with a report once, whatever its exit code', async () => {
    const result = await runStep(stepOf('fails', `${REPORT}; process.exit(1)`), folder)
    expect(result).toMatchObject({ passed: 3, flaky: 0, failed: 1, failures: [] })
  })
})
