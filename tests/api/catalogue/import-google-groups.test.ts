import { Client } from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import {
  type Cells,
  googleItem as item,
  googleSheet,
  importText,
  storedProduct,
} from '#tests/support/catalogue/catalogue-file.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

// Connections keep the function that they began with.
const query = vi.spyOn(Client.prototype, 'query')
const { db, close } = await startProvider()
afterAll(close)

const importItems = (items: Cells[], options = {}) =>
  importText(db, googleSheet(...items), { shop: 'Feed', ...options })
const variants = async (slug: string) =>
  (await storedProduct(db, slug)).variants.map(({ options, sku }) => [sku, ...options.map(each => each.join(' '))])

describe('the items of a group', () => {
  const boot = (id: string, color: string, size: string, cells: Cells = {}) =>
    item(id, { title: `Boot – ${color} (${size})`, item_group_id: 'boot', color, size, ...cells })

  test('are the variants of one product, which has their title without their values', async () => {
    const items = [
      boot('b-1', 'Blue', '42', { image_link: 'https://pictures.example/blue.jpg', material: 'Felt' }),
      item('other', { title: 'Other' }),
      boot('b-2', 'Blue', '43', { image_link: 'https://pictures.example/blue.jpg', material: 'Felt', price: '7 USD' }),
      boot('b-3', 'Red', '43', { image_link: 'https://pictures.example/red.jpg', material: 'Felt', mpn: 'R43' }),
    ]
    expect(await importItems(items)).toMatchObject({ added: 2, problems: [] })
    expect(await variants('boot')).toEqual([
      ['b-1', 'Color Blue', 'Size 42'],
      ['b-2', 'Color Blue', 'Size 43'],
      ['b-3', 'Color Red', 'Size 43'],
    ])
    const { name, pictures, variants: own } = await storedProduct(db, 'boot')
    const [blue, red] = ['blue', 'red'].map(each => ({ source: `https://pictures.example/${each}.jpg` }))
    expect({ name, pictures }).toEqual({ name: 'Boot', pictures: [blue, red] })
    expect(own).toMatchObject([
      { picture: blue, finalCents: 500 },
      { picture: blue, finalCents: 700 },
      { picture: red, extra: { 'Google Shopping / MPN': 'R43' } },
    ])
  })

  test('have their material or pattern as an option only where it differs', async () => {
    const rug = (id: string, cells: Cells) => item(id, { title: 'Rug', item_group_id: 'rug', ...cells })
    await importItems([
      rug('r-1', { material: 'Wool', pattern: 'Plain' }),
      rug('r-2', { material: 'Jute', pattern: 'Plain' }),
    ])
    expect(await variants('rug')).toEqual([
      ['r-1', 'Material Wool'],
      ['r-2', 'Material Jute'],
    ])
  })

  test('are reported when they are there twice or lack a value that others have', async () => {
    const cap = (id: string, cells: Cells) => item(id, { title: 'Cap', item_group_id: 'cap', ...cells })
    const { added, problems } = await importItems([
      cap('c-1', { size: 'S' }),
      cap('c-2', { size: 'M' }),
      cap('c-3', { size: 'M' }),
      cap('c-4', { color: 'Red' }),
      item('single'),
      item('single', { title: 'Single again' }),
    ])
    expect(added).toBe(2)
    expect(problems).toEqual([
      'line 4: the same M of cap is in the file twice',
      'line 5: size is missing, which other items of cap have',
      'line 7: the same product of single is in the file twice',
    ])
  })
})

test('free slugs of products with one title are found with few statements', async () => {
  const ringsCalled = (group: string, titleOf: (at: number) => string) =>
    Array.from({ length: 60 }, (_, at) => item(`${group}-${at}`, { title: titleOf(at) }))
  const lookupsFor = async (items: Cells[]) => {
    query.mockClear()
    expect(await importItems(items)).toMatchObject({ added: 60 })
    // Not all statements: jobs send some at the same time.
    const texts = query.mock.calls.map(([given]) => (given as unknown as { text?: string }).text)
    return texts.filter(text => text?.startsWith('select "slug" from "products"')).length
  }
  expect(await lookupsFor(ringsCalled('plain', at => `Ring ${at}`))).toBe(1)

  for (const group of ['once', 'again']) expect(await lookupsFor(ringsCalled(group, () => 'Vintage ring'))).toBe(3)

  const slugs = ['vintage-ring', 'vintage-ring-feed', 'vintage-ring-feed-2', 'vintage-ring-feed-119']
  for (const slug of slugs) expect((await storedProduct(db, slug)).name).toBe('Vintage ring')
})

describe('the options of a group', () => {
  test.each<[string, Cells[], string[], string[][]]>([
    [
      'hat',
      [
        { color: 'Blue' },
        { color: 'Blue', size: 'S' },
        { color: 'Blue', size: 'M', material: 'Felt' },
        { color: 'Red', size: 'M', material: 'Felt' },
      ],
      ['line 2: size is missing, which other items of hat have'],
      [
        ['hat-1', 'Color Blue', 'Size S'],
        ['hat-2', 'Color Blue', 'Size M'],
        ['hat-3', 'Color Red', 'Size M'],
      ],
    ],
    [
      'sock',
      [{ size: 'S' }, { size: 'S', color: 'Blue' }, { size: 'S', color: 'Red' }],
      ['line 2: color is missing, which other items of sock have'],
      [
        ['sock-1', 'Color Blue', 'Size S'],
        ['sock-2', 'Color Red', 'Size S'],
      ],
    ],
    [
      'mat',
      [{ size: 'S' }, { size: 'S', material: 'Wool' }, { size: 'S', material: 'Jute' }],
      ['line 2: material is missing, which other items of mat have'],
      [
        ['mat-1', 'Size S', 'Material Wool'],
        ['mat-2', 'Size S', 'Material Jute'],
      ],
    ],
    [
      'bag',
      [{ size: 'S' }, { size: 'M' }, { size: 'L', color: 'Red' }],
      ['line 4: color is given, which most items of bag lack'],
      [
        ['bag-0', 'Size S'],
        ['bag-1', 'Size M'],
      ],
    ],
  ])('are those that its items have, whichever of them is first: %s', async (group, cells, problems, kinds) => {
    const items = cells.map((each, at) => item(`${group}-${at}`, { title: group, item_group_id: group, ...each }))
    expect(await importItems(items)).toMatchObject({ added: 1, problems })
    expect(await variants(group)).toEqual(kinds)
  })
})
