import type { ProductQuery } from '#contract/catalogue.ts'
import {
  BRAND,
  type ChosenFilter,
  type OfferedFilter,
  SHOP,
  toggleFilter,
  valueKey,
  writeFilters,
} from '#contract/filters.ts'
import { LISTING_QUERY, pageUrl, readPageQuery } from '#contract/page-urls.ts'
import { ON_SALE_PERCENT } from '#contract/rules.ts'
import { variantTitle } from '#contract/variants.ts'

export const LISTING_PATH = '/products'
export const SEARCH_PATH = '/products/search'

export interface Listing extends Partial<Omit<ProductQuery, 'page'>> {
  page: number
  layout: 'grid' | 'list'
}

/**
 * Parses a listing's query. `isClean` is false for invalid input (not a number, a repeated filter, lowPrice above
 * highPrice); `listing` then holds the valid rest, to which the page redirects.
 */
export function readListing(query: URLSearchParams): { listing: Listing; isClean: boolean } {
  const { values: listing, isClean } = readPageQuery(LISTING_QUERY, query)
  const { lowPrice, highPrice } = listing
  if (lowPrice === undefined || highPrice === undefined || lowPrice <= highPrice) return { listing, isClean }
  return { listing: { ...listing, lowPrice: highPrice, highPrice: lowPrice }, isClean: false }
}

/** The URL of the listing with `change` applied. Any change except of page or layout resets it to page 1. */
export function listingHref(path: string, listing: Listing, change: Partial<Listing> = {}): string {
  const isSameList = Object.keys(change).every(name => name === 'page' || name === 'layout')
  return pageUrl(path, LISTING_QUERY, { ...listing, ...(isSameList ? {} : { page: 1 }), ...change })
}

/** The canonical URL: the same list without sort order and layout. */
export function canonicalHref(path: string, listing: Listing): string {
  return listingHref(path, { ...listing, sort: undefined, layout: 'grid', literal: undefined })
}

/** The URL of the whole search or category without filters, in the same sort order and layout. */
export function widestHref(path: string, { category, search, sort, layout }: Listing): string {
  return listingHref(path, { category, search, sort, layout, page: 1 })
}

/** The listing's name for headings and titles. `isUnrelated`: it has no product that the search means. */
export function listingName({ category, search, discount }: Listing, isUnrelated = false): string {
  const found = isUnrelated ? 'Nothing found for' : 'Results for'
  if (search && category) return `${found} “${search}” in ${category}`
  if (search) return `${found} “${search}”`
  return category ?? (discount === ON_SALE_PERCENT ? discountName(discount) : 'All products')
}

export interface ActiveFilter {
  /** Texts; numbers are prices in US cents. */
  name: (string | number)[]
  href: string
}

/** The active filters, each with the URL of the list without it. `offered` has the names of options and values. */
export function activeFilters(path: string, listing: Listing, offered: OfferedFilter[] = []): ActiveFilter[] {
  const { category, search, rating, discount, inStock, shipsTo, lowPrice, highPrice } = listing
  const without = (change: Partial<Listing>) => listingHref(path, listing, change)
  const filters = [
    search && { name: [`“${search}”`], href: without({ search: undefined }) },
    category && { name: [category], href: without({ category: undefined }) },
    rating && { name: [`${rating} ${rating === 1 ? 'star' : 'stars'}`], href: without({ rating: undefined }) },
    discount && { name: [discountName(discount)], href: without({ discount: undefined }) },
    inStock && { name: ['In stock'], href: without({ inStock: undefined }) },
    shipsTo && { name: [`Ships to ${shipsTo}`], href: without({ shipsTo: undefined }) },
    (lowPrice ?? highPrice) !== undefined && {
      name: priceName(lowPrice, highPrice),
      href: without({ lowPrice: undefined, highPrice: undefined }),
    },
    ...chosenValues(listing.filters, offered, filters => without({ filters })),
  ]
  return filters.filter(filter => typeof filter === 'object')
}

/** Each chosen brand and value of an option, with the URL of the list without it. */
export function chosenValues(
  filters: ChosenFilter[] | undefined,
  offered: OfferedFilter[],
  href: (filters: ChosenFilter[] | undefined) => string,
): ActiveFilter[] {
  return writeFilters(filters).map(([name, value]) => {
    const filter = offered.find(each => each.name === name)
    const known = filter?.values.find(each => valueKey(each.value) === valueKey(value))
    const label = known?.label ?? known?.value ?? value
    const text = filter && name !== BRAND && name !== SHOP ? variantTitle([[filter.title, label]]) : label
    return { name: [text], href: href(toggleFilter(filters, name, value)) }
  })
}

/** The label of the filter by a minimum discount. */
export function discountName(percent: number): string {
  return percent === ON_SALE_PERCENT ? 'On sale' : `${percent}% off or more`
}

/** True if the list is filtered by more than its category. */
export function isNarrowed({ category, sort, page, layout, ...filters }: Listing): boolean {
  return Object.values(filters).some(filter => filter !== undefined)
}

function priceName(low: number | undefined, high: number | undefined): ActiveFilter['name'] {
  if (low === undefined) return ['Up to ', 100 * (high ?? 0)]
  return high === undefined ? ['From ', 100 * low] : [100 * low, ' to ', 100 * high]
}
