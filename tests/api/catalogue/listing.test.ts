import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import type { ProductQuery } from '#contract/catalogue.ts'
import type { ListingSort } from '#contract/rules.ts'
import { products } from '#server/db/schema.ts'
import { addProduct, addSeller } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, database, api, pagesApi, close } = await startProvider()
afterAll(close)

async function list(query: Partial<ProductQuery>) {
  const { products: found, total } = await api.queryProducts(query)
  // Server-rendered pages read the listing another way; both must return the same.
  expect(await pagesApi.queryProducts(query)).toMatchObject({ products: found, total })
  return { names: found.map(({ name }) => name), total }
}

async function addAll(category: string, parts: Parameters<typeof addProduct>[1][]) {
  const { id: sellerId } = await addSeller(db)
  for (const part of parts) await addProduct(db, { category, sellerId, ...part })
  await database.settled()
}

describe('the product list', () => {
  test('shows top-selling products first, then promoted, then well rated ones, and sold-out ones last', async () => {
    await addAll('Order', [
      { name: 'sold out', unitsSold: 2, stock: 0 },
      { name: 'rated', rating: 4 },
      { name: 'plain' },
      { name: 'promoted', isPromoted: true },
      { name: 'sold', unitsSold: 1 },
    ])

    const names = ['sold', 'promoted', 'rated', 'plain', 'sold out']
    expect(await list({ category: 'Order' })).toEqual({ names, total: 5 })
  })

  test('has pages of 12 products and the right total on each page', async () => {
    await addAll(
      'Pages',
      Array.from({ length: 25 }, (_, at) => ({ name: `P${at}`, priceCents: 1000 + at })),
    )
    const pageOf = (page: number) => list({ category: 'Pages', sort: 'low-to-high', page })
    const pages = await Promise.all([1, 2, 3].map(pageOf))

    expect(pages.flatMap(({ names }) => names)).toEqual(Array.from({ length: 25 }, (_, at) => `P${at}`))
    expect(pages.map(({ names, total }) => [names.length, total])).toEqual([
      [12, 25],
      [12, 25],
      [1, 25],
    ])
  })

  test('is empty for an unknown category and beyond the last page, and still has the right total', async () => {
    await addAll('Short', [{ name: 'one' }])

    expect(await list({ category: 'No such category' })).toEqual({ names: [], total: 0 })
    expect(await list({ category: 'Short', page: 2 })).toEqual({ names: [], total: 1 })
    expect(await list({ category: 'Short', page: 1_000_000_000 })).toEqual({ names: [], total: 1 })
  })

  test('does not show hidden products', async () => {
    await addAll('Hiding', [{ name: 'shown' }, { name: 'hidden', isHidden: true }])

    expect(await list({ category: 'Hiding' })).toEqual({ names: ['shown'], total: 1 })
  })

  test('sorts by the discounted price in both directions', async () => {
    await addAll('Sorting', [
      { name: '20 less half', priceCents: 2000, discount: 50 },
      { name: '15', priceCents: 1500 },
      { name: '5', priceCents: 500 },
    ])

    expect((await list({ category: 'Sorting', sort: 'low-to-high' })).names).toEqual(['5', '20 less half', '15'])
    expect((await list({ category: 'Sorting', sort: 'high-to-low' })).names).toEqual(['15', '20 less half', '5'])
  })

  test('sorts by newest, best rated and biggest discount, sold-out products last', async () => {
    const day = (date: number) => new Date(Date.UTC(2026, 0, date))
    await addAll('Orders', [
      { name: 'one rating of 5', createdAt: day(1), rating: 5, ratingCount: 1, discount: 20 },
      { name: 'many of 4.8', createdAt: day(4), rating: 4.8, ratingCount: 300, discount: 12.5 },
      { name: 'poor', createdAt: day(2), rating: 2, ratingCount: 40 },
      { name: 'unrated', createdAt: day(3), discount: 50, priceCents: 199 },
      { name: 'sold out', createdAt: day(5), rating: 5, ratingCount: 900, discount: 80, stock: 0 },
    ])
    const sorted = async (sort: ListingSort) => (await list({ category: 'Orders', sort })).names

    expect(await sorted('newest')).toEqual(['many of 4.8', 'unrated', 'poor', 'one rating of 5', 'sold out'])
    expect(await sorted('best-rated')).toEqual(['many of 4.8', 'one rating of 5', 'poor', 'unrated', 'sold out'])
    // Discounts are whole dollars: half of $1.99 is none.
    expect((await sorted('biggest-discount')).slice(0, 2)).toEqual(['one rating of 5', 'many of 4.8'])
    expect((await sorted('biggest-discount')).at(-1)).toBe('sold out')
  })

  test('filters by the discounted price, including both limits', async () => {
    await addAll('Prices', [
      { name: '20 less half', priceCents: 2000, discount: 50 },
      { name: '19.99', priceCents: 1999 },
      { name: '5', priceCents: 500 },
    ])
    const between = (lowPrice?: number, highPrice?: number) =>
      list({ category: 'Prices', sort: 'low-to-high', lowPrice, highPrice }).then(({ names }) => names)

    expect(await between(10, 19.99)).toEqual(['20 less half', '19.99'])
    expect(await between(10.01)).toEqual(['19.99'])
    expect(await between(undefined, 10)).toEqual(['5', '20 less half'])
    expect(await between(0, 1_000_000_000)).toHaveLength(3)
    expect(await between(19, 5)).toEqual([])
  })

  test('filters by rating: at least r and less than r + 1', async () => {
    await addAll(
      'Ratings',
      [0, 3.99, 4, 4.99, 5].map(rating => ({ name: String(rating), rating })),
    )
    const rated = async (rating: number) => (await list({ category: 'Ratings', rating })).names.toSorted()

    expect(await rated(3)).toEqual(['3.99'])
    expect(await rated(4)).toEqual(['4', '4.99'])
    expect(await rated(5)).toEqual(['5'])
    expect(await rated(1)).toEqual([])
  })

  test('combines all filters', async () => {
    await addAll('All', [
      { name: 'Right lamp', rating: 4.2, priceCents: 2000 },
      { name: 'Dear lamp', rating: 4.2, priceCents: 9000 },
      { name: 'Poor lamp', rating: 2, priceCents: 2000 },
      { name: 'Right chair', rating: 4.2, priceCents: 2000 },
    ])

    const found = await list({
      category: 'All',
      rating: 4,
      lowPrice: 10,
      highPrice: 30,
      search: 'lamp',
      sort: 'low-to-high',
    })

    expect(found).toEqual({ names: ['Right lamp'], total: 1 })
  })

  test('updates its total when the catalogue changes', async () => {
    await addAll('Changing', [{ name: 'first' }])
    expect((await list({ category: 'Changing' })).total).toBe(1)

    await addAll('Changing', [{ name: 'second' }])
    expect((await list({ category: 'Changing' })).total).toBe(2)

    await db.update(products).set({ isHidden: true }).where(eq(products.category, 'Changing'))
    await database.settled()
    expect((await list({ category: 'Changing' })).total).toBe(0)
  })
})

describe('the product search', () => {
  const category = 'Search'
  const find = async (search: string, query: Partial<ProductQuery> = {}) =>
    (await list({ category, search, ...query })).names

  test('matches name, brand, category, shop and description, ranked in this order', async () => {
    const { id: sellerId } = await addSeller(db, { shopName: 'Zebra Shop' })
    await addAll(category, [
      { name: 'In the description', description: '<p>Striped like a <b>zebra</b>.</p>', unitsSold: 9 },
      { name: 'In the shop', shopName: 'Zebra Shop', sellerId },
      { name: 'Of the brand', brand: 'Zebra', unitsSold: 5 },
      { name: 'A zebra' },
    ])

    expect(await find('zebra')).toEqual(['A zebra', 'Of the brand', 'In the shop', 'In the description'])
    expect((await list({ search: 'search' })).total).toBe(4)
  })

  test('requires every word, in any order and form', async () => {
    await addAll(category, [
      { name: 'Wireless headphones' },
      { name: 'Wireless keyboard' },
      { name: 'Wired headphones' },
    ])

    expect(await find('headphone wireless')).toEqual(['Wireless headphones'])
    expect(await find('  WIRELESS   Headphones ')).toEqual(['Wireless headphones'])
    expect(await find('wireless-headphones')).toEqual(['Wireless headphones'])
  })

  test('prefers products that contain hyphenated words as written', async () => {
    await addAll('Joined', [{ name: 'T-Shirt navy' }, { name: 'Dress shirt' }, { name: 'Do-it-yourself box' }])
    const find = async (search: string) => (await list({ category: 'Joined', search })).names

    expect(await find('t-shirt')).toEqual(['T-Shirt navy'])
    expect(await find('do-it-yourself')).toEqual(['Do-it-yourself box'])
    expect(await find('dress-shirt')).toEqual(['Dress shirt'])
  })

  test('matches the beginning of the last word', async () => {
    await addAll(category, [{ name: 'Porcelain teapot' }])

    expect(await find('teap')).toEqual(['Porcelain teapot'])
    expect(await find('porcelain tea')).toEqual(['Porcelain teapot'])
  })

  test.each([
    ['haedphones', 'Wireless headphones'],
    ['wireles haedphones', 'Wireless headphones'],
    ['hedphones', 'Wireless headphones'],
    ['headfones', 'Wireless headphones'],
    ['bicylce', 'Folding bicycle'],
    ['folding-bicylce', 'Folding bicycle'],
    ['folding bicyle', 'Folding bicycle'],
    ['cmaera', 'Pocket camera'],
  ])('finds products despite the typo in %j', async (search, name) => {
    await addAll(category, [{ name: 'Folding bicycle' }, { name: 'Pocket camera' }])

    expect(await find(search)).toContain(name)
  })

  test('combines a misspelt word with the other filters and returns the total of the corrected search', async () => {
    await addAll('Typos', [
      { name: 'Cheap umbrella', priceCents: 1000 },
      { name: 'Dear umbrella', priceCents: 9000 },
    ])

    expect(await list({ category: 'Typos', search: 'umberlla', sort: 'high-to-low' })).toEqual({
      names: ['Dear umbrella', 'Cheap umbrella'],
      total: 2,
    })
    expect(await list({ category: 'Typos', search: 'umberlla', highPrice: 20 })).toEqual({
      names: ['Cheap umbrella'],
      total: 1,
    })
  })

  test('sorts by price when asked, over several pages', async () => {
    const prices = Array.from({ length: 14 }, (_, at) => ({ name: `Lantern ${at}`, priceCents: 5000 - at }))
    await addAll('Lanterns', prices)
    const pageOf = (page: number) => list({ category: 'Lanterns', search: 'lantern', sort: 'low-to-high', page })

    const [first, second] = await Promise.all([pageOf(1), pageOf(2)])

    const cheapestFirst = prices.map(({ name }) => name).toReversed()
    expect([...first.names, ...second.names]).toEqual(cheapestFirst)
  })

  test('shows each product only once over all pages', async () => {
    await addAll(
      'Buckets',
      Array.from({ length: 30 }, (_, at) => ({ name: at % 3 ? 'Bucket' : 'Bucket bucket', handle: `bucket-${at}` })),
    )
    const ids = await Promise.all(
      [1, 2, 3].map(async page => {
        const found = await api.queryProducts({ category: 'Buckets', search: 'bucket', page })
        return found.products.map(({ _id }) => _id)
      }),
    )

    expect(new Set(ids.flat()).size).toBe(30)
  })

  test.each([
    '%',
    '_',
    '%%%',
    "'",
    '"',
    '\\',
    '&',
    '!',
    '|',
    '()',
    ':*',
    '<->',
    '--',
    ';',
    '😀',
    '*',
    'the',
    '-',
    '" or "',
  ])('returns nothing for %j and causes no error', async search => {
    expect(await find(search)).toEqual([])
  })

  test.each(['zebra %', 'zebra & !', "zebra's", '"zebra"', 'zebra 😀', '(zebra)', 'zebra:*', '<zebra>'])(
    'still finds the word in %j',
    async search => {
      expect(await find(search)).toContain('A zebra')
    },
  )

  test('returns nothing for words that no product contains', async () => {
    expect(await find('qwxzvk')).toEqual([])
    expect(await find('qwxzvk wvzzkq')).toEqual([])
  })
})
