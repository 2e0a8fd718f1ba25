import * as z from 'zod/mini'
import { type ChosenFilter, isFilterName, readFilters, writeFilters } from './filters.ts'
import {
  CATEGORY_LENGTH,
  COUNTRY_LENGTH,
  ID_LENGTH,
  LISTING_SORTS,
  ON_SALE_PERCENT,
  OPTION_LENGTH,
  REVIEW_SORTS,
  SEARCH_LENGTH,
  shopSlug,
} from './rules.ts'
import { queryBoolean, queryChoice, queryInteger, queryPage, queryPrice, queryText } from './wire.ts'

// Paths of pages that are linked from several places: the storefront, emails, notifications and chat replies.

/** With `variantId`, the page shows that variant. */
export function productPath({ slug }: { slug: string }, variantId?: string): string {
  const page = `/product/details/${encodeURIComponent(slug)}`
  return variantId ? `${page}?variant=${encodeURIComponent(variantId)}` : page
}

/** A product's reviews, with the form to write one. */
export function reviewsPath(product: { slug: string }): string {
  return `${productPath(product)}#reviews`
}

/** The same, at the form (`WriteReview.tsx`). */
export function writeReviewPath(product: { slug: string }): string {
  return `${productPath(product)}?write#reviews`
}

/** The checkout of one product without the cart. */
export function buyNowPath({ slug }: { slug: string }, quantity: number, variantId?: string): string {
  const variant = variantId ? `&variant=${encodeURIComponent(variantId)}` : ''
  return `/shipping?buy=${encodeURIComponent(slug)}${variant}&quantity=${quantity}`
}

/** Path of the shop that sells a product. */
export function shopPath({ shopName, sellerId }: { shopName: string; sellerId: string }): string {
  return `/stores/${encodeURIComponent(shopSlug(shopName))}/${encodeURIComponent(sellerId)}`
}

export function orderPath(orderId: string): string {
  return `/dashboard/order/details/${encodeURIComponent(orderId)}`
}

/** The page that shows an order's progress without a login; `token` comes from a mailed link. */
export function trackingPath(token: string): string {
  return `/track-order?token=${encodeURIComponent(token)}`
}

/** The page with the printable receipt of an order. */
export function receiptPath(orderId: string): string {
  return `/dashboard/order/receipt/${encodeURIComponent(orderId)}`
}

/** The page with the printable invoice of a seller's part of an order. */
export function invoicePath(orderId: string, sellerOrderId: string): string {
  return `/dashboard/order/invoice/${encodeURIComponent(orderId)}/${encodeURIComponent(sellerOrderId)}`
}

/** The page on which the customer pays an order. */
export function paymentPath(orderId: string): string {
  return `/payment?order=${encodeURIComponent(orderId)}`
}

/** The page that shows a payment's outcome. Omit the secret where the payment provider appends it. */
export function resultPath(clientSecret?: string): string {
  const page = '/order/confirm'
  return clientSecret ? `${page}?payment_intent_client_secret=${encodeURIComponent(clientSecret)}` : page
}

/**
 * The page of the conversation with a seller; without `sellerId`, the page of all conversations. With `about`, the next
 * message is about that product or order of the seller.
 */
export function chatPath(sellerId?: string, about?: { productId: string } | { orderId: string }): string {
  const page = '/dashboard/chat'
  if (!sellerId) return page
  return `${page}/${encodeURIComponent(sellerId)}${about ? `?${new URLSearchParams(about)}` : ''}`
}

/** The page, linked in mails, that ends a customer's alerts or requests for reviews, by the token's kind. */
export function endAlertsPath(token: string): string {
  return `/end-alerts?${new URLSearchParams({ token })}`
}

type Pair = readonly [name: string, value: string]

/** Query parameters of a page that hold one value, and lead to a different page for each value. */
interface PageParameter<T> {
  /** Whether `name` is one of these parameters. */
  isNamed(name: string): boolean
  /** The value of these parameters. Malformed ones count as missing. */
  read(given: Pair[]): { value: T; isClean: boolean }
  write(value: T): Pair[]
  /** The value of URLs without the parameter. */
  fallback: T
  /** Whether pages with this value are stored. */
  isStored(value: T): boolean
}

/** A page's query parameters by our names, in the order of its canonical URL. */
type PageQuery = Record<string, PageParameter<Value>>

type Value = string | number | boolean | ChosenFilter[] | undefined

type Values<Query extends PageQuery> = {
  [Key in keyof Query]: Query[Key] extends PageParameter<infer T> ? T : never
}

const HIGHEST_STORED_PAGE = 999
const isLowPage = (page: number) => page <= HIGHEST_STORED_PAGE
/** For free texts and filters: there would be too many pages to store. */
const never = () => false
/** The header links to the products on sale. */
const isOnSale = (least: number | undefined) => least === ON_SALE_PERCENT

// The annotation lets bundlers drop the queries from scripts that only need paths.
/* @__NO_SIDE_EFFECTS__ */
function parameter<T, const Fallback = undefined>(
  name: string,
  codecOf: (name: string) => z.ZodMiniType<T | undefined, string | undefined>,
  fallback?: Fallback,
  isStored: (value: T) => boolean = () => true,
) {
  const codec = codecOf(name)
  return {
    isNamed: given => given === name,
    read([first, ...more]) {
      const { data, success } = z.safeDecode(codec, first?.[1])
      return { value: data ?? fallback, isClean: success && more.length === 0 }
    },
    write: value => (value === undefined || value === '' ? [] : [[name, String(value)]]),
    fallback,
    isStored,
  } as PageParameter<T | Fallback>
}

const filters: PageParameter<ChosenFilter[] | undefined> = {
  isNamed: isFilterName,
  read: given => {
    const { filters: value, isClean } = readFilters(given)
    return { value, isClean }
  },
  write: writeFilters,
  fallback: undefined,
  isStored: never,
}

const layout = parameter('layout', name => queryChoice(name, ['grid', 'list']), 'grid')
const page = parameter('pageNumber', queryPage, 1, isLowPage)

const search = parameter('value', name => queryText(name, SEARCH_LENGTH), undefined, never)
const sort = parameter('sortPrice', name => queryChoice(name, LISTING_SORTS))

export const LISTING_QUERY = {
  category: parameter('category', name => queryText(name, CATEGORY_LENGTH)),
  search,
  rating: parameter('rating', name => queryInteger(name, 1, 5), undefined, never),
  discount: parameter('discount', name => queryInteger(name, 1, 100), undefined, isOnSale),
  inStock: parameter('inStock', queryBoolean, undefined, never),
  shipsTo: parameter('shipsTo', name => queryText(name, COUNTRY_LENGTH), undefined, never),
  lowPrice: parameter('lowPrice', queryPrice, undefined, never),
  highPrice: parameter('highPrice', queryPrice, undefined, never),
  literal: parameter('literal', queryBoolean, undefined, never),
  filters,
  sort,
  page,
  layout,
}
export const STORES_QUERY = {
  sort: parameter('sort', name => queryChoice(name, ['verified', 'all']), 'all'),
  layout,
  page,
}
export const CATEGORIES_QUERY = { page }
export const STORE_QUERY = { search, filters, sort, layout, page }
const optionValue = (name: string) => parameter(name, name => queryText(name, OPTION_LENGTH), undefined, never)
/**
 * Without JavaScript, the buy form sends `option1` to `option3`, the chosen values, and `button`, the clicked button.
 * The page then redirects (`pathAfterChoice`).
 */
export const PRODUCT_QUERY = {
  reviewPage: parameter('reviews', queryPage, 1, isLowPage),
  reviewSort: parameter('reviewSort', name => queryChoice(name, REVIEW_SORTS), undefined, never),
  stars: parameter('stars', name => queryInteger(name, 1, 5), undefined, never),
  variant: parameter('variant', name => queryText(name, ID_LENGTH)),
  option1: optionValue('option1'),
  option2: optionValue('option2'),
  option3: optionValue('option3'),
  button: parameter('button', name => queryChoice(name, ['cart', 'buy', 'show']), undefined, never),
}

const PAGE_QUERIES: [path: RegExp, query: PageQuery][] = [
  [/^\/products(\/search)?$/, LISTING_QUERY],
  [/^\/categories$/, CATEGORIES_QUERY],
  [/^\/stores$/, STORES_QUERY],
  [/^\/stores\/[^/]+\/[^/]+$/, STORE_QUERY],
  [/^\/product\/details\/[^/]+$/, PRODUCT_QUERY],
]

/** The query parameters of the page at `path`. The page cache drops all parameters that are not listed here. */
export function pageQueryOf(path: string): PageQuery {
  return PAGE_QUERIES.find(([pattern]) => pattern.test(path))?.[1] ?? {}
}

/** Reads a page's query. `isClean` is false if a parameter is invalid or repeated; `values` then has its fallback. */
export function readPageQuery<Query extends PageQuery>(query: Query, given: URLSearchParams) {
  let isAllClean = true
  const entries = Object.entries(query).map(([key, parameter]) => {
    const { value, isClean } = parameter.read(Array.from(given).filter(([name]) => parameter.isNamed(name)))
    if (!isClean) isAllClean = false
    return [key, value]
  })
  return { values: Object.fromEntries(entries) as Values<Query>, isClean: isAllClean }
}

/** The URL of a page with these values. Fallbacks are left out. */
export function pageUrl<Query extends PageQuery>(path: string, query: Query, values: Partial<Values<Query>>): string {
  const written = new URLSearchParams()
  for (const [key, { fallback, write }] of Object.entries(query)) {
    const value = values[key] as Value
    if (value !== fallback) for (const [name, each] of write(value)) written.append(name, each)
  }
  return written.size > 0 ? `${path}?${written}` : path
}
