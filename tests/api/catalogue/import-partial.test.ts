import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { auditEvents, categories, productAlerts, sellers } from '#server/db/schema.ts'
import { renameShop } from '#server/catalogue/seller-management.ts'
import {
  googleItem,
  googleSheet,
  importText,
  sheet,
  storedProduct,
  wooSheet,
} from '#tests/support/catalogue/catalogue-file.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, customer, close } = await startProvider()
afterAll(close)

const shopOf = async (key: string) => (await db.select().from(sellers).where(eq(sellers.key, key)))[0]

describe('a size whose row cannot be used stays, with its alerts', () => {
  const shopify = (size: string) =>
    sheet(
      'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty',
      'shoe,Shoe,Cobbler,Size,42,10,0',
      `shoe,,,,${size},0`,
      'shoe,,,,44,10,0',
    )
  const variation = (sku: string, value: string, price: string) => ({
    Type: 'variation',
    SKU: sku,
    Stock: '0',
    'Regular price': price,
    'Attribute 1 name': 'Size',
    'Attribute 1 value(s)': value,
    Parent: 'boot',
  })
  const woocommerce = (price: string) =>
    wooSheet(
      { Type: 'variable', SKU: 'boot', Name: 'Boot', 'Attribute 1 name': 'Size', 'Attribute 1 value(s)': '42, 43, 44' },
      ...['42', '43', '44'].map(size => variation(`boot-${size}`, size, size === '43' ? price : '10')),
    )
  const google = (price: string, more = {}) =>
    googleSheet(
      ...['42', '43', '44'].map(size => ({
        ...googleItem(`clog-${size}`, { title: 'Clog', item_group_id: 'clog', size, availability: 'out of stock' }),
        ...(size === '43' && { price, ...more }),
      })),
    )

  test.each([
    ['Shopify', 'shoe', shopify('43,10'), shopify('43'), '6 columns where the header has 7'],
    ['Shopify', 'shoe', shopify('43,10'), shopify('43,free'), "Variant Price 'free' is not an amount"],
    ['Shopify', 'shoe', shopify('43,10'), shopify('"4"3,10'), 'a quoted text does not end where it should'],
    ['Shopify', 'shoe', shopify('43,10'), shopify('43,10').replace('\nshoe,,', '\n,,'), 'Handle is missing'],
    [
      'WooCommerce',
      'boot',
      woocommerce('10'),
      woocommerce('1,5').replace('"1,5"', '1,5'),
      'columns where the header has',
    ],
    ['WooCommerce', 'boot', woocommerce('10'), woocommerce('free'), "Regular price 'free' is not an amount"],
    ['Google', 'clog', google('10 USD'), google('10 USD\t0').replaceAll('"', ''), 'columns where the header has'],
    ['Google', 'clog', google('10 USD'), google('free'), "price 'free' is not an amount"],
    [
      'Google',
      'clog',
      google('10 USD'),
      google('10 USD', { size: '' }),
      'size is missing, which other items of clog have',
    ],
  ])('in a file of %s’s: %s', async (shop, slug, good, bad, reason) => {
    await importText(db, good, { shop })
    const before = (await storedProduct(db, slug)).variants
    const { id: variantId, productId } = before.find(({ options }) => options[0]?.[1] === '43')!
    await (await customer()).api.addAlert({ productId, variantId })

    const dry = await importText(db, bad, { shop, isDryRun: true })
    const done = await importText(db, bad, { shop })

    expect(done.problems).toEqual([expect.stringContaining(reason)])
    expect(done).toEqual(dry)
    const idsOf = async () =>
      Object.fromEntries((await storedProduct(db, slug)).variants.map(({ id, options }) => [options[0]?.[1], id]))
    const ids = Object.fromEntries(before.map(({ id, options }) => [options[0]?.[1], id]))
    expect(await idsOf()).toEqual(ids)
    expect(await db.select().from(productAlerts).where(eq(productAlerts.variantId, variantId))).not.toEqual([])

    await importText(db, good, { shop })
    expect(await idsOf()).toEqual(ids)
  })

  test('unless the next file without a fault leaves it out', async () => {
    await importText(db, shopify('43,10'), { shop: 'Shopify' })
    await importText(db, shopify('43,10').replace('shoe,,,,43,10,0\n', ''), { shop: 'Shopify' })
    expect((await storedProduct(db, 'shoe')).variants.map(({ options }) => options[0]?.[1])).toEqual(['42', '44'])
  })

  test('and so do all of its product if the other rows have other options', async () => {
    const rug = (second: string) =>
      googleSheet(
        ...['Wool', 'Wool', 'Jute'].map((material, at) =>
          googleItem(`rug-${at}`, {
            title: 'Rug',
            item_group_id: 'rug',
            size: at === 0 ? 'S' : 'M',
            material,
            ...(at === 2 && { price: second }),
          }),
        ),
      )
    await importText(db, rug('5 USD'), { shop: 'Google' })
    const { variants } = await storedProduct(db, 'rug')

    const { problems } = await importText(db, rug('free'), { shop: 'Google' })

    expect(problems).toEqual([
      "line 4: price 'free' is not an amount such as 1299.00",
      'line 2: rug has 3 variants, which stay as they are: some rows cannot be used, and the others have other options',
    ])
    expect((await storedProduct(db, 'rug')).variants).toEqual(variants)
  })
})

test('only new variants get the stock for what a file does not count', async () => {
  const sizes = 'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price'
  await importText(db, sheet(`${sizes},Variant Inventory Qty`, 'sock,Sock,Looms,Size,S,5,3'))

  const again = await importText(db, sheet(sizes, 'sock,Sock,Looms,Size,S,5', 'sock,,,,M,5'))

  expect(again).toMatchObject({ changed: 1, untracked: 1 })
  expect((await storedProduct(db, 'sock')).variants.map(({ stock }) => stock)).toEqual([3, 100])
})

describe('a shop record', () => {
  const record = (fields: object) => JSON.stringify([{ type: 'shop', name: 'Tonehaus', ...fields }])

  test('changes only what it says, and the result and the audit log say so', async () => {
    const whole = {
      description: 'Strings',
      verified: true,
      ai: true,
      hidden: true,
      email: 'Strings@Shops.test',
      address: ['Bow  Lane 1', 'Nairobi'],
      shipping: { Kenya: 5 },
      handlingDays: [1, 2],
      transitDays: { Kenya: [3, 5] },
      refundsShipping: false,
    }
    expect(await importText(db, record(whole))).toMatchObject({ shopRecords: { added: 1, changed: 0, unchanged: 0 } })

    const change = record({ description: 'Strings and more' })
    const dry = await importText(db, change, { isDryRun: true })
    expect(await shopOf('tonehaus')).toMatchObject({ description: 'Strings' })
    const done = await importText(db, change)

    expect(dry.shopRecords).toEqual({ added: 0, changed: 1, unchanged: 0 })
    expect(done.shopRecords).toEqual(dry.shopRecords)
    expect(await shopOf('tonehaus')).toMatchObject({
      description: 'Strings and more',
      isVerified: true,
      hasAi: true,
      isHidden: true,
      refundsShipping: false,
      shippingRates: { Kenya: 500 },
      handlingDays: [1, 2],
      transitDays: { Kenya: [3, 5] },
      email: 'strings@shops.test',
      address: ['Bow Lane 1', 'Nairobi'],
    })
    const audit = await db.select().from(auditEvents).where(eq(auditEvents.event, 'seller_imported'))
    expect(audit.map(({ details }) => details)).toEqual([
      { key: 'tonehaus', outcome: 'added' },
      { key: 'tonehaus', outcome: 'changed' },
    ])
  })

  test.each([
    [{ handlingDays: [3, 2] }, 'handlingDays: is not a range of days such as [3, 6]'],
    [{ handlingDays: [1, 500] }, 'handlingDays.1: is more than 120'],
    [{ transitDays: { Atlantis: [1, 2] } }, 'transitDays: Unrecognized key: "Atlantis"'],
    [{ email: 'nobody' }, 'email: is not an email address'],
    [{ address: ['1', '2', '3', '4', '5', '6', '7'] }, 'address: has more than 6 lines'],
  ])('with %j is reported', async (fields, problem) => {
    expect((await importText(db, record(fields))).problems).toEqual([`line 1: ${problem}`])
  })

  test('of a renamed shop counts as the same shop', async () => {
    await db.update(sellers).set({ shopName: 'Tone House' }).where(eq(sellers.key, 'tonehaus'))

    const text = JSON.stringify([
      { type: 'shop', name: 'Tone House' },
      { shop: 'Tone House', handle: 'lyre', name: 'Lyre', price: 9 },
    ])
    expect(await importText(db, text)).toMatchObject({ shops: ['tonehaus'] })
  })

  test('with a shop’s old name leaves the new one', async () => {
    await importText(db, JSON.stringify([{ type: 'shop', name: 'Clay', description: 'Mugs' }]))
    await renameShop(db, 'clay', 'Clay & Sons')

    const older = JSON.stringify([
      { type: 'shop', name: 'Clay', description: 'Mugs and bowls' },
      { shop: 'Clay', handle: 'bowl', name: 'Bowl', price: 9 },
    ])
    const changed = { shopRecords: { added: 0, changed: 1, unchanged: 0 } }
    expect(await importText(db, older)).toMatchObject({ ...changed, shops: ['clay'], problems: [] })

    expect(await shopOf('clay')).toMatchObject({ shopName: 'Clay & Sons', description: 'Mugs and bowls' })
    expect((await importText(db, older)).shopRecords).toEqual({ added: 0, changed: 0, unchanged: 1 })
  })
})

describe('the import says into which shop it brings products', () => {
  const into = (given: string, name: string, key: string) => `'${given}' is imported into the shop '${name}' (${key})`
  const columns = 'Handle,Title,Vendor,Variant Price,Variant Inventory Qty'

  test('once for each other spelling of its name, but not for capitals and blanks', async () => {
    const vendors = ['Tom & Co', 'Tom + Co.', 'Tom + Co.', 'TOM  &  co', 'tom & co']
    const rows = vendors.map((vendor, at) => `tom-${at},Tom ${at},${vendor},5,1`)

    const dry = await importText(db, sheet(columns, ...rows), { isDryRun: true })
    const done = await importText(db, sheet(columns, ...rows))

    expect(done).toMatchObject({ added: 5, warnings: [into('Tom + Co.', 'Tom & Co', 'tom-co')] })
    expect(done).toEqual(dry)
    expect(await shopOf('tom-co')).toMatchObject({ shopName: 'Tom & Co' })
    expect(await importText(db, sheet(columns, rows[1]!))).toMatchObject({ unchanged: 1, warnings: done.warnings })
  })

  test('if the file has the name from before it was renamed, also in a shop record', async () => {
    await importText(db, sheet(columns, 'urn,Urn,Kiln,5,1'))
    await renameShop(db, 'kiln', 'Kiln & Wheel')
    const warnings = [into('Kiln', 'Kiln & Wheel', 'kiln')]

    expect(await importText(db, sheet(columns, 'urn,Urn,Kiln,5,1'))).toMatchObject({ warnings })
    expect(await importText(db, JSON.stringify([{ type: 'shop', name: 'Kiln' }]))).toMatchObject({ warnings })
    expect(await importText(db, sheet(columns, 'urn,Urn,Kiln & Wheel,5,1'))).toMatchObject({ warnings: [] })
  })
})

test('the home page keeps its banners if a file has no picture for any', async () => {
  const banner = { title: 'Sale', description: 'Today', picture: { hash: 'c'.repeat(64) } }
  const text = JSON.stringify([{ type: 'carousel', banners: [banner] }])

  const { problems, banners } = await importText(db, text, { hasPicture: () => Promise.resolve(false) })

  expect(problems).toEqual([
    'line 1: the home page keeps its banners: the shop neither has nor can fetch a picture of these',
  ])
  expect(banners).toBeNull()
  expect(await importText(db, text)).toMatchObject({ banners: 1 })
})

test('a file that is cut off says what was stored before', async () => {
  const goods = Array.from({ length: 250 }, (_, at) =>
    JSON.stringify({ shop: 'Cut', handle: `cut-${at}`, name: 'Cut', price: 5 }),
  )

  await expect(importText(db, `[${goods.join(',\n')}`)).rejects.toThrow(
    /The 200 products before it are stored, but neither their pictures nor the rates of --shipping: fix the file and import it again/,
  )
})

test('a category keeps its picture if its record has none', async () => {
  const record = (fields: object) => JSON.stringify([{ type: 'category', name: 'Lyres', ...fields }])
  const pictureOf = async () => (await db.select().from(categories).where(eq(categories.name, 'Lyres')))[0]?.picture
  await importText(db, record({ picture: { source: 'https://pictures.example/lyre.jpg' } }))

  await importText(db, record({}))
  expect(await pictureOf()).toEqual({ source: 'https://pictures.example/lyre.jpg' })

  await importText(db, record({ picture: null }))
  expect(await pictureOf()).toBeNull()
})
