import { afterAll, describe, expect, test } from 'vitest'
import { type Cells, importText, sheet, storedProduct, wooSheet } from '#tests/support/catalogue/catalogue-file.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

/** Imports rows into a shop that names the file's. */
const importRows = (...rows: Cells[]) => importText(db, wooSheet(...rows), { shop: 'Woo' })

describe('a row of a WooCommerce file', () => {
  const simple = (SKU: string, cells: Cells = {}) => ({
    Type: 'simple',
    SKU,
    Name: SKU,
    'Regular price': '5',
    ...cells,
  })

  test('is reported with its line when it cannot be used', async () => {
    const rows = [
      simple('comma', { 'Regular price': '1,299' }),
      simple('minus', { 'Regular price': '-5' }),
      simple('huge', { 'Regular price': '99999999' }),
      simple('free', { 'Regular price': '' }),
      simple('twice'),
      simple('twice'),
      simple('', { Name: 'Nameless' }),
      simple('no-name', { Name: ' ' }),
      simple('stocked', { Stock: 'many' }),
      simple('dated', { 'Sale price': '4', 'Date sale price ends': 'soon' }),
      { Type: 'variable', SKU: 'childless', Name: 'Childless' },
    ]
    const { added, problems } = await importRows(...rows)
    expect(added).toBe(1)
    expect(problems).toEqual([
      "line 2: Regular price '1,299' is not an amount such as 1299.00",
      "line 3: Regular price '-5' is not an amount such as 1299.00",
      "line 4: Regular price '99999999' is more than 999999.99",
      'line 5: Regular price is missing',
      'line 7: twice is in the file twice',
      'line 8: SKU and ID are missing',
      'line 9: Name is missing',
      "line 10: Stock 'many' is not a whole number",
      "line 11: Date sale price ends 'soon' is not a date such as 2026-12-31",
      'line 12: childless has no variations',
    ])
  })

  test('counts, sells without stock or is sold out as its stock columns say', async () => {
    const stocks = [
      ['3', '0', '1'],
      ['-2', '1', '1'],
      ['4', 'notify', '1'],
      ['', '0', '1'],
      ['', '0', '0'],
    ] as const
    const rows = stocks.map(([Stock, backorders, inStock], at) =>
      simple(`stock-${at}`, { Stock, 'Backorders allowed?': backorders, 'In stock?': inStock }),
    )
    await importRows(...rows)
    const own = await Promise.all(rows.map(({ SKU }) => storedProduct(db, SKU)))
    expect(own.map(product => [product.stock, product.variants[0]?.sellsWithoutStock])).toEqual([
      [3, false],
      [-2, true],
      [4, true],
      [0, true],
      [0, false],
    ])
    await importText(db, wooSheet(...rows), { shop: 'Woo', stock: 12 })
    expect((await storedProduct(db, 'stock-3')).variants).toMatchObject([{ stock: 12, sellsWithoutStock: false }])
  })

  test('gets 100 units with a warning when the file has no stock columns, unless the operator says how many', async () => {
    const text = sheet('Type,SKU,Name,Regular price', 'simple,uncounted,Uncounted,5')
    const { warnings, untracked } = await importText(db, text, { shop: 'Woo' })
    expect({ warnings, untracked }).toEqual({
      untracked: 1,
      warnings: [expect.stringMatching(/no column 'Stock': new variants get 100 .*--stock N/)],
    })
    await importText(db, text, { shop: 'Woo', stock: 7 })
    expect((await storedProduct(db, 'uncounted')).stock).toBe(7)
  })

  test('has the sale price only between its dates', async () => {
    const on = (SKU: string, from: string, until: string) =>
      simple(SKU, {
        'Sale price': '4',
        'Date sale price starts': from,
        'Date sale price ends': until,
      })
    const { warnings } = await importRows(
      on('sale-past', '', '2020-01-31'),
      on('sale-now', '2020-01-01', '2999-12-31 23:59:59'),
      on('sale-future', '2999-01-01', ''),
      simple('sale-higher', { 'Sale price': '6' }),
    )
    const names = ['sale-past', 'sale-now', 'sale-future', 'sale-higher']
    const prices = await Promise.all(names.map(name => storedProduct(db, name)))
    expect(prices.map(({ finalCents, compareAtCents }) => [finalCents, compareAtCents])).toEqual([
      [500, null],
      [400, 500],
      [500, null],
      [500, null],
    ])
    expect(warnings).toEqual([
      'line 2: there are dates of sale prices: the prices of today count until the file is imported again',
    ])
  })

  test('gets its texts without the escapes that WooCommerce adds', async () => {
    await importRows(
      simple('escaped', {
        Name: "'=1+1",
        Description: 'One\\ntwo \\\\n three',
        Categories: 'Food > Salt\\, pepper &amp; co, Sale',
        Tags: 'a\\, b, c',
        Brands: 'Ada',
        'GTIN, UPC, EAN, or ISBN': '4006381333931',
        'Weight (lbs)': '2',
        Images: 'https://pictures.example/a\\,b.jpg,https://pictures.example/c.jpg, http://pictures.example/d.jpg',
      }),
    )
    expect(await storedProduct(db, '1-1')).toMatchObject({
      name: '=1+1',
      description: '<p>One<br />two \\n three</p>',
      category: 'Salt, pepper & co',
      tags: ['a', 'b', 'c', 'Sale'],
      brand: 'Ada',
      pictures: [{ source: 'https://pictures.example/a,b.jpg' }, { source: 'https://pictures.example/c.jpg' }],
      variants: [{ barcode: '4006381333931', weightGrams: 907 }],
    })
  })

  test.each(['\n', '\r\n', '\\n'])('has the paragraphs and lines of its description, separated by %j', async line => {
    const lines = [
      'Hand-thrown <strong>stoneware</strong>.',
      '',
      'Glazed twice.',
      'Fired once.',
      '<h3>Care</h3>',
      'Wash cold:',
      '<ul>',
      ' <li>No bleach',
      'at all</li>',
      '',
      ' <li>No dryer</li>',
      '</ul>',
      '<div>',
      'Made in Kisumu.',
      '',
      'Sent in <em',
      'class="x">straw</em>.',
      '</div>',
    ]
    const sku = `lines-${line.length}-${line.charCodeAt(0)}`
    await importRows(simple(sku, { Description: lines.join(line) }))
    const description = (await storedProduct(db, sku)).description.replace(/\s*\n\s*/g, '')
    expect(description).toBe(
      '<p>Hand-thrown <strong>stoneware</strong>.</p><p>Glazed twice.<br />Fired once.</p><h3>Care</h3>' +
        '<p>Wash cold:</p><ul><li>No bleach<br />at all</li><li>No dryer</li></ul>' +
        '<p>Made in Kisumu.</p><p>Sent in <em>straw</em>.</p>',
    )
  })

  test('may be separated by tabs, quoted, blank, in Windows lines and behind a byte order mark', async () => {
    const text =
      '\uFEFF"ID"\t"Type"\t"SKU"\t"Name"\t"Regular price"\r\n\r\n1\tsimple\ttabbed\t"A ""quoted"", name"\t5\r\n2\tsimple\ttabs\tx\r\n'
    expect(await importText(db, text, { shop: 'Woo' })).toMatchObject({
      added: 1,
      problems: ['line 4: 4 columns where the header has 5'],
    })
    expect((await storedProduct(db, 'a-quoted-name')).name).toBe('A "quoted", name')
  })

  test('is reported when its description is longer than any', async () => {
    const long = simple('long', { Description: 'x'.repeat(100_001) })
    const endless = simple('endless', { Description: 'x'.repeat(10_000_000) })
    const { added, problems } = await importRows(long, endless, simple('after'))
    expect({ added, problems: problems.toSorted() }).toEqual({
      added: 1,
      problems: ['line 2: Description is longer than 100000 characters', 'line 3: the line is longer than 1 MB'],
    })
  })

  test('is converted from another currency with a rate', async () => {
    await importText(db, wooSheet(simple('rand', { 'Regular price': '200' })), { shop: 'Woo', rate: 0.095 })
    expect((await storedProduct(db, 'rand')).finalCents).toBe(1900)
  })

  test('cannot bring more values of an attribute than a product has variants', async () => {
    const values = Array.from({ length: 2100 }, (_, at) => (at + 36).toString(36)).join(', ')
    const attribute = (given: string) => ({ 'Attribute 1 name': 'Size', 'Attribute 1 value(s)': given })
    const { added, problems } = await importRows(
      { Type: 'variable', SKU: 'many', Name: 'Many', ...attribute(values) },
      { Type: 'variation', SKU: 'many-any', Parent: 'many', 'Regular price': '5', ...attribute('') },
      simple('after-many'),
    )
    expect({ added, problems }).toEqual({ added: 1, problems: ['line 2: Size has more than 2048 values'] })
  })
})
