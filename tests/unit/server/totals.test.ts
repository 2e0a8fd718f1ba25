import { describe, expect, test, vi } from 'vitest'
import type { OnChange } from '#server/db/changes.ts'
import { keepTotals } from '#server/services/totals.ts'

/** Totals, and the database's voice for them. */
async function listeningTotals() {
  let tell: OnChange = () => undefined
  const totals = keepTotals({
    onChange: listener => {
      tell = listener
      return Promise.resolve()
    },
  })
  await Promise.resolve()
  return { totals, tell: (tag: string | null) => tell(tag) }
}

function counting() {
  let number = 0
  return vi.fn<() => Promise<number>>(() => Promise.resolve((number += 1)))
}

describe('totals', () => {
  test('are counted once for the same question', async () => {
    const { totals } = await listeningTotals()
    const count = counting()

    const answers = await Promise.all([totals.of(['a'], count), totals.of(['a'], count), totals.of(['b'], count)])

    expect(answers).toEqual([1, 1, 2])
    expect(await totals.of(['a'], count)).toBe(1)
  })

  test.each(['products', null])('are counted again after the change %j', async tag => {
    const { totals, tell } = await listeningTotals()
    const count = counting()
    await totals.of(['a'], count)

    tell(tag)

    expect(await totals.of(['a'], count)).toBe(2)
  })

  test.each(['home', 'product:1', 'banners'])('stay through the change %j', async tag => {
    const { totals, tell } = await listeningTotals()
    const count = counting()
    await totals.of(['a'], count)

    tell(tag)

    expect(await totals.of(['a'], count)).toBe(1)
  })

  test('that were being counted when something changed are not kept', async () => {
    const { totals, tell } = await listeningTotals()
    const { promise, resolve } = Promise.withResolvers<number>()
    const before = totals.of(['a'], () => promise)

    tell('products')
    resolve(1)

    expect(await before).toBe(1)
    expect(await totals.of(['a'], () => Promise.resolve(2))).toBe(2)
  })

  test('that could not be counted are tried again', async () => {
    const { totals } = await listeningTotals()

    await expect(totals.of(['a'], () => Promise.reject(new Error('away')))).rejects.toThrow('away')

    expect(await totals.of(['a'], () => Promise.resolve(3))).toBe(3)
  })

  test('are counted each time while nobody can be heard', async () => {
    const totals = keepTotals({ onChange: () => Promise.reject(new Error('away')) })
    const count = counting()

    await totals.of(['a'], count)

    expect(await totals.of(['a'], count)).toBe(2)
  })
})
