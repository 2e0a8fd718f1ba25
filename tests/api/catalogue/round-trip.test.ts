import { stringify } from 'csv-stringify/sync'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exported, fixture, importText, sheet, stored, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { rounds } from '#tests/support/rounds.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

let first: Provider
let second: Provider
beforeAll(async () => {
  first = await startProvider()
  second = await startProvider()
})
afterAll(() => Promise.all([first.close(), second.close()]))

const hasPicture = () => Promise.resolve(true)

/**
 * Imports a Shopify file into a shop, and the shop's export into itself and into another shop. Returns the shop and its
 * file after the first import, and what they should equal: the shop after the second import, and the other shop's file.
 */
async function importTwice(text: string) {
  const given = await importText(first.db, text)
  const shop = await stored(first.db)
  const file = await exported(first.db, 'shopify')
  const { added, changed, problems } = await importText(first.db, file, { hasPicture })
  const again = { shop: await stored(first.db), added, changed, problems }
  const copied = await importText(second.db, file)
  return [
    { problems: given.problems, added: 0, changed: 0, shop, file },
    { ...again, problems: [...problems, ...copied.problems], file: await exported(second.db, 'shopify') },
  ]
}

test.each(['shopify-apparel.csv', 'shopify-home-and-garden.csv', 'pottery.csv'])(
  'what is imported from %s is exported so that it changes nothing',
  async name => {
    const [once, twice] = await importTwice(fixture(name))
    expect(once?.problems).toEqual([])
    expect(twice).toEqual(once)
  },
)

const VALUES = ['S', '43', '43.5', 'Blue', 'Größe "L"', 'a, b', '43 / 44', '1']
const amount = fc.integer({ min: 1, max: 99_999 }).map(cents => (cents / 100).toFixed(2))
const variant = fc.record({
  'Variant SKU': fc.constantFrom('', 'A-1', 'B "2"', '007'),
  'Variant Price': amount,
  'Variant Compare At Price': fc.option(amount, { nil: '' }),
  'Variant Inventory Tracker': fc.constantFrom('shopify', ''),
  'Variant Inventory Qty': fc.integer({ min: -5, max: 50 }).map(String),
  'Variant Inventory Policy': fc.constantFrom('deny', 'continue'),
  'Variant Barcode': fc.constantFrom('', '4006381333931'),
  'Variant Grams': fc.constantFrom('', '0', '310', '1250.4'),
  'Variant Image': fc.constantFrom('', 'https://pictures.example/a.jpg', 'https://pictures.example/c.jpg'),
  'Variant Taxable': fc.constantFrom('', 'true'),
})
const NAMES = ['Size', 'Colour', 'Material']
/** The rows of one product: each combination of its options' values at most once. */
const product = fc
  .tuple(
    fc.integer({ min: 0, max: 3 }),
    fc.uniqueArray(fc.tuple(variant, fc.tuple(...NAMES.map(() => fc.constantFrom(...VALUES)))), {
      minLength: 1,
      maxLength: 6,
      selector: ([, values]) => values.join('\n'),
    }),
  )
  .map(([optionCount, rows]) => {
    const kinds = [...new Map(rows.map(row => [row[1].slice(0, optionCount).join('\n'), row])).values()]
    return kinds.map(([cells, values], at) => ({
      ...(at === 0 && { Title: 'Shoe', Vendor: 'Shoes', 'Image Src': 'https://pictures.example/a.jpg' }),
      ...(optionCount === 0 && { 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' }),
      ...Object.fromEntries(
        values
          .slice(0, optionCount)
          .flatMap((value, option) => [
            ...(at === 0 ? [[`Option${option + 1} Name`, NAMES[option]]] : []),
            [`Option${option + 1} Value`, value],
          ]),
      ),
      ...cells,
    }))
  })

const COLUMNS = [
  'Handle',
  'Title',
  'Vendor',
  'Image Src',
  ...[1, 2, 3].flatMap(n => [`Option${n} Name`, `Option${n} Value`]),
  'Variant SKU',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Inventory Tracker',
  'Variant Inventory Qty',
  'Variant Inventory Policy',
  'Variant Barcode',
  'Variant Grams',
  'Variant Image',
  'Variant Taxable',
]

test('a catalogue imported from any Shopify file is exported so that importing it changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(product, { minLength: 1, maxLength: 3 }), async products => {
      const rows = products.flatMap((kinds, at) => kinds.map(cells => ({ Handle: `shoe-${at}`, ...cells })))
      const [once, twice] = await importTwice(stringify(rows, { header: true, columns: COLUMNS }))
      expect(once?.problems).toEqual([])
      expect(twice).toEqual(once)
    }),
    { numRuns: rounds(12, 200) },
  )
})

test('policy, barcode, weight and picture of a variant are those of the file', async () => {
  const columns =
    'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty,Variant Inventory Policy,' +
    'Variant Barcode,Variant Grams,Variant Image'
  const row = 'pictured,Pictured,Size,43,S43,5,0,continue,4006381333931,310,https://pictures.example/43.jpg'
  await importText(first.db, sheet(columns, row))

  const { pictures, variants } = await storedProduct(first.db, 'pictured')
  const picture = { source: 'https://pictures.example/43.jpg' }
  expect(pictures).toEqual([picture])
  expect(variants).toMatchObject([
    { sku: 'S43', sellsWithoutStock: true, barcode: '4006381333931', weightGrams: 310, picture, stock: 0 },
  ])
})

test('an exported picture of another Piazza shop without https, which this shop lacks, can be imported again', async () => {
  const source = `http://localhost:4321/media/${'c'.repeat(64)}/1280.webp`
  const lacksPicture = { hasPicture: () => Promise.resolve(false) }
  const columns = 'Handle,Title,Variant Price,Variant Inventory Qty,Image Src'
  await importText(first.db, sheet(columns, `from-trial,From a trial,5,1,${source}`), lacksPicture)
  expect((await storedProduct(first.db, 'from-trial')).pictures).toEqual([{ source }])

  const file = await exported(first.db, 'json')

  expect(await importText(first.db, file, lacksPicture)).toMatchObject({ changed: 0, problems: [] })
  expect(await importText(second.db, file, lacksPicture)).toMatchObject({ problems: [] })
  expect((await storedProduct(second.db, 'from-trial')).pictures).toEqual([{ source }])
})
