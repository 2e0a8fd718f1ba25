import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_STOCK } from '#contract/rules.ts'
import { importText, sheet, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

let provider: Provider
let db: Provider['db']

beforeAll(async () => {
  provider = await startProvider()
  db = provider.db
})
afterAll(() => provider.close())

const COUNTED = 'Handle,Title,Variant Price,Variant Inventory Qty'
/** Returns the import warnings for a file that has these columns beside the required ones. */
async function warningsOf(...columns: string[]): Promise<string[]> {
  const row = `near,Near,5,1${',x'.repeat(columns.length)}`
  return (await importText(db, sheet([COUNTED, ...columns].join(','), row), { isDryRun: true })).warnings
}

describe('a column that the import does not use', () => {
  test.each([
    ['Body', 'Body (HTML)'],
    ['Product description', 'Body (HTML)'],
    ['Vendr', 'Vendor'],
    ['Varient SKU', 'Variant SKU'],
    ['Variant_Sku', 'Variant SKU'],
    ['Image URL', 'Image Src'],
    ['Picture', 'Image Src'],
    ['Tag', 'Tags'],
    ['Category', 'Type'],
    ['Brand', 'Brand (product.metafields.custom.brand)'],
    ['Compare price', 'Variant Compare At Price'],
    ['Option 1 Name', 'Option1 Name'],
  ])('%s gets a warning with the column name that was probably meant', async (given, meant) => {
    expect(await warningsOf(given)).toEqual([
      `the column '${given}' is not used: if it is '${meant}', give it that name and import again`,
    ])
  })

  test('gets a warning when it is a misspelt quantity, which is then also reported as missing', async () => {
    const text = sheet('Handle,Title,Variant Price,Variant inventory quantity', 'near,Near,5,3')
    expect((await importText(db, text, { isDryRun: true })).warnings).toEqual([
      "the column 'Variant inventory quantity' is not used: if it is 'Variant Inventory Qty', give it that name and import again",
      expect.stringContaining("no column 'Variant Inventory Qty'"),
    ])
  })

  test('is listed in one warning with the others when its name resembles nothing known', async () => {
    expect(await warningsOf('Glaze', 'Kiln temperature')).toEqual([
      "shoppers do not see what is in the columns 'Glaze', 'Kiln temperature'; an export as Shopify writes them again",
    ])
  })

  test('is not suggested as a misspelling of a column that the file has', async () => {
    expect(await warningsOf('Body (HTML)', 'Body')).toEqual([
      "shoppers do not see what is in the column 'Body'; an export as Shopify writes it again",
    ])
  })

  test('gets a warning when it is in the file twice', async () => {
    expect(await warningsOf('Title')).toEqual(["the column 'Title' is there twice: the first one counts"])
    expect(await warningsOf('Price')).toEqual([
      "the column 'Price' is not used: 'Variant Price' before it says the same",
    ])
  })

  test('gets no warning when it is one of Shopify’s own columns', async () => {
    const shopify = [
      'Product Category,Option1 Linked To,Variant Grams,Variant Fulfillment Service,Gift Card,SEO Title,Cost per item',
      'Google Shopping / MPN,Variant Image,Variant Weight Unit,Variant Tax Code,Included / Kenya,Price / International',
      'Charge tax,Unit price base measure,Color (product.metafields.shopify.color-pattern),Barcode',
    ]
    expect(await warningsOf(...shopify.join(',').split(','))).toEqual([])
  })

  test('gets the same warnings when it is a field in our JSON format', async () => {
    const records = [
      { shop: 'Json', handle: 'f-1', name: 'F', price: 5, stock: 1, image: 'x', weight: 3, comparePrice: 6 },
      { shop: 'Json', handle: 'f-2', name: 'F', price: 5, stock: 1, weight: 3 },
      { shop: 'Json', handle: 'f-3', name: 'F', price: 5, variants: [{ options: [], price: 5, qty: 3, stok: 1 }] },
      { type: 'shop', name: 'Json', ship: {} },
    ]
    const text = `[\n${records.map(each => JSON.stringify(each)).join(',\n')}\n]`
    expect((await importText(db, text)).warnings).toEqual([
      "line 2: the field 'image' is not used: if it is 'pictures', give it that name and import again",
      "line 2: the field 'weight' is not used",
      "line 2: the field 'comparePrice' is not used: if it is 'compareAtPrice', give it that name and import again",
      "line 4: the field 'variants.qty' is not used",
      "line 4: the field 'variants.stok' is not used",
      expect.stringContaining('line 4: the record has no stock'),
      "line 5: the field 'ship' is not used",
    ])
  })
})

describe('a file that is not a catalogue', () => {
  const refused = async (text: string) => {
    const error = await importText(db, text).then(
      () => new Error('It was taken'),
      (reason: Error) => reason,
    )
    return error.message
  }

  test.each([
    [
      'ID,Type,SKU,Name,Price,Categories,Images',
      "The file lacks the columns Regular price ('Price' may be it) of WooCommerce's product CSV; or title ('Name' may be it) of Google Merchant's product feed. It has ID, Type, SKU, ",
    ],
    [
      'Handle,Name,Tags\nx,y,z\n',
      "The file lacks the columns Title ('Name' may be it), Variant Price of Shopify's product CSV; or Type, Regular price of WooCommerce's product CSV. It has Handle, Name, Tags",
    ],
    [
      '"Handle", "Title", "Variant Price"\n"mug", "Mug", 5\n',
      'line 1: there are blanks between quotes and commas: write "a","b"',
    ],
    [
      '"Handle" ,"Title" ,"Variant Price"\n"mug" ,"Mug" ,5\n',
      'line 1: there are blanks between quotes and commas: write "a","b"',
    ],
    ['"Handle,Title\nmug,Mug\n', 'line 1: a quoted text does not end where it should'],
    ['<?xml version="1.0"?><catalog/>', 'The file is XML, but no product feed: it begins with <catalog>'],
    [
      'id,title,cost\n',
      "The file lacks the columns price ('cost' may be it) of Google Merchant's product feed. It has id, title, cost",
    ],
    [
      '<!DOCTYPE html><html></html>',
      'The file is a web page, not a catalogue: perhaps a sign-in page was saved in place of the export',
    ],
    [
      `PK\u0003\u0004\u0014\0\u0006\0${'x'.repeat(30)}[Content_Types].xml${'x'.repeat(900)}`,
      'The file is a workbook, such as Excel’s .xlsx: open it in Excel or LibreOffice and save the sheet as CSV UTF-8',
    ],
    [
      `PK\u0003\u0004\n\0\0\0${'x'.repeat(30)}products.csv${'x'.repeat(900)}`,
      'The file is an archive: unpack it and import the file in it',
    ],
    ['\u0001\0\0\0', 'The file is not a text file'],
    [
      '{"products": [{"id": 1}]}',
      "The file is one JSON object (it begins with 'products'), not an array of records: [{…}, {…}]",
    ],
    ['{"id": 1}\n{"id": 2}\n', "The file is one JSON object (it begins with 'id')"],
    ['[1, 2]', 'line 1: this is not an array of records: [{…}, {…}]'],
    ['[["a"]]', 'line 1: this is not an array of records: [{…}, {…}]'],
    [
      '[{"id": 1, "title": "Mug", "price": 5, "image": "x"}]',
      "line 1: the records lack shop, handle, name ('title' may be it). They have id, title, price, image",
    ],
  ])('is rejected with the reason: %j', async (text, reason) => {
    expect(await refused(text)).toContain(reason)
  })
})

test('a row with spaces around its quotes is reported with its line', async () => {
  const text = sheet(
    COUNTED,
    'blank-1, "Mug, large",5,1',
    'blank-2, "Mug",5,1',
    'blank-3,"Mug" ,5,1',
    'blank-4,"Mug" x,5,1',
    'blank-5,7" plate,5,1',
  )
  expect(await importText(db, text)).toMatchObject({
    added: 1,
    problems: [
      'line 4: there are blanks between quotes and commas: write "a","b"',
      'line 5: a quoted text does not end where it should',
      'line 2: there are blanks between quotes and commas: write "a","b"',
      'line 3: there are blanks between quotes and commas: write "a","b"',
    ],
  })
  expect((await storedProduct(db, 'blank-5')).name).toBe('7" plate')
})

test.each(['https://elsewhere.example/sale', '//elsewhere.example', '/\\elsewhere.example', 'sale'])(
  'a banner link to %s is rejected because it is not a path of the shop',
  async link => {
    const banner = { title: 'Sale', description: '', picture: { source: 'https://pictures.example/b.jpg' } }
    const records = [
      { type: 'carousel', banners: [banner, { ...banner, link }] },
      { type: 'shop', name: 'Linker', banner: { ...banner, link } },
      { shop: 'Linker', handle: 'linker', name: 'L', price: 5, banner: { ...banner, link } },
    ]
    const { problems, added } = await importText(db, JSON.stringify(records))
    const reason = `link: '${link}' is not a path of the shop such as /products`
    expect({ problems, added }).toEqual({
      added: 0,
      problems: [`line 1: banners.1.${reason}`, `line 1: banner.${reason}`, `line 1: banner.${reason}`],
    })
  },
)

test('a status of Shopify’s that hides a product is known, and any other is reported', async () => {
  const statuses = ['Active', '', 'draft', 'Archived', 'Unlisted', 'Aktiv']
  const rows = statuses.map((status, at) => `status-${at},S,Statuses,5,1,${status}`)
  const text = sheet('Handle,Title,Vendor,Variant Price,Variant Inventory Qty,Status', ...rows)

  const { added, hidden, problems } = await importText(db, text)

  expect({ added, hidden, problems }).toEqual({
    added: 5,
    hidden: 3,
    problems: ["line 7: Status 'Aktiv' is none of active, draft, archived and unlisted"],
  })
})

test('a record of an unknown type is reported with the types that there are', async () => {
  const record = { handle: 'banana', shop: 'Types', name: 'Banana', price: 1 }
  const { added, problems } = await importText(
    db,
    JSON.stringify([record, { ...record, type: 'banana' }, { type: 'banner' }], undefined, 1),
  )

  expect(added).toBe(1)
  expect(problems).toEqual([
    "line 8: type: 'banana' is none of product, shop, category and carousel",
    "line 15: type: 'banner' is none of product, shop, category and carousel",
  ])
})

test('an amount or a stock in our JSON format that is not possible is reported with what is', async () => {
  const given = [{ price: 1_000_000 }, { price: 9e18 }, { price: -1 }, { price: '1' }, { stock: 9e18 }, { stock: 1.5 }]
  const product = { shop: 'Range', name: 'T', category: 'C', description: '', price: 1 }
  const records = given.map((wrong, at) => ({ ...product, handle: `range-${at}`, ...wrong }))

  const { problems } = await importText(db, JSON.stringify(records, undefined, 1))

  expect(problems.map(problem => problem.replace(/^line \d+: /, ''))).toEqual([
    'price: is more than 999999.99',
    'price: is more than 999999.99',
    'price: is less than 0',
    'price: is not an amount such as 1299.00',
    `stock: is more than ${MAX_STOCK}`,
    'stock: is not a whole number',
  ])
})
