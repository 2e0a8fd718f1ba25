import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEvents } from '#server/db/schema.ts'
import { setVariants } from '#tests/support/catalogue/catalogue.ts'
import { importText, sheet, stored, storedProduct } from '#tests/support/catalogue/catalogue-file.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

let provider: Provider
let db: Provider['db']

beforeAll(async () => {
  provider = await startProvider()
  db = provider.db
})
afterAll(() => provider.close())

const record = (fields: object) => JSON.stringify([{ shop: 'Json', name: 'J', price: 5, ...fields }])

describe('stock that the file does not track', () => {
  const COLUMNS = 'Handle,Title,Variant Inventory Tracker,Variant Inventory Policy,Variant Inventory Qty,Variant Price'
  const text = sheet(
    COLUMNS,
    'counted,Counted,shopify,deny,3,5',
    'uncounted,Uncounted,,deny,3,5',
    'endless,Endless,shopify,Continue,0,5',
  )
  const stockOf = async (handle: string) => (await storedProduct(db, handle)).variants[0]?.stock

  const isEndless = async (handle: string) => (await storedProduct(db, handle)).variants[0]?.sellsWithoutStock

  test('does not limit what can be bought: without a tracker or with the policy “continue”', async () => {
    expect(await importText(db, text)).toMatchObject({ added: 3, untracked: 0, problems: [] })
    const handles = ['counted', 'uncounted', 'endless']
    expect(await Promise.all(handles.map(stockOf))).toEqual([3, 3, 0])
    expect(await Promise.all(handles.map(isEndless))).toEqual([false, true, true])
  })

  test('is recognised by the column names of newer Shopify templates', async () => {
    const columns = 'Title,URL handle,Price,Inventory tracker,Inventory quantity,Continue selling when out of stock'
    await importText(db, sheet(columns, 'N,newer-1,5,shopify,2,DENY', 'N,newer-2,5,shopify,2,CONTINUE'))
    expect(await Promise.all(['newer-1', 'newer-2'].map(isEndless))).toEqual([false, true])
  })

  test('is the quantity when the file has no tracker column', async () => {
    await importText(db, sheet('Handle,Title,Variant Price,Variant Inventory Qty', 'plain,Plain,5,4'))
    expect(await stockOf('plain')).toBe(4)
  })

  test.each([
    ['a sheet', (price: number) => sheet('Handle,Title,Variant Price', `no-quantity-1,N,${price}`), 'no-quantity-1'],
    ['JSON', (price: number) => record({ handle: 'no-quantity-2', price }), 'no-quantity-2'],
  ])(
    'is set to 100 with a warning when %s has no quantity, unless the operator gives --stock',
    async (_, textOf, handle) => {
      const { warnings, untracked } = await importText(db, textOf(5))
      expect({ stock: await stockOf(handle), untracked }).toEqual({ stock: 100, untracked: 1 })
      expect(warnings).toEqual([expect.stringMatching(/new variants get 100 in stock.*--stock N/)])

      expect(await importText(db, textOf(5), { stock: 12 })).toMatchObject({ changed: 1, untracked: 0, warnings: [] })
      expect(await stockOf(handle)).toBe(12)
      expect(await importText(db, textOf(6))).toMatchObject({ changed: 1 })
      expect(await stockOf(handle)).toBe(12)
    },
  )

  test('stays unchanged in each variant when a file without quantities is imported again', async () => {
    const columns = 'Handle,Title,Option1 Name,Option1 Value,Variant Price'
    const sizes = sheet(columns, 'sizes,Sizes,Size,S,5', 'sizes,,,M,6')
    await importText(db, sizes, { stock: 4 })
    await importText(db, sizes.replace(',6', ',7'))
    const { variants } = await storedProduct(db, 'sizes')
    expect(variants.map(variant => variant.stock)).toEqual([4, 4])
  })

  test('gets a warning that --stock is not used when the file has quantities', async () => {
    const { warnings } = await importText(db, text, { stock: 5 })
    expect(warnings).toEqual(["--stock is not used: the file has the column 'Variant Inventory Qty'"])
    expect(await stockOf('counted')).toBe(3)
  })
})

describe('an import into one shop (--shop)', () => {
  test('puts the products of all vendors into that shop and keeps the vendor as the brand', async () => {
    const text = sheet('Handle,Title,Vendor,Variant Price', 'one-1,A,Acme,5', 'one-2,B,Umbrella,5', 'one-3,C,,5')
    const imported = await importText(db, text, { shop: 'Whole House' })
    expect(imported).toMatchObject({ added: 3, shops: ['whole-house'] })
    const products = await Promise.all(['one-1', 'one-2', 'one-3'].map(slug => storedProduct(db, slug)))
    expect(products.map(({ shopName, brand }) => [shopName, brand])).toEqual([
      ['Whole House', 'Acme'],
      ['Whole House', 'Umbrella'],
      ['Whole House', 'Whole House'],
    ])
    expect((await stored(db)).sellers.map(({ key }) => key)).not.toContain('acme')
    expect(await importText(db, text, { shop: 'whole-house' })).toMatchObject({ unchanged: 3 })
  })

  test('accepts our JSON format too, and warns that the shops in the file are left out', async () => {
    const records = [
      { type: 'shop', name: 'Left Out', verified: true },
      { shop: 'Left Out', handle: 'one-4', name: 'D', price: 5, stock: 1 },
      { handle: 'one-5', name: 'E', price: 5, stock: 1 },
    ]
    const { warnings, shops } = await importText(db, JSON.stringify(records), { shop: 'Whole House' })
    expect({ warnings, shops }).toEqual({
      shops: ['whole-house'],
      warnings: ["line 1: the shop 'Left Out' is left out: --shop puts all products into 'Whole House'"],
    })
    expect(await storedProduct(db, 'one-4')).toMatchObject({ shopName: 'Whole House', brand: 'Left Out' })
    expect(await storedProduct(db, 'one-5')).toMatchObject({ shopName: 'Whole House', brand: 'Whole House' })
    expect((await stored(db)).sellers.map(({ key }) => key)).not.toContain('left-out')
  })
})

describe('an import of prices in another currency', () => {
  test('converts prices to dollars, rounded to cents', async () => {
    const text = sheet(
      'Handle,Title,Variant Price,Variant Compare At Price,Variant Inventory Qty',
      'rand-1,A,199.99,299.99,1',
      'rand-2,B,10.53,,1',
      'rand-3,C,1.00,,1',
    )
    expect(await importText(db, text, { rate: 0.095 })).toMatchObject({ added: 3, problems: [] })
    expect(await storedProduct(db, 'rand-1')).toMatchObject({ finalCents: 1900, compareAtCents: 2850 })
    expect((await storedProduct(db, 'rand-2')).finalCents).toBe(100)
    expect((await storedProduct(db, 'rand-3')).finalCents).toBe(10)
    expect(await importText(db, text, { rate: 0.095 })).toMatchObject({ unchanged: 3 })
    // In binary, 1.00 × 0.145 is slightly less than 14.5 cents.
    await importText(db, text, { rate: 0.145 })
    expect((await storedProduct(db, 'rand-3')).finalCents).toBe(15)
  })

  test('accepts amounts above the dollar limit, but rejects results above the limit or below one cent', async () => {
    const text = sheet(
      'Handle,Title,Variant Price,Variant Inventory Qty',
      'dong-1,A,25000000,1',
      'dong-2,B,99999999999,1',
      'dong-3,C,100,1',
    )
    expect(await importText(db, text, { rate: 0.00004 })).toMatchObject({
      added: 1,
      problems: [
        "line 3: Variant Price '99999999999' is more than 999999.99",
        "line 4: Variant Price '100' is less than a cent in dollars",
      ],
    })
    expect((await storedProduct(db, 'dong-1')).finalCents).toBe(100_000)
  })

  test('converts prices and shipping in our JSON format too', async () => {
    const variant = { options: [['Size', 'S']], price: 2_000_000, compareAtPrice: 4_000_000, stock: 1 }
    const text = record({ handle: 'yen', price: 2_000_000, stock: 1, shipping: { Japan: 1000 }, variants: [variant] })
    expect(await importText(db, text, { rate: 0.0065 })).toMatchObject({ added: 1, problems: [] })
    const product = await storedProduct(db, 'yen')
    expect(product).toMatchObject({ finalCents: 1_300_000, shippingPrices: { Japan: 650 } })
    expect(product.variants[0]).toMatchObject({ finalCents: 1_300_000, compareAtCents: 2_600_000 })
  })
})

test('products without counted stock stay so when the next file has no stock, even if too many were sold', async () => {
  const columns = 'Handle,Title,Variant Price'
  await importText(
    db,
    sheet(`${columns},Variant Inventory Qty,Variant Inventory Policy`, 'oversold,Oversold,5,1,continue'),
  )
  await setVariants(db, await storedProduct(db, 'oversold'), { stock: -2 })

  expect(await importText(db, sheet(columns, 'oversold,Oversold,6'))).toMatchObject({ changed: 1, problems: [] })

  expect((await storedProduct(db, 'oversold')).variants).toMatchObject([
    { finalCents: 600, stock: -2, sellsWithoutStock: true },
  ])
})

test('the stock of a record whose variants have none is that of its first variant', async () => {
  const variants = ['S', 'M'].map(size => ({ options: [['Size', size]], price: 5 }))

  await importText(db, record({ handle: 'counted-whole', stock: 7, variants }))

  expect((await storedProduct(db, 'counted-whole')).variants.map(({ stock }) => stock)).toEqual([7, 0])
})

describe('the import report', () => {
  const COLUMNS = 'Handle,Title,Vendor,Published,Variant Inventory Qty,Variant Price,Image Src'
  const text = sheet(
    COLUMNS,
    'lack-none,A,Lacks,true,1,5,https://pictures.example/a.jpg',
    'lack-stock,B,Lacks,true,0,5,https://pictures.example/b.jpg',
    'lack-price,C,Lacks,true,1,0,https://pictures.example/c.jpg',
    'lack-picture,D,Lacks,true,1,5,',
    'lack-all,E,Lacks,false,0,0,',
  )
  const slugs = (...each: string[]) => ({ count: each.length, slugs: each })

  test('lists visible products without stock, price, picture or shipping', async () => {
    const visible = ['lack-none', 'lack-stock', 'lack-price', 'lack-picture']
    expect(await importText(db, text, { isDryRun: true })).toMatchObject({
      added: 5,
      hidden: 1,
      lacking: {
        stock: slugs('lack-stock'),
        price: slugs('lack-price'),
        picture: slugs('lack-picture'),
        shipping: slugs(...visible),
      },
    })
    const shipped = await importText(db, text, { shippingRates: { Kenya: 500 } })
    expect(shipped.lacking.shipping).toEqual(slugs())
    expect((await importText(db, text)).lacking.shipping).toEqual(slugs())
  })

  test('counts a product discounted to zero as lacking a price, and accepts shipping rates from the file', async () => {
    const own = { stock: 1, pictures: [{ source: 'https://pictures.example/a.jpg' }] }
    const records = [
      { ...own, shop: 'Gaps', handle: 'gap-free', name: 'F', price: 5, discount: 100, shipping: { Kenya: 1 } },
      { ...own, shop: 'Gaps', handle: 'gap-shop', name: 'G', price: 5 },
      { ...own, shop: 'No Rates', handle: 'gap-rates', name: 'H', price: 5 },
      { type: 'shop', name: 'Gaps', shipping: { Ghana: 5 } },
    ]
    for (const isDryRun of [true, false]) {
      const { lacking } = await importText(db, JSON.stringify(records), { isDryRun })
      expect(lacking).toEqual({
        stock: slugs(),
        picture: slugs(),
        price: slugs('gap-free'),
        shipping: slugs('gap-rates'),
      })
    }
  })
})

test('a dry run reports what an import would do and changes nothing', async () => {
  const text = sheet(
    'Handle,Title,Vendor,Type,Variant Inventory Qty,Variant Price,Image Src',
    'dry-1,A,Dry Goods,Dry,1,5,https://pictures.example/a.jpg',
    'dry-2,B,Dry Goods,Dry,0,x,',
    'dry-3,C,Dry Goods,Dry,0,5,',
    'plain,Plainer,,,4,5,',
  )
  const records = JSON.stringify([
    { type: 'shop', name: 'Dry Shop' },
    { type: 'category', name: 'Dry Kind' },
    { type: 'carousel', banners: [] },
  ])
  await importText(db, sheet('Handle,Title,Variant Price,Variant Inventory Qty', 'plain,Plain,5,4'))
  const before = await stored(db)
  const tags: (string | null)[] = []
  await provider.database.settled()
  await provider.database.onChange(tag => tags.push(tag))

  const dry = await importText(db, text, { isDryRun: true, shippingRates: { Kenya: 500 } })
  await importText(db, records, { isDryRun: true })

  await provider.database.settled()
  expect(await stored(db)).toEqual(before)
  expect(tags).toEqual([])
  expect(dry).toMatchObject({ added: 2, changed: 1, pictures: 1 })
  expect(await importText(db, text, { shippingRates: { Kenya: 500 } })).toEqual(dry)
})

test('the rates that an import sets are in the audit log, those that shops had before are not', async () => {
  const text = sheet('Handle,Title,Vendor,Variant Price', 'sent-1,Sent,Senders,5', 'sent-2,Sent,Posters,5')
  await importText(db, text)
  for (const shippingRates of [{ Kenya: 700 }, { Kenya: 700 }]) await importText(db, text, { shippingRates })

  const events = await db.select().from(auditEvents).where(eq(auditEvents.event, 'seller_shipping'))
  const ofThese = events.filter(({ details }) => JSON.stringify(details).includes('senders'))
  expect(ofThese.map(({ details }) => details)).toEqual([
    { shops: ['posters', 'senders'], shippingRates: { Kenya: 700 } },
  ])
})

test('the audit log says how many products of which shops an import changed, but lists no dry run', async () => {
  const row = (price: number) =>
    sheet('Handle,Title,Vendor,Variant Price,Variant Inventory Qty', `kept,Kept,Audited,${price},4`)
  await importText(db, row(5))
  await importText(db, row(5))
  await importText(db, row(6), { isDryRun: true })
  await importText(db, row(6))

  const events = await db.select().from(auditEvents).where(eq(auditEvents.event, 'products_imported'))
  expect(events.slice(-2).map(({ details }) => details)).toEqual([
    { added: 1, changed: 0, shops: ['audited'] },
    { added: 0, changed: 1, shops: ['audited'] },
  ])
})
