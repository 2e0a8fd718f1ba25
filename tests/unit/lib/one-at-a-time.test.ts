import { expect, test } from 'vitest'
import { oneAtATime } from '#lib/one-at-a-time.ts'

function recorder() {
  const runs: PromiseWithResolvers<void>[] = []
  const start = oneAtATime(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  return { runs, start }
}

test('calls during a run share one more run after it', async () => {
  const { runs, start } = recorder()
  const [first, second, third] = [start(), start(), start()]
  expect(runs).toHaveLength(1)

  runs[0]!.resolve()
  await first
  expect(runs).toHaveLength(2)
  runs[1]!.resolve()
  await Promise.all([second, third])

  expect(runs).toHaveLength(2)
  void start()
  expect(runs).toHaveLength(3)
})

test('a failed run rejects its own callers only', async () => {
  const { runs, start } = recorder()
  const [first, second] = [start(), start()]

  runs[0]!.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  runs[1]!.resolve()

  expect(await second).toBeUndefined()
})
