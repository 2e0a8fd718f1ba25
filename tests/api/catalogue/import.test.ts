import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products, sellers } from '#server/db/schema.ts'
import { fixture, FIXTURES, importText, sheet, stored, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

const SAMPLES = process.env['CATALOGUE_SAMPLES'] || FIXTURES
let provider: Provider
let db: Provider['db']

beforeAll(async () => {
  provider = await startProvider()
  db = provider.db
})
afterAll(() => provider.close())

describe('importing a Shopify file', () => {
  test('adds all its products without problems', async () => {
    expect(await importText(db, fixture('pottery.csv'))).toMatchObject({ added: 5, changed: 0, problems: [] })
  })

  test('sets the price to Variant Price and shows the whole dollars below the compare-at price as discount', async () => {
    const mug = await storedProduct(db, 'river-mug')
    expect(mug).toMatchObject({ finalCents: 1999, priceCents: 2599, discount: 23.0859, compareAtCents: 2599 })
    expect(await storedProduct(db, 'moon-vase')).toMatchObject({
      finalCents: 12_000,
      priceCents: 18_000,
      compareAtCents: 18_050,
    })
  })

  test('gives no discount for a gap under a dollar or an equal price, but keeps the compare-at price', async () => {
    expect(await storedProduct(db, 'river-mug-north-pottery')).toMatchObject({
      finalCents: 1700,
      discount: 0,
      compareAtCents: 1760,
    })
    expect(await storedProduct(db, 'salt-pig')).toMatchObject({ finalCents: 3800, discount: 0, compareAtCents: 3800 })
  })

  test('counts negative and blank quantities as zero, and sells what the seller does not count without stock', async () => {
    expect((await storedProduct(db, 'river-mug')).variants.reduce((sum, { stock }) => sum + stock, 0)).toBe(4)
    expect((await storedProduct(db, 'salt-pig')).variants[0]?.sellsWithoutStock).toBe(true)
  })

  test('keeps variants in order with their options and their other columns', async () => {
    const kinds = (await storedProduct(db, 'river-mug')).variants
    expect(kinds.map(({ options }) => options)).toEqual([
      [
        ['Size', 'Small'],
        ['Handle', 'Left'],
      ],
      [
        ['Size', 'Large'],
        ['Handle', 'Left'],
      ],
      [
        ['Size', 'Large'],
        ['Handle', 'Right'],
      ],
    ])
    expect(kinds[0]).toMatchObject({
      sku: 'RM-S',
      barcode: '4006381333931',
      finalCents: 1999,
      compareAtCents: 2599,
      stock: 4,
    })
    expect(kinds[0]?.extra).toMatchObject({
      Glaze: 'Cobalt',
      'SEO Title': 'A mug from the river',
    })
  })

  test('offers no variants when there is only the default one', async () => {
    const { product } = await provider.api.getProduct({ id: 'salt-pig' })
    expect(product.variants).toEqual([])
    expect((await provider.api.getProduct({ id: 'river-mug' })).product.variants).toHaveLength(3)
  })

  test('adds rows that contain only a picture as pictures, at their position', async () => {
    expect((await storedProduct(db, 'river-mug')).pictures).toEqual([
      { source: 'https://pictures.example/river-mug-side.jpg', alt: 'From the side' },
      { source: 'https://pictures.example/river-mug-front.jpg', alt: 'The mug from the front' },
      { source: 'https://pictures.example/river-mug-top.jpg' },
    ])
  })

  test('keeps only safe HTML in descriptions and turns plain text into paragraphs', async () => {
    expect((await storedProduct(db, 'river-mug')).description).toBe(
      '<p>Thrown by hand, glazed in the blue of the <strong>Neman</strong>.</p>',
    )
    expect((await storedProduct(db, 'salt-pig')).description).toBe(
      '<p>Keeps salt dry &amp; close.</p><p>Unglazed inside; "wash by hand".</p>',
    )
    expect((await storedProduct(db, 'moon-vase')).description).toBe('<h3>White</h3><p>As the <a>moon</a>.</p>')
  })

  test('hides products that are not published', async () => {
    await expect(provider.api.getProduct({ id: 'moon-vase' })).rejects.toMatchObject({ status: 404 })
  })

  test('uses a default shop and category for products without vendor and type', async () => {
    expect(await storedProduct(db, 'plain-bowl')).toMatchObject({ shopName: 'Unnamed shop', category: 'Other' })
  })

  test('adds a suffix to a slug that another shop uses, and creates shops without the verified badge', async () => {
    expect(await storedProduct(db, 'river-mug-north-pottery')).toMatchObject({
      handle: 'river-mug',
      shopName: 'North Pottery',
    })
    const [shop] = await db.select().from(sellers).where(eq(sellers.shopName, 'North Pottery'))
    expect(shop).toMatchObject({ key: 'north-pottery', isVerified: false })
  })

  test('changes nothing when the same file is imported again', async () => {
    const before = await stored(db)
    const tags: (string | null)[] = []
    await provider.database.settled()
    await provider.database.onChange(tag => tags.push(tag))
    expect(await importText(db, fixture('pottery.csv'))).toMatchObject({ added: 0, changed: 0, unchanged: 5 })
    await provider.database.settled()
    expect(await stored(db)).toEqual(before)
    expect(tags).toEqual([])
  })

  test('updates only the products that differ', async () => {
    const other = await storedProduct(db, 'salt-pig')
    const changed = fixture('pottery.csv').replace(',14,,', ',15,,')
    expect(await importText(db, changed)).toMatchObject({ added: 0, changed: 1, unchanged: 4 })
    expect((await storedProduct(db, 'plain-bowl')).finalCents).toBe(1500)
    expect((await storedProduct(db, 'salt-pig')).updatedAt).toEqual(other.updatedAt)
  })

  test('removes a variant that the file no longer has', async () => {
    await importText(db, fixture('pottery.csv'))
    const fewer = fixture('pottery.csv').replace(/^river-mug,.*RM-LR.*\n/m, '')
    expect(await importText(db, fewer)).toMatchObject({ changed: 1 })
    expect((await storedProduct(db, 'river-mug')).variants).toHaveLength(2)
  })

  test('keeps a discount set by the operator when it gives the same price as the file', async () => {
    await db
      .update(products)
      .set({ priceCents: 2000, discount: 10, compareAtCents: null })
      .where(eq(products.slug, 'plain-bowl'))
    const row = 'plain-bowl,Plain Bowl,18.00,20.00'
    await importText(db, sheet('Handle,Title,Variant Price,Variant Compare At Price', row))
    expect(await storedProduct(db, 'plain-bowl')).toMatchObject({ priceCents: 2000, discount: 10, finalCents: 1800 })
  })
})

describe('an import', () => {
  test('keeps whole products when it is interrupted, and the next import completes it', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => [`half-${at},Half,Halves,Size,S,5`, `half-${at},,,,L,6`]).flat()
    const text = sheet('Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price', ...rows)
    const stop = new AbortController()
    const onProgress = ({ products: done }: { products: number }) => done >= 100 && stop.abort(new Error('enough'))
    await expect(importText(db, text, { signal: stop.signal, onProgress })).rejects.toThrow('enough')

    const half = await db.select({ id: products.id }).from(products).where(eq(products.shopName, 'Halves'))
    expect(half).toHaveLength(100)
    expect((await storedProduct(db, 'half-99')).variants).toHaveLength(2)
    expect(await importText(db, text)).toMatchObject({ added: 150, unchanged: 100 })
  })

  test('sets the shipping rates of its shops and counts products without shipping', async () => {
    const text = sheet('Handle,Title,Vendor,Variant Price', 'ship-1,S,Shippers,5', 'ship-2,S,Shippers,5')
    expect((await importText(db, text)).lacking.shipping.count).toBe(2)
    expect((await importText(db, text, { shippingRates: { Kenya: 500 } })).lacking.shipping.count).toBe(0)
    expect((await provider.api.getProduct({ id: 'ship-1' })).product.shippingPrices).toEqual({ Kenya: 500 })
  })

  test('treats category names that differ only in spaces as the same', async () => {
    const record = { shop: 'Json', handle: 'spaced-2', name: 'J', price: 5, category: 'Home\u00A0 &\tGarden' }
    await importText(db, sheet('Handle,Title,Vendor,Type,Variant Price', 'spaced-1,S,Spaces,Home  & Garden ,5'))
    await importText(db, JSON.stringify([record, { type: 'category', name: ' Home &  Garden' }]))

    const { categories } = await provider.api.getCategories({})
    expect(categories.filter(({ name }) => name.startsWith('Home'))).toEqual([
      { name: 'Home & Garden', image: '/category-pictures/plants.svg', productCount: 2 },
    ])
    expect(await provider.api.queryProducts({ category: 'Home & Garden', page: 1 })).toMatchObject({ total: 2 })
  })

  test('reports the line and field of a JSON record that cannot be imported', async () => {
    const record = { shop: 'Json', handle: 'json-1', name: 'J', price: 5 }
    const records = [
      record,
      { ...record, handle: 'json-2', price: '5' },
      record,
      { ...record, handle: 'json-3', shipping: { Mars: 5 } },
    ]
    const { added, problems } = await importText(
      db,
      `[\n${records.map(each => JSON.stringify(each)).join(',\n')},\n{"handle": }\n]`,
    )
    expect(added).toBe(1)
    expect(problems).toEqual([
      expect.stringMatching(/^line 3: price: /),
      'line 4: json-1 of Json is in the file twice',
      expect.stringMatching(/^line 5: shipping.*Mars/),
      'line 6: the record is not JSON',
    ])
  })

  test('accepts a JSON file of any layout', async () => {
    const record = {
      shop: 'Json',
      handle: 'pretty',
      name: 'Brackets ]} and "quotes"',
      price: 5,
      description: '<p>[{</p>',
    }
    expect(await importText(db, JSON.stringify([record], null, 4))).toMatchObject({ added: 1, problems: [] })
    expect(await storedProduct(db, 'pretty')).toMatchObject({ name: record.name, finalCents: 500 })
  })
})

describe('sample catalogue files', () => {
  const files = readdirSync(SAMPLES).filter(name => /^(shopify|woocommerce|google)-.*\.(csv|xml)$/.test(name))
  const unsold = ['grouped', 'external'].map(
    type => `Type '${type}' is not imported, only simple, variable and variation are`,
  )

  test('include files of Shopify, WooCommerce and Google', () => {
    expect(new Set(files.map(name => name.split('-')[0]))).toEqual(new Set(['shopify', 'woocommerce', 'google']))
  })

  test.each(files)('%s is imported, and a second import changes nothing', async name => {
    const text = readFileSync(join(SAMPLES, name))
    const first = await importText(db, text)
    expect(first.problems.map(problem => problem.replace(/^line \d+: /, ''))).toEqual(
      name.startsWith('woocommerce') ? unsold : [],
    )
    expect(first.added + first.changed + first.unchanged).toBeGreaterThan(0)
    expect(await importText(db, text)).toMatchObject({ added: 0, changed: 0, problems: first.problems })
  })
})
