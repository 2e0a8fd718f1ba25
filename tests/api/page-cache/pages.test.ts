import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import type { Product } from '#contract/product.ts'
import { products, sellers } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { orNull } from '#lib/api.ts'
import { categoryTag, pageTags, productTag, sellerTag } from '#lib/cache-tags.ts'
import { addProduct, addSeller, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { fakePages } from '#tests/support/pages.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, pagesApi: api, database, close } = await startProvider()
afterAll(close)

/** A minimal version of the shop’s pages that reads from the real provider. */
const { pages, ask } = fakePages(async url => {
  const { pathname, searchParams } = new URL(url, 'http://shop')
  const slug = /^\/product\/details\/(.+)/.exec(pathname)?.[1]
  if (slug) {
    const found = await orNull(api.getProduct({ id: slug }))
    if (!found) return { status: 404, text: 'Product Not Available' }
    const { product, related, fromSameShop } = found
    return {
      text: [product, ...related, ...fromSameShop].map(inWords).join(),
      tags: pageTags(...[product, ...related, ...fromSameShop].map(productTag)),
    }
  }
  if (pathname === '/stores') {
    const { sellers } = await api.getSellers({})
    return { text: sellers.map(seller => seller.shopName).join(), tags: pageTags('stores', ...sellers.map(sellerTag)) }
  }
  const category = searchParams.get('category') ?? undefined
  const { products } = await api.queryProducts({ category })
  const tag = category ? categoryTag(category) : 'home'
  return { text: products.map(inWords).join(), tags: pageTags(tag, ...products.map(productTag)) }
})

function inWords({ name, priceCents, stock }: Product): string {
  return `${name} ${priceCents} ${stock > 0 ? 'In Stock' : 'Out of Stock'}`
}
await database.onChange(pages.purge)

async function stateOf(url: string) {
  const { headers, body, statusCode } = await ask(url)
  return { state: headers['x-cache'], body, status: statusCode }
}

async function stored(...urls: string[]): Promise<void> {
  await database.settled()
  for (const url of urls) await ask(url)
  for (const url of urls) expect(await stateOf(url)).toMatchObject({ state: 'HIT' })
}

describe('cached pages with a real database', () => {
  test('show a new price on the next request; pages without the product stay cached', async () => {
    const shop = await addSeller(db)
    const kite = await addProduct(db, { sellerId: shop.id, category: 'Toys', priceCents: 1900 })
    const sameShop = await addProduct(db, { sellerId: shop.id, category: 'Tents' })
    const { id: otherShop } = await addSeller(db)
    const alike = await addProduct(db, { sellerId: otherShop, category: 'Toys' })
    const lamp = await addProduct(db, { sellerId: otherShop, category: 'Lamps' })
    await addProduct(db, { sellerId: otherShop, category: 'Lamps' })
    const [page, beside, related] = [kite, sameShop, alike].map(({ slug }) => `/product/details/${slug}`)
    const [other, otherListing, stores] = [`/product/details/${lamp.slug}`, '/products?category=Lamps', '/stores']
    const showing = [page, beside, related, '/products?category=Toys', '/'].map(String)
    await stored(...showing, other, otherListing, stores)

    await setVariants(db, kite, { priceCents: 1700 })
    await database.settled()

    for (const url of showing) {
      const { state, body } = await stateOf(url)
      expect([url, state]).toEqual([url, 'MISS'])
      expect(body).toContain('1700')
    }
    for (const url of [other, otherListing, stores]) expect([url, (await stateOf(url)).state]).toEqual([url, 'HIT'])
  })

  test('stay cached after a sale, unless it was the last unit', async () => {
    const shop = await addSeller(db)
    const kite = await addProduct(db, { sellerId: shop.id, name: 'Box Kite', priceCents: 4900, stock: 2 })
    const ball = await addProduct(db, { sellerId: shop.id })
    const [page, beside] = [`/product/details/${kite.slug}`, `/product/details/${ball.slug}`]
    await stored(page, beside)

    await setVariants(db, kite, { stock: 1 })
    await database.settled()
    expect((await stateOf(page)).state).toBe('HIT')

    await setVariants(db, kite, { stock: 0 })
    await database.settled()
    for (const url of [page, beside]) expect((await stateOf(url)).body).toContain('Box Kite 4900 Out of Stock')
  })

  test('return 404 when the product is hidden', async () => {
    const shop = await addSeller(db)
    const kite = await addProduct(db, { sellerId: shop.id })
    const page = `/product/details/${kite.slug}`
    await stored(page)

    await db.update(products).set({ isHidden: true }).where(eq(products.id, kite.id))
    await database.settled()

    expect(await stateOf(page)).toMatchObject({ status: 404, body: 'Product Not Available' })
  })

  test('show a shop’s new name', async () => {
    const shop = await addSeller(db, { shopName: 'Old Name' })
    await stored('/stores')

    await db.update(sellers).set({ shopName: 'New Name' }).where(eq(sellers.id, shop.id))
    await database.settled()

    const { state, body } = await stateOf('/stores')
    expect(state).toBe('MISS')
    expect(body).not.toContain('Old Name')
  })

  test('stay cached when a transaction is rolled back', async () => {
    const shop = await addSeller(db)
    const kite = await addProduct(db, { sellerId: shop.id })
    const page = `/product/details/${kite.slug}`
    await stored(page)

    const takenBack = transact(db, async tx => {
      await setVariants(tx, kite, { priceCents: 1 })
      throw new Error('taken back')
    })
    await expect(takenBack).rejects.toThrow('taken back')
    await database.settled()

    expect((await stateOf(page)).state).toBe('HIT')
  })
})
