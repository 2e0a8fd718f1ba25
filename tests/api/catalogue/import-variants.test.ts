import { afterAll, describe, expect, test } from 'vitest'
import { changeProduct } from '#server/catalogue/product-management.ts'
import {
  type Cells,
  fixture,
  importText,
  sheet,
  storedProduct,
  wooSheet,
} from '#tests/support/catalogue/catalogue-file.ts'
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
      problems: [`line 2: the same ${name} of ${handle} is in the file twice`],
    })
  }
})

const attributes = (...given: [name: string, value: string][]): Cells =>
  Object.fromEntries(
    given.flatMap(([name, value], at) => [
      [`Attribute ${at + 1} name`, name],
      [`Attribute ${at + 1} value(s)`, value],
    ]),
  )
const shopifyOptions = (handle: string, one: string, other: string) =>
  sheet(COLUMNS, `${handle},Twice,${one},S,${other},40,,5`, `${handle},,,M,,40,,5`)
const wooOptions = (handle: string, one: string, other: string) =>
  wooSheet(
    { SKU: handle, Type: 'variable', Name: 'Twice', ...attributes([one, 'S, M'], [other, '40']) },
    ...['S', 'M'].map((value, at) => ({
      SKU: `${handle}-${at}`,
      Type: 'variation',
      Parent: handle,
      'Regular price': '5',
      ...attributes([one, value], [other, '40']),
    })),
  )
const jsonOptions = (handle: string, one: string, other: string) =>
  `[\n${JSON.stringify(
    record(
      handle,
      ['S', 'M'].map(value => kindOf([one, value], [other, '40'])),
    ),
  )}]`

describe('a product with one option twice is reported', () => {
  test.each([
    ['Shopify', shopifyOptions],
    ['WooCommerce', wooOptions],
    ['our JSON', jsonOptions],
  ])('in a file of %s', async (format, textOf) => {
    const handle = `twice-${format.toLowerCase()}`
    expect(await importText(db, textOf(handle, 'Size', 'Size'))).toMatchObject({
      added: 0,
      problems: [`line 2: ${handle} has two options called 'Size': give each option a name of its own`],
    })
    for (const [one, other] of [
      ['Size', 'SIZE'],
      ['Color', 'Colour'],
    ] as const)
      expect(await importText(db, textOf(handle, one, other))).toMatchObject({
        added: 0,
        problems: [
          `line 2: ${handle} has two options called '${one}' and '${other}', which are one for shoppers: give each option a name of its own`,
        ],
      })
  })

  test('but not when the names have no letters in common', async () => {
    expect(await importText(db, jsonOptions('signs', '♂', '♀'))).toMatchObject({ added: 1, problems: [] })
  })
})

describe('a product whose variants have different options is reported', () => {
  test('in a Shopify file', async () => {
    const text = sheet(
      COLUMNS,
      'mixed,Mixed,Size,S,Colour,Red,,5',
      'mixed,,,M,,,,5',
      'mixed-none,Mixed,Size,S,,,,5',
      'mixed-none,,,,,,,5',
      'unmixed,Unmixed,Size,S,,,,5',
    )
    expect(await importText(db, text)).toMatchObject({
      added: 1,
      problems: [
        'line 2: the variants of mixed have different options: one has Size, Colour, another has Size. Give each a value of every option, in one order',
        'line 4: the variants of mixed-none have different options: one has Size, another has none. Give each a value of every option, in one order',
      ],
    })
  })

  test.each([
    ['another option', [kindOf(['Size', 'S']), kindOf(['Colour', 'Red'])], 'one has Size, another has Colour'],
    [
      'another order',
      [kindOf(['Size', 'S'], ['Colour', 'Red']), kindOf(['Colour', 'Red'], ['Size', 'M'])],
      'one has Size, Colour, another has Colour, Size',
    ],
    ['another spelling', [kindOf(['Size', 'S']), kindOf(['size', 'M'])], 'one has Size, another has size'],
    ['no option', [kindOf(), kindOf(['Size', 'S'])], 'one has none, another has Size'],
  ])('in our JSON: %s', async (_, variants, difference) => {
    expect(await importText(db, `[\n${JSON.stringify(record('mixed-json', variants))}]`)).toMatchObject({
      added: 0,
      problems: [
        `line 2: the variants of mixed-json have different options: ${difference}. Give each a value of every option, in one order`,
      ],
    })
  })

  test('when only rows far below differ: those rows are left out', async () => {
    const filler = Array.from({ length: 20 }, (_, at) => `filler-${at},${'F'.repeat(500_000)},,,,,,5`)
    const text = sheet(COLUMNS, 'far,Far,Size,S,,,,5', ...filler, 'far,,,M,,Red,,5')
    const { problems } = await importText(db, text)
    expect(problems.filter(problem => !problem.includes('Title is longer'))).toEqual([
      'line 23: far M / Red does not have the options of the rows above: Size. Give it a value of each, and of no other',
    ])
    expect(Object.keys(await idsOf('far'))).toEqual(['S'])
  })
})

test('the README’s example changes a size of the product that it names', async () => {
  await importText(db, fixture('shopify-apparel.csv'))

  await changeProduct(db, 'classic-varsity-top', { stock: 4 }, 'Size Medium')
  await changeProduct(db, 'classic-varsity-top', { stock: 5 }, 'large')

  expect((await storedProduct(db, 'classic-varsity-top')).variants.map(({ stock }) => stock)).toEqual([1, 4, 5])
})
