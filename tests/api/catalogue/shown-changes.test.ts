import { and, eq } from 'drizzle-orm'
import inject from 'light-my-request'
import { describe, expect, test } from 'vitest'
import { shopPath } from '#contract/page-urls.ts'
import { categories, platformBanners, products, reviews, sellers, variants } from '#server/db/schema.ts'
import { createPages } from '#server/page-cache/pages.ts'
import { findBuild, loadStorefront } from '#server/page-cache/storefront.ts'
import { addProduct, addReview, picture } from '#tests/support/catalogue/catalogue.ts'
import { renderingFrom } from '#tests/support/rendering.ts'
import { openOperatedShop } from '#tests/support/provider/operated-shop.ts'

// Before the shop opens: without a build this throws, and nobody would close the shop.
const storefront = await loadStorefront(findBuild('dist'))
const { db, database, fetch, market, openShop, customer } = await openOperatedShop()
const render = renderingFrom(storefront, fetch)
const fail = (entry: unknown) => {
  throw new Error(String(entry))
}
const pages = createPages({ render, log: { error: fail, warn: fail } })
await database.onChange(pages.purge)

const { seller, product } = await openShop('toys', 'Toy Town')
await openShop('lights', 'Bright Lights')
const beside = await addProduct(db, { sellerId: seller.id, shopName: 'Toy Town', category: 'toys goods', slug: 'kite' })
const review = await addReview(db, product.id)
/** The customer who has written the latest review. */
let author: Awaited<ReturnType<typeof customer>> | undefined
await db
  .insert(platformBanners)
  .values({ title: 'Summer', description: 'Today', link: '/stores', picture: picture('summer'), position: 1 })

/** One URL for each kind of cached page that shows the catalogue. */
const PAGES = {
  home: '/',
  listing: '/products',
  category: '/products?category=toys+goods',
  'other category': '/products?category=lights+goods',
  categories: '/categories',
  search: '/products/search?value=teapot',
  filtered: '/products?category=toys+goods&option.size=Large',
  product: `/product/details/${product.slug}`,
  'product beside': `/product/details/${beside.slug}`,
  'other product': '/product/details/lights-teapot',
  book: '/product/details/books-teapot',
  stores: '/stores',
  'verified stores': '/stores?sort=verified',
  store: shopPath({ shopName: 'Toy Town', sellerId: seller.id }),
  login: '/login',
}
type PageName = keyof typeof PAGES
const NAMES = Object.keys(PAGES) as PageName[]

async function readPage(name: PageName) {
  const { headers, body, statusCode } = await inject((req, res) => void pages.serve(req, res), { url: PAGES[name] })
  return { isStored: headers['x-cache'] === 'HIT', shown: `${statusCode} ${String(headers.location)} ${body}` }
}

async function renderPage(name: PageName): Promise<string> {
  const { status, headers, body } = await render(PAGES[name])
  const location = headers.find(([key]) => key === 'location')?.[1]
  return `${status} ${String(location)} ${body.toString()}`
}

/** Returns the pages that `change` changed. Each must show the change on the next request. */
async function changedBy(change: () => Promise<unknown>): Promise<PageName[]> {
  const before = new Map<PageName, string>()
  await database.settled()
  for (const name of NAMES) {
    await readPage(name)
    before.set(name, (await readPage(name)).shown)
  }
  await change()
  await database.settled()
  const changed: PageName[] = []
  for (const name of NAMES) {
    const fresh = await renderPage(name)
    expect((await readPage(name)).shown === fresh, `${name} shows what is true now`).toBe(true)
    if (before.get(name) !== fresh) changed.push(name)
  }
  return changed
}

const LISTS: PageName[] = ['home', 'listing', 'category', 'search']
/** These offer the values of options as filters. */
const OFFERING: PageName[] = ['product', 'listing', 'category', 'store']
/** These list or recommend only what can be bought. */
const SELLING: PageName[] = ['product', 'product beside', 'home', 'other category', 'other product']
const type = (...words: string[]) => [words.join(' '), () => market(...words)] as const
const write = (what: string, change: () => Promise<unknown>) => [what, change] as const

describe('cached pages show a change on the next request', () => {
  test.each<readonly [what: string, change: () => Promise<unknown>, shows: PageName[]]>([
    // First: each change of a shop with a banner clears all lists.
    [...write('another banner of a shop', () => setSeller({ banner: null })), ['listing', 'product beside']],
    [...type('seller', 'verify', 'toys', '--off'), ['stores', 'verified stores', 'store', 'home']],
    [...type('seller', 'verify', 'toys'), ['stores', 'verified stores', 'store', 'home']],
    [...type('seller', 'rename', 'toys', 'Toy City'), [...LISTS, 'product', 'product beside', 'stores', 'store']],
    [...type('seller', 'rename', 'toys', 'Toy Town'), [...LISTS, 'product', 'product beside', 'stores', 'store']],
    [...type('seller', 'ai', 'toys', '--off'), []],
    [...type('seller', 'shipping', 'toys', 'Ghana=7'), ['product', 'store']],
    [...type('seller', 'shipping', 'toys', '--handling', '1-2', '--days', 'Ghana=3-6'), ['product', 'product beside']],
    [...type('seller', 'shipping', 'toys', '--days', 'Ghana=3-8'), ['product', 'product beside']],
    [...type('product', 'set', product.slug, 'price=57'), [...LISTS, 'product', 'product beside', 'store']],
    [...type('product', 'set', product.slug, 'discount=10'), [...LISTS, 'product', 'product beside', 'store']],
    [...type('product', 'set', product.slug, 'stock=0'), SELLING],
    [...type('product', 'set', product.slug, 'stock=5'), SELLING],
    [...type('product', 'set', product.slug, 'stock=0'), SELLING],
    [...type('product', 'set', product.slug, 'hidden=true'), [...LISTS, 'product', 'product beside', 'store']],
    [...type('product', 'set', product.slug, 'hidden=false'), [...LISTS, 'product', 'product beside', 'store']],
    [
      ...type('seller', 'hide', 'toys'),
      [...LISTS, 'categories', 'product', 'product beside', 'stores', 'store', 'login'],
    ],
    [
      ...type('seller', 'hide', 'toys', '--off'),
      [...LISTS, 'categories', 'product', 'product beside', 'stores', 'store', 'login'],
    ],
    [...type('review', 'answer', review.id, 'We sent you a new one.'), ['product']],
    [...write('a vote for a review', voteForReview), ['product']],
    [...type('review', 'hide', review.id), ['product']],
    [...write('a customer’s review', addCustomersReview), ['product', 'category', 'store', 'stores', 'home']],
    [...write('a review that leaves the mean', addCustomersReview), ['product', 'store', 'stores', 'home']],
    [...write('the erasure of a review’s author', eraseAuthor), ['product']],
    [...write('another text of a review', () => db.update(reviews).set({ review: 'Rusty.' })), ['product']],
    [
      ...write('a variant', () =>
        db.insert(variants).values({
          productId: product.id,
          position: 1,
          options: [['Size', 'Large']],
          sku: 'L',
          priceCents: 1500,
          stock: 2,
        }),
      ),
      ['product', 'listing', 'category', 'store', 'filtered'],
    ],
    [...write('another price of a variant', () => setLarge({ priceCents: 1400 })), ['product', ...LISTS]],
    [...write('another SKU of a variant', () => setLarge({ sku: 'XL' })), []],
    [...write('another value of an option', () => setLarge({ options: [['Size', 'Huge']] })), OFFERING],
    [...write('another name of an option', () => setLarge({ options: [['Frame', 'Large']] })), OFFERING],
    [...write('a variant that is sold out', () => setLarge({ stock: 0 })), OFFERING],
    [...write('a variant that is in stock again', () => setLarge({ stock: 1 })), OFFERING],
    [...write('another brand', () => setProduct({ brand: 'Zora' })), ['product', 'category', 'store', 'listing']],
    [...write('no variants left', () => db.delete(variants).where(isLarge)), ['product']],
    [...write('another text of a shop', () => setSeller({ description: 'Wood only.' })), ['stores', 'store']],
    [...write('another reply time of a shop', () => setSeller({ replyHours: 24 })), ['store']],
    [...write('another platform banner', () => db.update(platformBanners).set({ title: 'Winter' })), ['home']],
    [...write('a new category', () => db.insert(categories).values({ name: 'Attic' })), []],
    [...type('product', 'remove', beside.slug, '--yes'), ['category', 'product', 'product beside', 'store']],
  ])('%s', async (_, change, shows) => {
    expect(await changedBy(change)).toEqual(expect.arrayContaining(shows))
  })

  test('a best seller of a large shop that is in stock again', async () => {
    const books = await openShop('books', 'Books')
    for (const unitsSold of [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
      await addProduct(db, {
        sellerId: books.seller.id,
        category: 'books goods',
        slug: `book-${unitsSold}`,
        unitsSold,
        stock: unitsSold === 14 ? 0 : 5,
      })

    expect(await changedBy(() => market('product', 'set', 'book-14', 'stock=5'))).toContain('book')
  })
})

async function addCustomersReview(): Promise<void> {
  author = await customer()
  await author.api.submitReview({ productId: product.id, rating: 2, review: 'Leaks.' })
}

const eraseAuthor = () => market('customer', 'erase', author?.email ?? '', '--yes')

async function voteForReview(): Promise<void> {
  const { api } = await customer()
  await api.voteReview({ reviewId: review.id, isHelpful: true })
}

const isLarge = and(eq(variants.productId, product.id), eq(variants.position, 1))

function setLarge(change: Partial<typeof variants.$inferInsert>) {
  return db.update(variants).set(change).where(isLarge)
}

function setProduct(change: Partial<typeof products.$inferInsert>) {
  return db.update(products).set(change).where(eq(products.id, product.id))
}

function setSeller(change: Partial<typeof sellers.$inferInsert>) {
  return db.update(sellers).set(change).where(eq(sellers.id, seller.id))
}
