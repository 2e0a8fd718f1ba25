import { PRICE_SORTS, type ProductQuery } from '#contract/catalog.ts'
import { CATEGORY_LENGTH, MAX_FILTER_PRICE, SEARCH_LENGTH } from '#contract/rules.ts'
import { queryChoice, queryInteger, queryNumber, queryPage, queryText } from '#contract/wire.ts'
import { queryReader } from '../query.ts'

export const LISTING_PATH = '/products'
export const SEARCH_PATH = '/products/search'

export interface Listing extends Partial<Omit<ProductQuery, 'page'>> {
  page: number
  layout: 'grid' | 'list'
}

const PARAMETERS = {
  category: queryText('category', CATEGORY_LENGTH),
  value: queryText('value', SEARCH_LENGTH),
  rating: queryInteger('rating', 1, 5),
  lowPrice: queryNumber('lowPrice', 0, MAX_FILTER_PRICE),
  highPrice: queryNumber('highPrice', 0, MAX_FILTER_PRICE),
  sortPrice: queryChoice('sortPrice', PRICE_SORTS),
  pageNumber: queryPage('pageNumber'),
  layout: queryChoice('layout', ['grid', 'list']),
}

/**
 * Parses a listing's query. `isClean` is false for invalid input (not a number, a repeated filter, lowPrice above
 * highPrice); `listing` then holds the valid rest, to which the page redirects.
 */
export function readListing(query: URLSearchParams): { listing: Listing; isClean: boolean } {
  const reader = queryReader(query)
  const { read } = reader
  const prices = [read('lowPrice', PARAMETERS.lowPrice), read('highPrice', PARAMETERS.highPrice)]
  const isUpsideDown = prices[0] !== undefined && prices[1] !== undefined && prices[0] > prices[1]
  if (isUpsideDown) prices.reverse()
  const listing: Listing = {
    category: read('category', PARAMETERS.category),
    search: read('value', PARAMETERS.value),
    rating: read('rating', PARAMETERS.rating),
    lowPrice: prices[0],
    highPrice: prices[1],
    sort: read('sortPrice', PARAMETERS.sortPrice),
    page: read('pageNumber', PARAMETERS.pageNumber) ?? 1,
    layout: read('layout', PARAMETERS.layout) ?? 'grid',
  }
  return { listing, isClean: reader.isClean && !isUpsideDown }
}

/** The URL of the listing with `change` applied. Any change except of page or layout resets it to page 1. */
export function listingHref(path: string, listing: Listing, change: Partial<Listing> = {}): string {
  const isSameList = Object.keys(change).every(name => name === 'page' || name === 'layout')
  const next = { ...listing, ...(isSameList ? {} : { page: 1 }), ...change }
  const query = new URLSearchParams()
  const add = (name: keyof typeof PARAMETERS, value: string | number | undefined) => {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  add('category', next.category)
  add('value', next.search)
  add('rating', next.rating)
  add('lowPrice', next.lowPrice)
  add('highPrice', next.highPrice)
  add('sortPrice', next.sort)
  if (next.page > 1) add('pageNumber', next.page)
  if (next.layout !== 'grid') add('layout', next.layout)
  return query.size > 0 ? `${path}?${query}` : path
}

/** The canonical URL: the same list without sort order and layout. */
export function canonicalHref(path: string, listing: Listing): string {
  return listingHref(path, { ...listing, sort: undefined, layout: 'grid' })
}

/** The listing's name for headings and titles. */
export function listingName({ category, search }: Listing): string {
  if (search && category) return `Results for “${search}” in ${category}`
  if (search) return `Results for “${search}”`
  return category ?? 'All products'
}

interface Filter {
  /** Texts and, as numbers, prices in US cents. */
  name: (string | number)[]
  href: string
}

/** The active filters, each with the URL of the list without it. */
export function activeFilters(path: string, listing: Listing): Filter[] {
  const { category, search, rating, lowPrice, highPrice } = listing
  const without = (change: Partial<Listing>) => listingHref(path, listing, change)
  const filters = [
    search && { name: [`“${search}”`], href: without({ search: undefined }) },
    category && { name: [category], href: without({ category: undefined }) },
    rating && { name: [`${rating} ${rating === 1 ? 'star' : 'stars'}`], href: without({ rating: undefined }) },
    (lowPrice ?? highPrice) !== undefined && {
      name: priceName(lowPrice, highPrice),
      href: without({ lowPrice: undefined, highPrice: undefined }),
    },
  ]
  return filters.filter(filter => typeof filter === 'object')
}

/** Whether to cache the page. Free texts and prices make too many different URLs. */
export function isWorthKeeping({ search, lowPrice, highPrice }: Listing): boolean {
  return search === undefined && lowPrice === undefined && highPrice === undefined
}

/** True if the list is filtered by more than its category. */
export function isNarrowed(listing: Listing): boolean {
  return listing.rating !== undefined || !isWorthKeeping(listing)
}

function priceName(low: number | undefined, high: number | undefined): Filter['name'] {
  if (low === undefined) return ['Up to ', 100 * (high ?? 0)]
  return high === undefined ? ['From ', 100 * low] : [100 * low, ' to ', 100 * high]
}
