import { describe, expect, test } from 'vitest'
import type { Result } from '#scripts/test/run-step.ts'
import { schedule } from '#scripts/test/schedule.ts'
import { selectSteps, type Step } from '#scripts/test/steps.ts'

function step(name: string, rest: Partial<Step> = {}): Step {
  return { name, command: ['true'], ...rest }
}

/** Runs the steps with a short delay each, and logs when they begin and end. */
async function play(steps: Step[], failing: string[] = []): Promise<{ log: string[]; results: Result[] }> {
  const log: string[] = []
  const results = await schedule(steps, 2, async current => {
    log.push(`+${current.name}`)
    await new Promise(resolve => setTimeout(resolve, 5))
    log.push(`-${current.name}`)
    const failed = failing.includes(current.name) ? 1 : 0
    return { step: current, passed: 1 - failed, flaky: 0, failed, skipped: 0, failures: [], seconds: 0, output: '' }
  })
  return { log, results }
}

describe('schedule', () => {
  test('runs two steps at a time and continues after a failure', async () => {
    const { log, results } = await play([step('a'), step('b'), step('c')], ['a'])

    expect(log.slice(0, 2)).toEqual(['+a', '+b'])
    expect(log).toContain('-c')
    expect(results.map(result => result.failed)).toEqual([1, 0, 0])
  })

  test('never runs two steps at once that use the same resource', async () => {
    const { log } = await play([step('a', { uses: 'x' }), step('b', { uses: 'x' })])

    expect(log).toEqual(['+a', '-a', '+b', '-b'])
  })

  test('runs a step after those before it, also when they fail', async () => {
    const { log } = await play([step('last', { after: ['a', 'b', 'not selected'] }), step('a'), step('b')], ['a'])

    expect(log.at(-2)).toBe('+last')
  })

  test('counts a step as failed without running it when a needed step failed', async () => {
    const { log, results } = await play([step('a'), step('b', { needs: ['a'] })], ['a'])

    expect(log).toEqual(['+a', '-a'])
    expect(results[1]).toMatchObject({ passed: 0, failed: 1, output: "Not run, because 'a' failed.\n" })
  })
})

describe('selectSteps', () => {
  test('selects a family of steps by its name', () => {
    const names = selectSteps(['api', 'format']).map(({ name }) => name)
    expect(names).toEqual(['format', 'api-postgres', 'api-long', 'api-pglite'])
  })

  test('rejects an unknown name', () => {
    expect(() => selectSteps(['formats'])).toThrow("no step 'formats'")
  })
})
