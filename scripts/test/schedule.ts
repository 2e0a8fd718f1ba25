import type { Result } from './run-step.ts'
import type { Step } from './steps.ts'

/**
 * Runs the steps in order, at most `lanes` at a time, as soon as their `after`, `needs` and `uses` allow. A step is
 * skipped and counts as failed if one of its `needs` has failed.
 */
export async function schedule(
  steps: readonly Step[],
  lanes: number,
  run: (step: Step) => Promise<Result>,
): Promise<Result[]> {
  const waiting = new Set(steps)
  const running = new Map<Step, Promise<Result>>()
  const results = new Map<string, Result>()

  function canStart(step: Step): boolean {
    const before = [...(step.after ?? []), ...(step.needs ?? [])]
    const isBlocked = steps.some(other => before.includes(other.name) && !results.has(other.name))
    const isTaken = step.uses !== undefined && [...running.keys()].some(other => other.uses === step.uses)
    return !isBlocked && !isTaken && running.size < lanes
  }

  while (waiting.size + running.size > 0) {
    for (const step of waiting) {
      if (!canStart(step)) continue
      waiting.delete(step)
      const missing = step.needs?.find(name => (results.get(name)?.failed ?? 0) > 0)
      running.set(step, missing ? Promise.resolve(notRun(step, missing)) : run(step))
    }
    if (running.size === 0) throw new Error('The steps wait for one another.')
    const result = await Promise.race(running.values())
    running.delete(result.step)
    results.set(result.step.name, result)
  }
  return steps.flatMap(step => results.get(step.name) ?? [])
}

function notRun(step: Step, missing: string): Result {
  const output = `Not run, because '${missing}' failed.\n`
  return { step, passed: 0, flaky: 0, failed: 1, skipped: 0, failures: [], seconds: 0, output }
}
