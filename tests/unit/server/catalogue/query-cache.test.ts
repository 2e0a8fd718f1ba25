import { describe, expect, test, vi } from 'vitest'
import type { OnChange } from '#server/db/changes.ts'
import { openQueryCache } from '#server/catalogue/query-cache.ts'

const OPTIONS = { max: 1000, changedBy: (tag: string) => tag === 'products' || (tag === 'one' && '["a"]') }

/** A query cache, and a function that announces a change as the database does. */
async function listeningReads() {
  let tell: OnChange = () => undefined
  const onChange = (listener: OnChange) => {
    tell = listener
    return Promise.resolve()
  }
  const reads = openQueryCache({ onChange }, OPTIONS)
  await Promise.resolve()
  return { reads, tell: (tag: string | null) => tell(tag) }
}

function counting() {
  let number = 0
  return vi.fn<() => Promise<number>>(() => Promise.resolve((number += 1)))
}

describe('cached reads', () => {
  test('run once for the same key', async () => {
    const { reads } = await listeningReads()
    const count = counting()

    const answers = await Promise.all([reads.of(['a'], count), reads.of(['a'], count), reads.of(['b'], count)])

    expect(answers).toEqual([1, 1, 2])
    expect(await reads.of(['a'], count)).toBe(1)
  })

  test.each(['products', null])('run again after the change %j', async tag => {
    const { reads, tell } = await listeningReads()
    const count = counting()
    await reads.of(['a'], count)

    tell(tag)

    expect(await reads.of(['a'], count)).toBe(2)
  })

  test.each(['home', 'product:1', 'banners'])('stay cached through the change %j', async tag => {
    const { reads, tell } = await listeningReads()
    const count = counting()
    await reads.of(['a'], count)

    tell(tag)

    expect(await reads.of(['a'], count)).toBe(1)
  })

  test('of one key run again alone when only that key has changed', async () => {
    const { reads, tell } = await listeningReads()
    const read = counting()
    await Promise.all([reads.of(['a'], read), reads.of(['b'], read)])

    tell('one')

    expect(await reads.of(['b'], read)).toBe(2)
    expect(await reads.of(['a'], read)).toBe(3)
  })

  test('are evicted when they exceed the size limit', async () => {
    const onChange = () => Promise.resolve()
    const reads = openQueryCache<number>({ onChange }, { ...OPTIONS, sizeOf: () => 600 })
    await Promise.resolve()
    const read = counting()
    await reads.of(['a'], read)
    await reads.of(['b'], read)

    expect(await reads.of(['b'], read)).toBe(2)
    expect(await reads.of(['a'], read)).toBe(3)
  })

  test('are evicted when their keys exceed the size limit', async () => {
    const { reads } = await listeningReads()
    const read = counting()
    await reads.of(['a'.repeat(500)], read)
    await reads.of(['b'.repeat(500)], read)

    expect(await reads.of(['b'.repeat(500)], read)).toBe(2)
    expect(await reads.of(['a'.repeat(500)], read)).toBe(3)
  })

  test('that were running during a change are not cached', async () => {
    const { reads, tell } = await listeningReads()
    const { promise, resolve } = Promise.withResolvers<number>()
    const before = reads.of(['a'], () => promise)

    tell('products')
    resolve(1)

    expect(await before).toBe(1)
    expect(await reads.of(['a'], () => Promise.resolve(2))).toBe(2)
  })

  test('that failed are retried', async () => {
    const { reads } = await listeningReads()

    await expect(reads.of(['a'], () => Promise.reject(new Error('away')))).rejects.toThrow('away')

    expect(await reads.of(['a'], () => Promise.resolve(3))).toBe(3)
  })

  test('run each time while changes cannot be listened for', async () => {
    const reads = openQueryCache({ onChange: () => Promise.reject(new Error('away')) }, OPTIONS)
    const count = counting()

    await reads.of(['a'], count)

    expect(await reads.of(['a'], count)).toBe(2)
  })
})
