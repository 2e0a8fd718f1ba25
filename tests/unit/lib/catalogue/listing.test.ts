import { describe, expect, test } from 'vitest'
import {
  activeFilters,
  canonicalHref,
  isNarrowed,
  type Listing,
  listingHref,
  listingName,
  readListing,
  widestHref,
} from '#lib/catalogue/listing.ts'

const read = (query: string) => readListing(new URLSearchParams(query))
const EVERYTHING: Listing = {
  category: 'Home & Kitchen',
  search: '50% off_“tea” ☕',
  rating: 4,
  lowPrice: 10,
  highPrice: 99.5,
  filters: [
    { name: 'brand', values: ['Ada & Sons'] },
    { name: 'option.colour', values: ['blue', 'Red'] },
    { name: 'option.size', values: ['43'] },
  ],
  sort: 'low-to-high',
  page: 3,
  layout: 'list',
}

describe('the address of a listing', () => {
  test('round-trips to the same filters', () => {
    const address = new URL(listingHref('/products/search', EVERYTHING), 'http://localhost')

    expect(readListing(address.searchParams)).toEqual({ listing: EVERYTHING, isClean: true })
  })

  test('leaves out default values', () => {
    expect(listingHref('/products', { page: 1, layout: 'grid' })).toBe('/products')
    expect(read('category=&value=&lowPrice=&pageNumber=1&layout=grid')).toEqual({
      listing: expect.objectContaining({ category: undefined, search: undefined, page: 1, layout: 'grid' }),
      isClean: true,
    })
  })

  test('keeps the other filters and returns to page 1 when one changes', () => {
    const next = new URL(listingHref('/products', EVERYTHING, { rating: 5 }), 'http://localhost')

    expect(readListing(next.searchParams).listing).toEqual({ ...EVERYTHING, rating: 5, page: 1 })
  })

  test('keeps every filter when the page or the layout changes', () => {
    expect(listingHref('/products', EVERYTHING, { page: 7 })).toContain('rating=4')
    expect(listingHref('/products', EVERYTHING, { page: 7 })).toContain('pageNumber=7')
    expect(listingHref('/products', EVERYTHING, { layout: 'grid' })).toContain('pageNumber=3')
    expect(listingHref('/products', EVERYTHING, { layout: 'grid' })).not.toContain('layout')
  })

  test('ignores unknown parameters', () => {
    expect(read('utm_source=mail&category=Toys')).toEqual(read('category=Toys'))
  })

  test.each([
    'rating=6',
    'rating=0',
    'rating=4.5',
    'rating=__proto__',
    'lowPrice=-1',
    'lowPrice=NaN',
    'highPrice=1e9',
    'highPrice=99999999999',
    'sortPrice=sideways',
    'pageNumber=0',
    'pageNumber=-3',
    'pageNumber=1000000001',
    'pageNumber=0x10',
    'layout=carousel',
    'category=a%00b',
    `value=${'x'.repeat(10_000)}`,
    `category=${'x'.repeat(101)}`,
  ])('drops %s and is marked as not clean', query => {
    const { listing, isClean } = read(query)

    expect(isClean).toBe(false)
    expect(listingHref('/products', listing)).toBe('/products')
  })

  test('takes the first of a repeated filter and is marked as not clean', () => {
    expect(read('category=Toys&category=Books')).toMatchObject({ listing: { category: 'Toys' }, isClean: false })
  })

  test('swaps a reversed price range', () => {
    expect(read('lowPrice=90&highPrice=10')).toMatchObject({ listing: { lowPrice: 10, highPrice: 90 }, isClean: false })
    expect(read('lowPrice=10&highPrice=10')).toMatchObject({ listing: { lowPrice: 10, highPrice: 10 }, isClean: true })
  })

  test('leads from a wrong address to a clean one, never in a loop', () => {
    const { listing } = read('rating=9&category=Toys&category=Books&lowPrice=5&highPrice=1&pageNumber=zero')
    const clean = new URL(listingHref('/products', listing), 'http://localhost')

    expect(readListing(clean.searchParams)).toEqual({ listing, isClean: true })
  })

  test('encodes hostile text so that it stays one parameter', () => {
    const search = `"><script>alert(1)</script>&rating=5#x`
    const href = listingHref('/products/search', { search, page: 1, layout: 'grid' })

    expect(href).not.toMatch(/[<>"#]/)
    expect(readListing(new URL(href, 'http://localhost').searchParams).listing).toMatchObject({
      search,
      rating: undefined,
    })
  })
})

describe('a listing', () => {
  test('has one canonical address for every order and layout', () => {
    expect(canonicalHref('/products', { category: 'Toys', sort: 'high-to-low', page: 2, layout: 'list' })).toBe(
      '/products?category=Toys&pageNumber=2',
    )
  })

  test('is as wide as its search and category when all other filters are cleared', () => {
    expect(widestHref('/products/search', { ...EVERYTHING, page: 3 })).toBe(
      listingHref('/products/search', {
        search: EVERYTHING.search,
        category: EVERYTHING.category,
        sort: EVERYTHING.sort,
        page: 1,
        layout: EVERYTHING.layout,
      }),
    )
  })

  test('has a name for what it shows', () => {
    expect(listingName({ page: 1, layout: 'grid' })).toBe('All products')
    expect(listingName({ category: 'Toys', page: 1, layout: 'grid' })).toBe('Toys')
    expect(listingName({ discount: 1, page: 1, layout: 'grid' })).toBe('On sale')
    expect(listingName({ discount: 1, category: 'Toys', page: 1, layout: 'grid' })).toBe('Toys')
    expect(listingName({ discount: 10, page: 1, layout: 'grid' })).toBe('All products')
    expect(listingName({ search: 'tea', page: 1, layout: 'grid' })).toBe('Results for “tea”')
    expect(listingName({ search: 'tea', category: 'Toys', page: 1, layout: 'grid' })).toBe('Results for “tea” in Toys')
    expect(listingName({ search: 'gift', page: 1, layout: 'grid' }, true)).toBe('Nothing found for “gift”')
  })

  test('lists each active filter, with the address that removes it', () => {
    const filters = activeFilters('/products', EVERYTHING)

    expect(filters.map(filter => filter.name)).toEqual([
      ['“50% off_“tea” ☕”'],
      ['Home & Kitchen'],
      ['4 stars'],
      [1000, ' to ', 9950],
      ['Ada & Sons'],
      ['blue'],
      ['Red'],
      ['43'],
    ])
    expect(filters[2]?.href).not.toContain('rating')
    expect(filters[3]?.href).not.toMatch(/lowPrice|highPrice/)
    for (const { href } of filters) expect(href).not.toContain('pageNumber')
  })

  test('names the values of options as they are offered', () => {
    const offered = [
      { name: 'brand', title: 'Brand', values: [] },
      { name: 'option.colour', title: 'Color', values: [{ value: 'Blue', count: 1 }] },
      { name: 'option.size', title: 'Size', values: [{ value: '43', count: 1 }] },
    ]
    const filters = activeFilters('/products', EVERYTHING, offered).slice(4)

    expect(filters.map(filter => filter.name)).toEqual([['Ada & Sons'], ['Blue'], ['Red'], ['Size 43']])
    const without = new URL(filters[1]?.href ?? '', 'http://localhost').searchParams
    expect(without.getAll('option.colour')).toEqual(['Red'])
    expect(without.getAll('option.size')).toEqual(['43'])
  })

  test('counts a price of 0 as a filter', () => {
    expect(activeFilters('/products', { highPrice: 0, page: 1, layout: 'grid' })).toMatchObject([
      { name: ['Up to ', 0] },
    ])
    expect(activeFilters('/products', { lowPrice: 0, page: 1, layout: 'grid' })).toMatchObject([{ name: ['From ', 0] }])
  })

  test('is narrowed by every filter except its category', () => {
    expect(isNarrowed({ category: 'Toys', sort: 'low-to-high', page: 2, layout: 'list' })).toBe(false)
    for (const narrowing of [
      { rating: 4 },
      { search: 'tea' },
      { lowPrice: 1 },
      { highPrice: 9 },
      { filters: EVERYTHING.filters },
    ])
      expect(isNarrowed({ ...narrowing, page: 1, layout: 'grid' })).toBe(true)
  })
})
