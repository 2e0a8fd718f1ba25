import { existsSync } from 'node:fs'
import { asc, eq, gt, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { COUNTRIES } from '#contract/countries.ts'
import * as tables from '#server/db/schema.ts'
import { picturesOf, readContent } from '#server/operators/demo/content.ts'
import { customerId, DEMO_CUSTOMER } from '#server/operators/demo/customer.ts'
import type { Media } from '#server/media/store.ts'
import { exported, fixture, importText } from '#tests/support/catalogue/catalogue-file.ts'
import { setVariants } from '#tests/support/catalogue/catalogue.ts'
import { startDemo } from '#tests/support/provider/demo.ts'
import { payOrder } from '#tests/support/provider/ordering.ts'
import type { OrderSummary } from '#contract/orders.ts'
import { operatorOf } from '#tests/support/provider/operator.ts'

const { demo, demoMedia, ...provider } = await startDemo()
const { db, close } = provider
afterAll(close)

/** Returns every row of the catalogue and its sales as text. */
async function everything() {
  const names = [
    'categories',
    'sellers',
    'products',
    'variants',
    'reviews',
    'orders',
    'seller_orders',
    'order_lines',
    'parcels',
    'parcel_lines',
    'payments',
    'sandbox_payments',
    'platform_banners',
    'wishlist_items',
    'conversations',
    'messages',
    'notifications',
  ]
  const found = names.map(async name => {
    const { rows } = await db.execute<{ row: string }>(
      sql`select x::text as row from ${sql.identifier(name)} x order by x::text`,
    )
    return [name, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

describe('the demo marketplace', () => {
  let atFirst: Awaited<ReturnType<typeof everything>>

  test('is added to an empty catalogue', async () => {
    expect(await demo.seed()).toBe(true)
    atFirst = await everything()
  })

  test('has the expected number of shops, products, reviews and banners, and no picture is missing', async () => {
    expect(atFirst['sellers']).toHaveLength(12)
    expect(atFirst['categories']).toHaveLength(14)
    expect(atFirst['products']!.length).toBeGreaterThanOrEqual(240)
    expect(atFirst['reviews']).toHaveLength(600)
    expect(atFirst['platform_banners']).toHaveLength(5)
    const verified = await db.select().from(tables.sellers).where(eq(tables.sellers.isVerified, true))
    expect(verified).toHaveLength(8)
    const content = await readContent()
    const missing = picturesOf(content).filter(
      name => !existsSync(new URL(`../../../server/operators/demo/pictures/${name}`, import.meta.url)),
    )
    expect(missing).toEqual([])
  })

  test('ships every product to at least five known countries', async () => {
    const { shops, products } = await readContent()
    const named = [...shops.map(shop => shop.shippingRates), ...products.map(product => product.shippingExtra ?? {})]
    const known: readonly string[] = COUNTRIES
    expect(named.flatMap(rates => Object.keys(rates)).filter(country => !known.includes(country))).toEqual([])
    expect(Math.min(...shops.map(shop => Object.keys(shop.shippingRates).length))).toBeGreaterThanOrEqual(5)
  })

  test('sells clothing and shoes in sizes and colours: some are sold out, a large one costs more', async () => {
    const { rows } = await db.execute<{ products: number; choices: number; soldOut: number; dearer: number }>(sql`
      select count(distinct product.id)::int as products, count(*)::int as choices,
        count(*) filter (where not can_be_bought and is_available)::int as "soldOut",
        count(distinct product.id) filter (where highest_cents > product.final_cents)::int as dearer
      from variants join products product on product.id = product_id
      where category in ('Clothing', 'Shoes') and options <> '[]'`)
    expect(rows[0]!.products).toBeGreaterThan(30)
    expect(rows[0]!.choices).toBeGreaterThan(150)
    expect(rows[0]!.soldOut).toBeGreaterThan(10)
    expect(rows[0]!.dearer).toBe(1)
    const coloured = await db.select().from(tables.products).where(gt(tables.products.colourCount, 1))
    expect(coloured.map(({ handle }) => handle)).toEqual(
      expect.arrayContaining(['cirrus-trail', 'everyday-tee-heavy-organic-jersey']),
    )
    const twice = sql`select sku from variants where sku <> '' group by product_id, sku having count(*) > 1`
    expect((await db.execute(twice)).rows).toEqual([])
  })

  test('shows each colour of a product in a picture of its own', async () => {
    const { products } = await readContent()
    const coloured = products.filter(({ colours }) => colours)
    expect(coloured.length).toBeGreaterThan(20)
    for (const { key, variants = [] } of coloured) {
      const stored = await db
        .select({ options: tables.variants.options, picture: tables.variants.picture })
        .from(tables.variants)
        .innerJoin(tables.products, eq(tables.products.id, tables.variants.productId))
        .where(eq(tables.products.handle, key))
      const colourOf = (options: [string, string][]) => Object.fromEntries(options)['Colour']
      const shown = new Map(stored.map(({ options, picture }) => [colourOf(options), picture?.hash]))
      const colours = new Set(variants.map(({ options }) => options['Colour']))
      expect({ key, count: new Set(shown.values()).size }).toEqual({ key, count: colours.size })
      expect([...shown.values()]).not.toContain(undefined)
    }
  })

  test('has paid orders that match its products’ units sold', async () => {
    const { products: content } = await readContent()
    const sold = await db
      .select({ handle: tables.products.handle, units: tables.products.unitsSold })
      .from(tables.products)
    const expected = new Map(content.map(({ key, unitsSold }) => [key, unitsSold]))
    expect(new Map(sold.map(({ handle, units }) => [handle, units]))).toEqual(expected)
    const { rows } = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from orders
      where not is_demo or price_cents - shipping_cents <> (select sum(quantity * unit_cents) from order_lines line
        join seller_orders part on part.id = line.seller_order_id where part.order_id = orders.id)`)
    expect(rows[0]!.count).toBe(0)
  })

  test('rates products by the mean of their reviews', async () => {
    const { rows } = await db.execute<{ wrong: number; rated: number }>(sql`
      select count(*) filter (where rating is distinct from coalesce(mean, 0))::int as wrong, count(mean)::int as rated
      from products left join (select product_id, round(avg(rating), 2)::float8 as mean from reviews group by 1) r on product_id = id`)
    expect(rows[0]!.wrong).toBe(0)
    expect(rows[0]!.rated).toBeGreaterThan(50)
  })

  test('has shops that usually reply within an hour, a day or a few days, and some without a known reply time', async () => {
    const shops = await db.select({ hours: tables.sellers.replyHours }).from(tables.sellers)
    expect(Object.groupBy(shops, ({ hours }) => String(hours))).toMatchObject({
      1: { length: 4 },
      24: { length: 4 },
      72: { length: 2 },
      null: { length: 2 },
    })
  })

  test('lets its customer pay the unpaid order, and is reset after that', async () => {
    const { token } = await provider.api.login(DEMO_CUSTOMER)
    const [{ _id: orderId }] = (await provider.apiOf(token).getOrders({ userId: customerId, status: 'pending' }))
      .orders as [OrderSummary]
    const [order] = await db.select().from(tables.orders).where(eq(tables.orders.id, orderId))
    await payOrder(db, provider.jobs, { _id: orderId, priceCents: order!.priceCents })
    expect((await provider.apiOf(token).getOrder({ orderId })).order.paymentStatus).toBe('paid')

    await demo.reset()

    expect(await everything()).toEqual(atFirst)
  })

  test('is not added a second time', async () => {
    expect(await demo.seed()).toBe(false)
    expect(await everything()).toEqual(atFirst)
  })

  test.each(['json', 'shopify'] as const)('stays the same when it is exported as %s and imported', async format => {
    const hasPicture = () => Promise.resolve(true)
    const imported = await importText(db, await exported(db, format), { hasPicture })
    expect(imported).toMatchObject({ added: 0, changed: 0, problems: [] })
    expect(await everything()).toEqual(atFirst)
  })

  test('is back in its first state after a reset', async () => {
    const [one] = await db.select().from(tables.products).orderBy(asc(tables.products.id)).limit(1)
    await db.update(tables.products).set({ name: 'Mine' }).where(eq(tables.products.id, one!.id))
    await setVariants(db, one!, { stock: 0 })
    await db.delete(tables.reviews).where(eq(tables.reviews.productId, one!.id))
    await demo.reset()
    expect(await everything()).toEqual(atFirst)
  })

  test('is removed without the operator’s imported products, and is not added again', async () => {
    await importText(db, fixture('pottery.csv'))
    const [shop] = await db.select().from(tables.sellers).where(eq(tables.sellers.key, 'tonehaus'))
    expect(shop).toBeDefined()
    await importText(db, 'Handle,Title,Vendor,Type,Variant Price\nown-radio,Own radio,Tonehaus,Audio,5\n')
    const before = await db.select().from(tables.products).where(eq(tables.products.shopName, 'Clay & Kiln'))

    await demo.reset()
    await demo.remove()

    const left = await db.select().from(tables.products).orderBy(asc(tables.products.handle))
    expect(left.map(({ handle }) => handle)).toEqual([
      'moon-vase',
      'own-radio',
      'plain-bowl',
      'river-mug',
      'river-mug',
      'salt-pig',
    ])
    expect(left.filter(({ shopName }) => shopName === 'Clay & Kiln')).toEqual(
      expect.arrayContaining(before.map(product => expect.objectContaining({ ...product, unitsSold: 0 }) as unknown)),
    )
    expect(await db.select().from(tables.orders)).toEqual([])
    expect(await db.select().from(tables.platformBanners)).toEqual([])
    expect(await db.select().from(tables.users)).toEqual([])
    expect(await db.select().from(tables.sellers).where(eq(tables.sellers.isDemo, true))).toEqual([])
    expect(await demo.seed()).toBe(false)
  })
})

describe('the operator’s demo reset', () => {
  const reset = (...words: string[]) =>
    operatorOf({ ...provider, media: demoMedia as unknown as Media })('demo', 'reset', ...words)
  const demoProducts = async () => (await everything())['products']!.length

  test('asks for confirmation when the shop has its own products', async () => {
    await demo.remove()
    await db.delete(tables.sellers)
    await importText(db, fixture('pottery.csv'))
    const own = await demoProducts()

    const { code, err } = await reset()
    expect({ code, err }).toEqual({
      code: 3,
      err: 'This shop has 5 products of its own in 3 shops: the demo is for trying out, and shoppers would see it beside them.\n',
    })
    expect(await demoProducts()).toBe(own)

    expect(await reset('--yes')).toMatchObject({ code: 0 })
    expect(await demoProducts()).toBe(own + (await readContent()).products.length)
    expect(await reset()).toMatchObject({ code: 3 })
  })

  test('does not ask for confirmation when there is only the demo', async () => {
    await demo.remove()
    await db.delete(tables.sellers)

    expect(await reset()).toMatchObject({ code: 0 })
    expect(await reset()).toMatchObject({ code: 0, out: 'The demo marketplace is reset\n' })
  })
})
