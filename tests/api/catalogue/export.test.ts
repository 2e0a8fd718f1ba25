import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { platformBanners, products, variants } from '#server/db/schema.ts'
import { addProduct, addSeller, picture, setVariants, stockOf } from '#tests/support/catalogue/catalogue.ts'
import { exported, fixture, importText, PUBLIC_URL, sheet, stored } from '#tests/support/catalogue/catalogue-file.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'
import { type Provider, startProvider } from '#tests/support/provider/provider.ts'

let first: Provider
beforeAll(async () => {
  first = await startProvider()
  await fill(first)
})
afterAll(() => first.close())

/** Adds data that neither format carries, as an operator would. */
async function fill({ db }: Provider): Promise<void> {
  await importText(db, fixture('pottery.csv'))
  const shop = await addSeller(db, {
    key: 'clock-makers',
    shopName: 'Clock Makers',
    description: 'Tick & tock',
    isVerified: true,
    hasAi: true,
    email: 'clocks@shops.test',
    address: ['Tick Lane 4', '10115 Berlin'],
    shippingRates: { Kenya: 500, "Côte d'Ivoire": 1250 },
    handlingDays: [1, 2],
    transitDays: { Kenya: [3, 5], "Côte d'Ivoire": [4, 9] },
    refundsShipping: false,
    picture: { ...picture('shop'), alt: 'The workshop' },
    banner: {
      title: 'Summer time',
      description: 'One hour off',
      link: '/products?category=Clocks',
      picture: picture('banner'),
    },
  })
  await addProduct(db, {
    sellerId: shop.id,
    shopName: shop.shopName,
    handle: 'Wall Clock №7',
    slug: 'wall-clock',
    name: '=1+1 "Clock", wall',
    category: 'Clocks',
    brand: 'Ada',
    priceCents: 1999,
    discount: 10,
    stock: 3,
    isPromoted: true,
    description: '<p>Goes on a nail.<br />Or two.</p>',
    tags: ['time', 'wall'],
    pictures: [{ ...picture('clock'), alt: 'Ten past ten' }, { source: 'https://pictures.example/clock.jpg' }],
    banner: { title: 'Last ones', description: '', picture: picture('last') },
    shippingPrices: { Ghana: 700 },
  })
  await db.insert(platformBanners).values([
    { position: 1, title: 'Winter', description: 'It is dark', picture: { source: 'https://pictures.example/w.jpg' } },
    {
      position: 0,
      title: 'Autumn',
      description: '',
      link: '/stores',
      picture: { ...picture('autumn'), alt: 'Leaves' },
    },
  ])
}

describe.each(['json', 'shopify'] as const)('an export as %s', format => {
  let second: Provider
  beforeAll(async () => {
    second = await startProvider()
  })
  afterAll(() => second.close())

  test('changes nothing when it is imported into the same shop, and clears no cached pages', async () => {
    const before = await stored(first.db)
    const tags: (string | null)[] = []
    await first.database.settled()
    await first.database.onChange(tag => tags.push(tag))
    const hasPicture = () => Promise.resolve(true)
    const imported = await importText(first.db, await exported(first.db, format), { hasPicture })
    expect(imported).toMatchObject({ added: 0, changed: 0, unchanged: 6, problems: [] })
    await first.database.settled()
    expect(await stored(first.db)).toEqual(before)
    expect(tags).toEqual([])
  })

  test('creates the same catalogue in an empty shop, with an identical export', async () => {
    const text = await exported(first.db, format)
    expect(await importText(second.db, text)).toMatchObject({ added: 6, problems: [] })
    expect(await exported(second.db, format)).toBe(text)
  })

  test('keeps everything that an imported Shopify file contained', async () => {
    const mug = await second.db
      .select()
      .from(products)
      .where(eq(products.handle, 'river-mug'))
      .orderBy(products.shopName)
    expect(mug[0]).toMatchObject({
      finalCents: 1999,
      compareAtCents: 2599,
      tags: ['clay', 'Blue', 'gift'],
      category: 'Mugs',
    })
    const carried = async ({ db }: Provider) =>
      (await stored(db)).variants.map(({ extra }) => JSON.stringify(extra)).toSorted()
    expect(await carried(second)).toEqual(await carried(first))
  })
})

// Shopify's format has no shops, so each product is hidden.
test.each([
  ['json', 200],
  ['shopify', 404],
] as const)('the products of a hidden shop stay hidden in an export as %s', async (format, status) => {
  const second = await startProvider()
  const read = () =>
    second.api.getProduct({ id: 'secret-jug' }).then(
      () => 200,
      (error: { status: number }) => error.status,
    )
  await importText(first.db, sheet('Handle,Title,Vendor,Variant Price', 'secret-jug,Jug,Secret,9'))
  await operatorOf(first)('seller', 'hide', 'secret')
  await importText(second.db, await exported(first.db, format))
  expect(await read()).toBe(404)

  await operatorOf(second)('seller', 'hide', 'secret', '--off')

  expect(await read()).toBe(status)
  await second.close()
})

test('what the operator has set of a shop is in its export as JSON', async () => {
  const second = await startProvider()
  await importText(second.db, await exported(first.db, 'json'))

  const [before, after] = await Promise.all(
    [first, second].map(async shop => {
      const { out } = await operatorOf(shop)('seller', 'show', 'clock-makers')
      return out.split('\n').filter(line => !line.includes('/stores/'))
    }),
  )
  expect(after).toEqual(before)
  expect(after).toContain('Mails about paid orders go to clocks@shops.test')
  await second.close()
})

test('an export of an empty catalogue is an empty file of the chosen format', async () => {
  const empty = await startProvider()
  expect(await exported(empty.db, 'json')).toBe('[]\n')
  expect((await exported(empty.db, 'shopify')).trimEnd().split('\n')).toHaveLength(1)
  await empty.close()
})

describe('an export as Shopify', () => {
  test('has the stock that is left of each variant', async () => {
    const { db } = first
    const columns = 'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty,Variant SKU'
    await importText(db, sheet(columns, 'sold,Sold,Stock,Size,S,5,4,s', 'sold,,,,M,5,3,m', 'sold,,,,L,5,2,l'))
    await db.update(variants).set({ stock: 1 }).where(eq(variants.sku, 'm'))
    const rows = parse<Record<string, string>>(await exported(db, 'shopify'), { columns: true })
    const sold = rows.filter(({ Handle }) => Handle === 'sold')
    expect(sold.map(row => row['Variant Inventory Qty'])).toEqual(['4', '1', '2'])
  })

  test('marks all stock as tracked, so that importing it again does not reset the stock', async () => {
    const { db } = first
    const columns =
      'Handle,Title,Variant Price,Variant Inventory Qty,Variant Inventory Tracker,Variant Inventory Policy'
    await importText(db, sheet(columns, 'endless,Endless,5,0,,continue'))
    const [endless] = await db.select().from(products).where(eq(products.handle, 'endless'))
    await setVariants(db, endless!, { stock: 98 })

    await importText(db, await exported(db, 'shopify'), { hasPicture: () => Promise.resolve(true) })

    expect(await stockOf(db, endless!)).toBe(98)
  })

  test('has the variant picture that an import of an older version only carried along', async () => {
    const { db } = first
    const columns = 'Handle,Title,Variant Price,Variant Inventory Qty,Variant SKU'
    await importText(db, sheet(columns, 'carried,Carried,5,1,carried'))
    const address = 'https://pictures.example/carried.png'
    await db
      .update(variants)
      .set({ extra: { 'Variant Image': address } })
      .where(eq(variants.sku, 'carried'))

    const rows = parse<Record<string, string>>(await exported(db, 'shopify'), { columns: true })

    expect(rows.find(({ Handle }) => Handle === 'carried')).toMatchObject({ 'Variant Image': address })
  })

  test('lists the shop’s own pictures with their public address', async () => {
    expect(await exported(first.db, 'shopify')).toContain(`${PUBLIC_URL}/media/${picture('clock').hash}/1280.webp`)
  })
})
