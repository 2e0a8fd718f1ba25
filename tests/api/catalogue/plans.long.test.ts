import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readHomeProducts } from '#server/catalogue/overview.ts'
import type { ListingQuery } from '#server/catalogue/listing.ts'
import { readSuggestions } from '#server/catalogue/suggestions.ts'
import { refreshStatistics } from '#server/db/statistics.ts'
import { startProvider } from '#tests/support/provider/provider.ts'
import { plansOf, plansOfAll } from '../../../bench/explain.ts'
import { fillCatalogue } from '../../../bench/generate.ts'
import { BRANDS } from '../../../bench/words.ts'

/** Filling the catalogue takes more than the usual time for a statement on a busy machine. */
const { db, database, close } = await startProvider({ maxStatementMs: 120_000 })
afterAll(close)

/** Enough rows that PostgreSQL prefers an index to a full scan. */
const PRODUCTS = 3000
const SIZE = { name: 'option.size', values: ['43', '44'] }
const COLOUR = { name: 'option.colour', values: ['Blue'] }
const BRAND = { name: 'brand', values: [BRANDS[0]!] }
const SHOP = { name: 'shop', values: ['shop-1'] }
const FACETS = { rating: 4, discount: 10, inStock: true, shipsTo: 'France' }

beforeAll(async () => {
  await fillCatalogue(database, PRODUCTS)
  // The test cluster commits before it writes to disk; only written pages can be marked
  // all-visible.
  await db.execute(sql`checkpoint`)
  await refreshStatistics(database)
})

describe('the query plan of a product list', () => {
  test.each<[string, ListingQuery]>([
    ['without a filter', {}],
    ['of a late page', { page: 200 }],
    ['of a category, sorted by price', { category: 'Audio', sort: 'low-to-high' }],
    ['of a category, sorted by price, far back', { category: 'Audio', sort: 'high-to-low', page: 40 }],
    ['of the newest, far back', { sort: 'newest', page: 200 }],
    ['of a category, best rated first', { category: 'Audio', sort: 'best-rated' }],
    ['of a brand and a size, most reduced first', { filters: [BRAND, SIZE], sort: 'biggest-discount' }],
    ['of a rating and a price range', { rating: 4, lowPrice: 20, highPrice: 60 }],
    ['of all filters', { category: 'Audio', rating: 3, lowPrice: 10, highPrice: 90, sort: 'low-to-high' }],
    ['of a search', { search: 'binoculars' }],
    ['of a search for several words, sorted', { search: 'vintage blue headphones', sort: 'low-to-high' }],
    ['of an expression', { search: 'dark running shoes' }],
    ['of what nobody sells, and what comes near', { search: 'mens slacks' }],
    ['of eight words with many synonyms', { search: 'sofa sledge razor hammer lipstick trumpet umbrella bike' }],
    ['of a misspelt search', { search: 'vintage haedphones' }],
    ['of a size, sorted by price', { filters: [SIZE], sort: 'low-to-high' }],
    ['of a size and a colour of a category', { category: 'Audio', filters: [COLOUR, SIZE] }],
    ['of a brand and a size for a price', { lowPrice: 20, highPrice: 60, filters: [BRAND, SIZE] }],
    ['of a shop and a discount, in stock', { filters: [SHOP], discount: 25, inStock: true, sort: 'newest' }],
    ['of what ships to a country', { shipsTo: 'France', rating: 4, sort: 'biggest-discount' }],
    ['of all facets, a brand and a size', { ...FACETS, filters: [BRAND, SHOP, SIZE], lowPrice: 20 }],
    ['of all facets of a search', { ...FACETS, search: 'wireless' }],
    ['of a size of a search', { search: 'wireless', filters: [SIZE] }],
    ['of a great discount', { discount: 50 }],
    ['of what is in stock, cheapest first', { inStock: true, sort: 'low-to-high' }],
    ['of several shops', { filters: [{ name: 'shop', values: ['shop-1', 'shop-2', 'shop-3'] }], sort: 'best-rated' }],
    ['of one shop', { sellerId: 'shop-1' }],
    ['of one shop, newest first', { sellerId: 'shop-1', sort: 'newest' }],
    ['of one shop, dearest first', { sellerId: 'shop-1', sort: 'high-to-low', page: 3 }],
    ['of one shop and a size, best rated first', { sellerId: 'shop-1', filters: [SIZE], sort: 'best-rated' }],
    ['of a search in one shop', { sellerId: 'shop-1', search: 'wireless' }],
    ['of a misspelt search in one shop, sorted', { sellerId: 'shop-1', search: 'haedphones', sort: 'newest' }],
  ])('%s uses an index and never scans all products', async (_, query) => {
    const plans = await plansOf(db, query, 'COSTS OFF')

    expect(plans.length).toBeGreaterThanOrEqual(2)
    const ofProducts = plans.filter(plan => plan.includes(' on products'))
    expect(ofProducts.length).toBeGreaterThanOrEqual(2)
    for (const plan of ofProducts) {
      expect(plan).not.toContain('Seq Scan on products')
      expect(plan).toMatch(/(Index Only Scan using|Index Scan using|Bitmap Index Scan on) products_/)
    }
  })

  test('reads a page and its order from one index', async () => {
    for (const filters of [undefined, [COLOUR]]) {
      const plans = await plansOf(db, { category: 'Audio', sort: 'low-to-high', filters }, 'COSTS OFF')

      // With filters, the variants of the page's products are read last.
      const pagePlan = plans.findLast(plan => plan.includes(' on products'))
      expect(pagePlan).toContain('Index Only Scan using products_category_price')
    }
  })

  test.each<[ListingQuery, string]>([
    [{}, 'products_top'],
    [{ page: 200 }, 'products_top'],
    [{ category: 'Audio', page: 40 }, 'products_category_top'],
    [{ sellerId: 'shop-1' }, 'products_seller_top'],
  ])('reads a page of the top selling from one index: %j', async (query, index) => {
    const plans = await plansOf(db, query, 'COSTS OFF')

    expect(plans.at(-1)).toContain(`Index Only Scan using ${index}`)
  })

  test.each([
    ['newest', 'products_newest'],
    ['best-rated', 'products_best_rated'],
    ['biggest-discount', 'products_biggest_discount'],
  ] as const)('reads a page of the %s from the index of this order', async (sort, index) => {
    // With filters that leave only few products, sorting these costs about as much: the plan would then depend on how
    // much the indexes have grown while the catalogue was filled.
    for (const query of [{ sort }, { sort, category: 'Audio', highPrice: 90 }]) {
      const plans = await plansOf(db, query, 'COSTS OFF')

      expect(plans.at(-1)).toContain(`Index Only Scan using ${index}`)
    }
  })

  test('counts the values of the filters in one index', async () => {
    const [counts] = await plansOf(db, { category: 'Audio', filters: [COLOUR] }, 'COSTS OFF')

    expect(counts).toContain('Index Only Scan using products_')
  })
})

test.each([
  ['products_top', null],
  ['products_category_top', 'Audio'],
])('suggestions read the top selling from the index %s', async (index, category) => {
  const read = (observed: typeof db) =>
    readSuggestions(observed, { of: (_, load) => load() }, { value: 'wi', category })
  const [walk] = await plansOfAll(db, read, 'COSTS OFF')

  expect(walk).toContain(`Index Scan using ${index}`)
  expect(walk).not.toContain('Sort')
})

test('suggestions find rare words in an index', async () => {
  const read = (observed: typeof db) => readSuggestions(observed, { of: (_, load) => load() }, { value: 'qxz' })
  const plans = await plansOfAll(db, read, 'COSTS OFF')

  expect(plans.some(plan => plan.includes('Bitmap Index Scan on products_words'))).toBe(true)
})

test('each list of the home page is read from the index of its order', async () => {
  const plans = await plansOfAll(db, readHomeProducts, 'COSTS OFF')

  expect(plans.map(plan => /using (products_(?!pkey)\w+)/.exec(plan)?.[1])).toEqual([
    'products_top',
    'products_newest',
    'products_best_rated',
    'products_biggest_discount',
  ])
})
