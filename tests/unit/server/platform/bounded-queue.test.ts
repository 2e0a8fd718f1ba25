import { describe, expect, test, vi } from 'vitest'
import { AbandonedError, openBoundedQueue, QueueFullError } from '#server/platform/bounded-queue.ts'
import { PATIENCE } from '#tests/support/patience.ts'

/** Work that the test ends. */
function openWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: vi.fn<() => Promise<string>>(() => promise), end: () => resolve('done'), fail: reject }
}

describe('a bounded queue', () => {
  test('runs up to its limit at once, and the others in turn', async () => {
    const inTurn = openBoundedQueue({ atOnce: 2, maxWaiting: 5 })
    const works = Array.from({ length: 4 }, openWork)
    const results = works.map(({ work }) => inTurn(work))

    await vi.waitFor(() => expect(works.map(({ work }) => work.mock.calls.length)).toEqual([1, 1, 0, 0]), PATIENCE)
    works[1]!.end()
    await vi.waitFor(() => expect(works.map(({ work }) => work.mock.calls.length)).toEqual([1, 1, 1, 0]), PATIENCE)
    for (const { end } of works) end()

    expect(await Promise.all(results)).toEqual(Array(4).fill('done'))
  })

  test('rejects work when it is full, and accepts work again when there is room', async () => {
    const inTurn = openBoundedQueue({ atOnce: 1, maxWaiting: 1 })
    const [first, second] = [openWork(), openWork()]
    const results = [inTurn(first.work), inTurn(second.work)]

    await expect(inTurn(async () => 'third')).rejects.toThrow(QueueFullError)
    first.end()
    second.end()
    await Promise.all(results)
    expect(await inTurn(async () => 'fourth')).toBe('fourth')
  })

  test('rejects work that has waited too long', async () => {
    const inTurn = openBoundedQueue({ atOnce: 1, maxWaiting: 5, maxWaitMs: 20 })
    const first = openWork()
    const result = inTurn(first.work)
    const late = vi.fn<() => Promise<string>>()

    await expect(inTurn(late)).rejects.toThrow(QueueFullError)
    first.end()
    await result
    expect(late).not.toHaveBeenCalled()
    expect(await inTurn(async () => 'next')).toBe('next')
  })

  test('drops aborted work at once', async () => {
    const inTurn = openBoundedQueue({ atOnce: 1, maxWaiting: 1 })
    const [first, second, third] = [openWork(), openWork(), openWork()]
    const gone = new AbortController()
    const results = [inTurn(first.work)]
    const abandoned = inTurn(second.work, gone.signal)

    gone.abort('connection reset')
    await expect(abandoned).rejects.toThrow(AbandonedError)
    results.push(inTurn(third.work))
    first.end()
    third.end()

    expect(await Promise.all(results)).toEqual(['done', 'done'])
    expect(second.work).not.toHaveBeenCalled()
    await expect(inTurn(second.work, gone.signal)).rejects.toThrow(AbandonedError)
  })

  test('continues after work that fails', async () => {
    const inTurn = openBoundedQueue({ atOnce: 1, maxWaiting: 1 })

    await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await inTurn(async () => 'next')).toBe('next')
  })
})
