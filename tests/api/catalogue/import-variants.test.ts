import { afterAll, describe, expect, test } from 'vitest'
import { importText, sheet, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

const COLUMNS = 'Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Price'
type Kind = [colour: string, size: string, sku: string]
const tee = (handle: string, kinds: Kind[]) =>
  sheet(
    COLUMNS,
    ...kinds.map(([colour, size, sku], at) =>
      [handle, ...(at === 0 ? ['Tee', 'Colour', colour, 'Size'] : ['', '', colour, '']), size, sku, 5].join(','),
    ),
  )
const idsOf = async (handle: string) =>
  Object.fromEntries(
    (await storedProduct(db, handle)).variants.map(({ id, options }) => [options.map(each => each[1]).join(' '), id]),
  )
/** Imports these kinds, then those. Returns the ids of the variants before and after. */
async function reimport(handle: string, kinds: Kind[], others: Kind[]) {
  expect((await importText(db, tee(handle, kinds))).problems).toEqual([])
  const before = await idsOf(handle)
  expect((await importText(db, tee(handle, others))).problems).toEqual([])
  return { before, after: await idsOf(handle) }
}

describe('a variant whose options change', () => {
  test('stays the same one by its SKU', async () => {
    const { before, after } = await reimport(
      'renamed',
      [
        ['Red', 'S', 'TEE-S'],
        ['Red', 'M', 'TEE-M'],
      ],
      [
        ['Crimson', 'M', 'TEE-M'],
        ['Crimson', 'S', 'TEE-S'],
      ],
    )
    expect(after).toEqual({ 'Crimson S': before['Red S'], 'Crimson M': before['Red M'] })
  })

  test.each<[string, Kind[], Kind[]]>([
    [
      'shared-both',
      [
        ['Red', 'S', 'TEE'],
        ['Red', 'M', 'TEE'],
      ],
      [
        ['Crimson', 'S', 'TEE'],
        ['Crimson', 'M', 'TEE'],
      ],
    ],
    [
      'shared-before',
      [
        ['Red', 'S', 'TEE'],
        ['Red', 'M', 'TEE'],
      ],
      [['Crimson', 'S', 'TEE']],
    ],
    [
      'shared-after',
      [['Red', 'M', 'TEE']],
      [
        ['Crimson', 'S', 'TEE'],
        ['Crimson', 'M', 'TEE'],
      ],
    ],
  ])('never becomes another size when several variants have its SKU (%s)', async (handle, kinds, others) => {
    const { before, after } = await reimport(handle, kinds, others)

    const known = new Set(Object.values(before))
    expect(Object.values(after).filter(id => known.has(id))).toEqual([])
  })

  test('never becomes another one when its SKU is shared with a variant that stays', async () => {
    const { before, after } = await reimport(
      'shared-with-kept',
      [
        ['Red', 'S', 'TEE'],
        ['Red', 'M', 'TEE'],
      ],
      [
        ['Red', 'S', 'TEE'],
        ['Red', 'L', 'TEE'],
      ],
    )
    expect(after['Red S']).toBe(before['Red S'])
    expect(after['Red L']).not.toBe(before['Red M'])
  })
})

const record = (handle: string, variants: unknown[]) => ({ shop: 'Json', handle, name: 'J', price: 5, variants })
const kindOf = (...options: [string, string][]) => ({ options, price: 5, stock: 1 })

test.each([
  ['dup', [kindOf(['Size', 'S']), kindOf(['Size', 'M']), kindOf(['Size', 'M'])], 'M'],
  ['dup-plain', [kindOf(), kindOf()], 'product'],
])('a JSON record with the same variant twice is reported: %s', async (handle, variants, name) => {
  const text = JSON.stringify([record(handle, variants), record(`${handle}-next`, [kindOf()])], undefined, 1)
  for (const expected of [{ added: 1 }, { unchanged: 1 }]) {
    expect(await importText(db, text)).toMatchObject({
      ...expected,
      problems: [`line 2: the same ${name} of ${handle} was there before`],
    })
  }
})
