import { asc, eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { products } from '#server/db/schema.ts'
import {
  type Cells,
  wooSheet,
  exported,
  fixture,
  importText,
  stored,
  storedProduct,
} from '#tests/support/catalogue/catalogue-file.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, close } = await startProvider()
afterAll(close)

const SAMPLE = fixture('woocommerce-sample.csv')
const LACKS_SHOP = "the file names no shop: its products are those of 'Unnamed shop'; name another with --shop NAME"

const size = (name: string, values: string) => ({ 'Attribute 1 name': name, 'Attribute 1 value(s)': values })
const variants = async (slug: string) =>
  (await storedProduct(db, slug)).variants.map(({ options, sku, stock, finalCents }) => ({
    of: options.map(([, value]) => value).join(' / '),
    sku,
    stock,
    finalCents,
  }))
/** Imports rows into a shop that names the file's, and returns the messages for operators. */
const importRows = (...rows: Cells[]) => importText(db, wooSheet(...rows), { shop: 'Woo' })

describe('the sample export of WooCommerce', () => {
  test('gives its simple and variable products, and names the lines of the other kinds', async () => {
    const imported = await importText(db, SAMPLE)
    expect(imported).toMatchObject({ added: 13, changed: 0, unchanged: 0, shops: ['unnamed-shop'] })
    expect(imported.problems).toEqual([
      "line 17: Type 'grouped' is not imported, only simple, variable and variation are",
      "line 18: Type 'external' is not imported, only simple, variable and variation are",
    ])
    expect(imported.warnings).toEqual([
      "the columns 'Meta: _wpcom_is_markdown', 'Meta: _generate-sidebar-layout-meta' are not used",
      LACKS_SHOP,
      'line 10: downloadable and virtual products are sold as goods that are shipped',
    ])
  })

  test('gives a product its texts, category, price and pictures', async () => {
    expect(await storedProduct(db, 'belt')).toMatchObject({
      handle: 'cc-belt',
      name: 'Belt',
      category: 'Accessories',
      isHidden: false,
      finalCents: 5500,
      compareAtCents: 6500,
      pictures: [{ source: 'https://classiccommerce.cc/wp-content/downloads/sample-data-images/belt.png' }],
      variants: [{ options: [], sku: 'cc-belt', sellsWithoutStock: true }],
    })
    const { description } = await storedProduct(db, 'beanie')
    expect(description).toMatch(/^<p>This is a simple product.<\/p><p>Pellentesque .*<\/p><table><tbody>/)
    expect(description).toContain('<tr><th>Color</th><td>Red</td></tr>')
    expect(await storedProduct(db, 'hoodie-with-pocket')).toMatchObject({ isHidden: true, finalCents: 3500 })
  })

  test('gives a variable product its variations in the order of its values, each with its price and picture', async () => {
    const hoodie = await storedProduct(db, 'hoodie')
    expect(hoodie.variants.map(({ options }) => options.map(option => option.join(' ')).join(', '))).toEqual([
      'Color Blue, Logo Yes',
      'Color Blue, Logo No',
      'Color Green, Logo Yes',
      'Color Green, Logo No',
      'Color Red, Logo Yes',
      'Color Red, Logo No',
    ])
    expect(hoodie.variants[5]).toMatchObject({
      sku: 'cc-hoodie-red',
      finalCents: 4200,
      compareAtCents: 4500,
      picture: { source: expect.stringContaining('hoodie-no-pocket-red.png') as string },
    })
    expect(hoodie.description).not.toContain('table')
  })

  test('lets shoppers choose the size of a variation that is of any size', async () => {
    expect((await variants('t-shirt')).map(({ of, sku }) => [of, sku])).toEqual(
      ['Blue', 'Green', 'Red'].flatMap(colour =>
        ['Large', 'Medium', 'Small'].map(each => [`${colour} / ${each}`, `cc-t-shirt-${colour.toLowerCase()}`]),
      ),
    )
  })

  test('changes nothing when it is imported again', async () => {
    const before = await stored(db)
    expect(await importText(db, SAMPLE)).toMatchObject({ added: 0, changed: 0, unchanged: 13 })
    expect(await stored(db)).toEqual(before)
  })

  test('comes into the shop that the operator names, and its dry run changes nothing', async () => {
    const before = await stored(db)
    const dry = await importText(db, SAMPLE, { shop: 'Clothes', isDryRun: true })
    expect(await stored(db)).toEqual(before)
    expect(dry.warnings).not.toContain(LACKS_SHOP)
    expect(await importText(db, SAMPLE, { shop: 'Clothes' })).toEqual(dry)
    expect(dry).toMatchObject({ added: 13, shops: ['clothes'] })
  })
})

/** Imports a file, exports it in Shopify's format and imports that into another shop. Returns both exports. */
async function exportTwice(text: string) {
  const [first, second] = await Promise.all([startProvider(), startProvider()])
  const { problems } = await importText(first.db, text)
  const once = await exported(first.db, 'shopify')
  const again = await importText(first.db, once, { hasPicture: () => Promise.resolve(true) })
  const copied = await importText(second.db, once)
  const twice = await exported(second.db, 'shopify')
  await Promise.all([first.close(), second.close()])
  return { problems, once, twice, changed: again.changed + again.added, more: [...again.problems, ...copied.problems] }
}

test('the goods of a WooCommerce file are the same after an export as Shopify’s', async () => {
  const { once, twice, changed, more } = await exportTwice(SAMPLE)
  expect({ changed, more }).toEqual({ changed: 0, more: [] })
  expect(twice).toBe(once)
})

describe('a variation', () => {
  const parent = { ID: '7', Type: 'variable', SKU: 'boot', Name: 'Boot', ...size('Size', '41, 42, 43') }
  const of = (Parent: string, value: string, cells: Cells = {}): Cells => {
    const own = { SKU: `boot-${value}`, Name: `Boot ${value}`, 'Regular price': '5', ...size('Size', value) }
    return { Type: 'variation', Parent, ...own, ...cells }
  }

  test('may name its parent by SKU or id, and come before it', async () => {
    const rows = [
      of('id:7', '43', { Stock: '3' }),
      of('boot', '41', { Stock: '1' }),
      parent,
      of('id:7', '42', { Stock: '2' }),
    ]
    expect(await importRows(...rows)).toMatchObject({ added: 1, problems: [] })
    expect((await variants('boot')).map(({ of: value, stock }) => [value, stock])).toEqual([
      ['41', 1],
      ['42', 2],
      ['43', 3],
    ])
    expect(await importRows(parent, of('boot', '41'), of('boot', '42'), of('boot', '43'))).toMatchObject({ changed: 1 })
  })

  test('is reported when it has no parent or price, or is there twice', async () => {
    const rows: Cells[] = [
      { ...parent, SKU: 'boot-2', ID: '8' },
      of('', '41'),
      of('gone', '41'),
      of('id:9', '41'),
      of('boot-2', '41', { 'Regular price': '' }),
      of('boot-2', '42'),
      of('boot-2', '42'),
      { Type: 'simple', SKU: 'plain-boot', Name: 'Plain', 'Regular price': '5' },
      of('plain-boot', '41'),
    ]
    const { added, problems } = await importRows(...rows)
    expect(added).toBe(2)
    expect(problems.toSorted()).toEqual([
      "line 10: its parent 'plain-boot' is not among the variable products of the file",
      'line 3: Parent is missing',
      "line 4: its parent 'gone' is not among the variable products of the file",
      "line 5: its parent 'id:9' is not among the variable products of the file",
      'line 6: Regular price is missing',
      'line 8: the same 42 of boot-2 is in the file twice',
    ])
  })

  test('of any size takes the sizes that no other has, and they divide its stock', async () => {
    const shared = { ...parent, SKU: 'shared', ID: '10', Name: 'Shared' }
    const { warnings } = await importRows(
      shared,
      of('shared', '', { Stock: '5', SKU: 'any', 'Regular price': '5' }),
      of('shared', '43', { Stock: '9', SKU: 'own', 'Regular price': '6' }),
    )
    expect(await variants('shared')).toEqual([
      { of: '41', sku: 'any', stock: 3, finalCents: 500 },
      { of: '42', sku: 'any', stock: 2, finalCents: 500 },
      { of: '43', sku: 'own', stock: 9, finalCents: 600 },
    ])
    expect(warnings).toEqual(['line 2: the variants of shared have one stock, which is divided among them'])
    const again = { ...shared, SKU: 'any-twice', ID: '14' }
    expect(await importRows(again, of('any-twice', ''), of('any-twice', ''))).toMatchObject({
      problems: ['line 4: a variation with these attributes is in the file twice'],
    })
  })

  test('is imported without a picture whose address cannot be used', async () => {
    const unseen = { ...parent, SKU: 'unseen', ID: '16', Name: 'Unseen' }
    const rows = [unseen, of('unseen', '41', { Images: 'http://pictures.example/a.jpg' })]
    expect(await importRows(...rows)).toMatchObject({
      added: 1,
      problems: ["line 3: Images 'http://pictures.example/a.jpg' is not an https address"],
    })
  })

  test('may be one of at most 2048', async () => {
    const many = Array.from({ length: 2050 }, (_, at) => of('many', String(at)))
    const { added, problems } = await importRows({ ...parent, SKU: 'many', ID: '15', Name: 'Many' }, ...many)
    expect({ added, problems }).toEqual({
      added: 1,
      problems: [2051, 2052].map(line => `line ${line}: 'many' has more than 2048 variations`),
    })
  })

  test('has a part of its parent’s stock, and its parent’s weight', async () => {
    const counted = { ...parent, SKU: 'counted', ID: '11', Name: 'Counted', Stock: '7', 'Weight (kg)': '1.5' }
    const heavy = of('counted', '43', { Stock: 'parent', 'Weight (kg)': '2' })
    await importRows(counted, of('counted', '41', { Stock: 'parent' }), of('counted', '42', { Stock: 'parent' }), heavy)
    const own = (await storedProduct(db, 'counted')).variants
    expect(own.map(({ stock, weightGrams }) => [stock, weightGrams])).toEqual([
      [3, 1500],
      [2, 1500],
      [2, 2000],
    ])
  })

  test('that is not published is left out', async () => {
    const half = { ...parent, SKU: 'half', ID: '12', Name: 'Half' }
    const { warnings } = await importRows(
      { ...half, Published: '1' },
      of('half', '41', { Published: '1' }),
      of('half', '42', { Published: '-1' }),
    )
    expect((await variants('half')).map(each => each.of)).toEqual(['41'])
    expect(warnings).toEqual(['line 4: variations that are not published are left out'])
  })

  test('keeps its id when its size is written otherwise but its SKU stays', async () => {
    const named = { ...parent, SKU: 'named', ID: '13', Name: 'Named' }
    await importRows(named, of('named', '41', { SKU: 'n-41' }))
    const [before] = (await storedProduct(db, 'named')).variants
    await importRows({ ...named, ...size('Size', 'EU 41') }, of('named', 'EU 41', { SKU: 'n-41' }))
    expect((await storedProduct(db, 'named')).variants).toMatchObject([
      { id: before?.id, options: [['Size', 'EU 41']] },
    ])
  })

  test('may differ in three attributes, not in four', async () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          [`Attribute ${at + 1} name`, `A${at}`],
          [`Attribute ${at + 1} value(s)`, 'x'],
        ]).flat(),
      ) as Cells
    const rows = (sku: string, count: number) => [
      { Type: 'variable', SKU: sku, Name: sku, ...many(count) },
      { Type: 'variation', Parent: sku, SKU: `${sku}-1`, 'Regular price': '5', ...many(count) },
    ]
    expect(await importRows(...rows('three', 3), ...rows('four', 4))).toMatchObject({
      added: 1,
      problems: ['line 4: its variations differ in 4 attributes; a product has up to 3 options'],
    })
  })
})

describe('a product that gets, loses or changes its SKU', () => {
  const lamp = { ID: '741', Type: 'simple', Name: 'Desk lamp', Stock: '3', 'Regular price': '5' }
  const lampsOf = async (shop: string) => {
    const found = await db.select().from(products).where(eq(products.shopName, shop)).orderBy(asc(products.handle))
    return found.map(({ handle, slug }) => [handle, slug])
  }

  test('stays the same product', async () => {
    await importText(db, wooSheet(lamp), { shop: 'Lamps' })

    for (const SKU of ['LAMP-1', '', 'LAMP-1', 'LAMP-2']) {
      const text = wooSheet({ ...lamp, SKU })
      expect(await importText(db, text, { shop: 'Lamps' })).toMatchObject({ added: 0, changed: 1 })
      expect(await lampsOf('Lamps')).toEqual([[SKU || 'id-741', 'desk-lamp']])
      expect(await importText(db, text, { shop: 'Lamps' })).toMatchObject({ unchanged: 1 })
    }
  })

  test('stays the same product with its variations', async () => {
    const shade = { ...lamp, Type: 'variable', Name: 'Shade', ...size('Size', '1, 2') }
    const variation = { Type: 'variation', Parent: 'id:741', 'Regular price': '5', Stock: '3', ...size('Size', '2') }
    await importText(db, wooSheet({ ...shade, SKU: 'SHADE' }, variation), { shop: 'Shades' })
    const [before] = (await storedProduct(db, 'shade')).variants

    expect(await importText(db, wooSheet(shade, variation), { shop: 'Shades' })).toMatchObject({ changed: 1 })
    expect(await lampsOf('Shades')).toEqual([['id-741', 'shade']])
    expect((await storedProduct(db, 'shade')).variants).toMatchObject([{ id: before?.id, stock: 3 }])
  })

  test('is another one if the file has one with its number, too, or if its name is another', async () => {
    await importText(db, wooSheet(lamp), { shop: 'Lights' })

    const rows = [{ ...lamp, SKU: 'L-1' }, { ...lamp, SKU: 'L-2' }, lamp]
    expect(await importText(db, wooSheet(...rows), { shop: 'Lights' })).toMatchObject({ added: 2, unchanged: 1 })
    const torch = { ...lamp, SKU: 'L-3', Name: 'Torch' }
    for (const row of [torch, { ...torch, ID: '742' }, { ...lamp, ID: '742' }])
      await importText(db, wooSheet(row), { shop: 'Lights' })
    expect((await lampsOf('Lights')).map(([handle]) => handle)).toEqual(['L-1', 'L-2', 'L-3', 'id-741', 'id-742'])
  })
})
