import { expect, test, vi } from 'vitest'
import { atFirstUse } from '#server/platform/first-use.ts'

test('atFirstUse creates the value once for concurrent callers', async () => {
  const make = vi.fn<() => Promise<number>>(() => Promise.resolve(1))
  const use = atFirstUse(make)
  expect(make).not.toHaveBeenCalled()

  expect(await Promise.all([use(), use()])).toEqual([1, 1])
  expect(await use()).toBe(1)
  expect(make).toHaveBeenCalledTimes(1)
})

test('atFirstUse tries again after a failure', async () => {
  const make = vi.fn<() => Promise<number>>(() => Promise.resolve(2)).mockRejectedValueOnce(new Error('away'))
  const use = atFirstUse(make)

  await expect(use()).rejects.toThrow('away')

  expect(await use()).toBe(2)
})
