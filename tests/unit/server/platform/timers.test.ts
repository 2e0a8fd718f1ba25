import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat } from '#server/platform/timers.ts'

const EVERY_MS = 1000

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('repeat runs the work again, also after a failure, but never twice at once', async () => {
  const onError = vi.fn<(error: unknown) => void>()
  const first = Promise.withResolvers<void>()
  const work = vi.fn<() => Promise<void>>().mockReturnValueOnce(first.promise).mockRejectedValueOnce(new Error('once'))
  work.mockResolvedValue()
  const repeated = repeat({ everyMs: EVERY_MS, work, onError })

  expect(work).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS)
  expect(work).toHaveBeenCalledTimes(1)

  first.resolve()
  await vi.advanceTimersByTimeAsync(2 * EVERY_MS)
  expect(work).toHaveBeenCalledTimes(3)
  expect(onError.mock.calls).toEqual([[new Error('once')]])

  await repeated.close()
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS)
  expect(work).toHaveBeenCalledTimes(3)
})

test('closing waits for the running work', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const repeated = repeat({ everyMs: EVERY_MS, work: () => promise, onError: vi.fn<() => void>() })
  await vi.advanceTimersByTimeAsync(EVERY_MS)

  let isClosed = false
  const closing = repeated.close().then(() => (isClosed = true))
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(isClosed).toBe(false)
  resolve()
  await closing
  expect(isClosed).toBe(true)
})
