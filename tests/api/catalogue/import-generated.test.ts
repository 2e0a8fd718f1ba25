import { randomUUID } from 'node:crypto'
import { stringify } from 'csv-stringify/sync'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Cells, exported, importText, wooSheet } from '#tests/support/catalogue/catalogue-file.ts'
import { rounds } from '#tests/support/rounds.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

const VALUES = ['S', '43', 'Blue, light', 'Größe "L"', '43 / 44']
const amount = fc.integer({ min: 1, max: 99_999 }).map(cents => (cents / 100).toFixed(2))
const cells = fc.record({
  'Regular price': amount,
  'Sale price': fc.option(amount, { nil: '' }),
  Stock: fc.oneof(fc.constantFrom('', 'parent'), fc.integer({ min: -5, max: 50 }).map(String)),
  'In stock?': fc.constantFrom('0', '1'),
  'Backorders allowed?': fc.constantFrom('0', '1', 'notify'),
  'Weight (kg)': fc.constantFrom('', '0.31', '2'),
  Images: fc.constantFrom(
    '',
    'https://pictures.example/a.jpg',
    'https://pictures.example/b.jpg, https://pictures.example/c.jpg',
  ),
  Description: fc.constantFrom('', 'Two\\nlines & <b>bold', '<ul><li>One'),
  'GTIN, UPC, EAN, or ISBN': fc.constantFrom('', '4006381333931'),
})
const escaped = (values: string[]) => values.map(value => value.replaceAll(',', '\\,')).join(', ')
/** The rows of one variable product with up to two attributes, or of a simple one without. */
const rowsOf = fc
  .tuple(
    fc.integer({ min: 0, max: 2 }),
    cells,
    fc.uniqueArray(fc.tuple(cells, fc.tuple(...[1, 2].map(() => fc.constantFrom('', ...VALUES)))), {
      minLength: 1,
      maxLength: 4,
      selector: ([, values]) => values.join('\n'),
    }),
  )
  .map(([count, own, variations]) => {
    const attributes = (valuesOf: (at: number) => string[]) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          [`Attribute ${at + 1} name`, ['Size', 'Colour'][at] ?? ''],
          [`Attribute ${at + 1} value(s)`, escaped(valuesOf(at))],
        ]).flat(),
      ) as Cells
    const kinds = new Map(variations.map(each => [each[1].slice(0, count).join('\n'), each]))
    const parent = { ...own, ...attributes(() => VALUES), Type: count === 0 ? 'simple' : 'variable' }
    const children = [...kinds.values()].map(([each, values], at) => ({
      ...each,
      ...attributes(index => [values[index] ?? ''].filter(Boolean)),
      Type: 'variation',
      SKU: `-${at}`,
    }))
    return count === 0 ? [parent] : [parent, ...children]
  })

test(
  'importing any WooCommerce file again changes nothing, even after an export in Shopify’s format',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowsOf, { minLength: 1, maxLength: 3 }), fc.boolean(), async (products, isTurned) => {
        const rows = products.flatMap((own, at) =>
          own.map((row, index) => {
            const sku = `p-${at}${'SKU' in row ? String(row.SKU) : ''}`
            return { ...row, SKU: sku, Name: sku, Parent: index === 0 ? '' : `p-${at}` }
          }),
        )
        const text = wooSheet(...(isTurned ? rows.toReversed() : rows))
        const options = { shop: `Generated ${randomUUID()}` }
        const first = await importText(db, text, options)
        expect(first.problems).toEqual([])
        expect(await importText(db, text, options)).toMatchObject({ added: 0, changed: 0, problems: [] })
        const hasPicture = () => Promise.resolve(true)
        const copy = await importText(db, await exported(db, 'shopify'), { hasPicture })
        expect(copy).toMatchObject({ added: 0, changed: 0, problems: [] })
      }),
      { numRuns: rounds(10, 200) },
    )
  },
)

const itemCells = fc.record({
  price: amount.map(each => `${each} USD`),
  sale_price: fc.option(
    amount.map(each => `USD ${each}`),
    { nil: '' },
  ),
  availability: fc.constantFrom('', 'in stock', 'out_of_stock', 'preorder', 'backorder'),
  quantity: fc.constantFrom('', '0', '7'),
  description: fc.constantFrom('', 'Two\nlines & <b>bold', '<ul><li>One', '"Quoted" & \'so\''),
  image_link: fc.constantFrom('', 'https://pictures.example/a.jpg?v=1&w=2'),
  additional_image_link: fc.constantFrom('', 'https://pictures.example/b,1.jpg,https://pictures.example/c.jpg'),
  gtin: fc.constantFrom('', '4006381333931'),
  mpn: fc.constantFrom('', 'M-1'),
  brand: fc.constantFrom('', 'Ada'),
  shipping_weight: fc.constantFrom('', '310 g', '1.5 lb'),
})
/** The items of a group with sizes and perhaps colours, or one alone. */
const groupOf = fc
  .tuple(
    fc.boolean(),
    fc.uniqueArray(fc.tuple(itemCells, fc.constantFrom(...VALUES), fc.constantFrom('Blue', 'Rot & "weiß"')), {
      minLength: 1,
      maxLength: 4,
      selector: ([, size]) => size,
    }),
    fc.boolean(),
  )
  .map(([isGrouped, items, hasColour]) =>
    items.slice(0, isGrouped ? undefined : 1).map(([own, size, color]) => ({
      ...own,
      size,
      color: hasColour ? color : '',
      item_group_id: isGrouped ? 'group' : '',
    })),
  )

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const toXml = (items: Cells[]) =>
  `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items
    .map(
      item =>
        `<item>${Object.entries(item)
          .map(([name, text]) => `<g:${name}>${escapeXml(text)}</g:${name}>`)
          .join('')}</item>`,
    )
    .join('')}</channel></rss>`

test(
  'any Google feed gives the same goods as TSV, as XML and after an export as Shopify’s',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(groupOf, { minLength: 1, maxLength: 3 }), async groups => {
        const items = groups.flatMap((own, at) =>
          own.map((cells, index) => {
            const id = `g-${at}-${index}`
            return { ...cells, id, title: `Good ${id}`, item_group_id: cells.item_group_id && `g-${at}` }
          }),
        )
        const options = { shop: `Feed ${randomUUID()}` }
        const tsv = stringify(items, { header: true, delimiter: '\t' })
        expect((await importText(db, tsv, options)).problems).toEqual([])
        expect(await importText(db, toXml(items), options)).toMatchObject({ added: 0, changed: 0, problems: [] })
        const hasPicture = () => Promise.resolve(true)
        const copy = await importText(db, await exported(db, 'shopify'), { hasPicture })
        expect(copy).toMatchObject({ added: 0, changed: 0, problems: [] })
      }),
      { numRuns: rounds(10, 200) },
    )
  },
)
