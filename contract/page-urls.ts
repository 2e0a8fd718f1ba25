import * as z from 'zod/mini'
import {
  CATEGORY_LENGTH,
  ID_LENGTH,
  MAX_FILTER_PRICE,
  OPTION_LENGTH,
  PRICE_SORTS,
  SEARCH_LENGTH,
  shopSlug,
} from './rules.ts'
import { queryChoice, queryInteger, queryNumber, queryPage, queryText } from './wire.ts'

// Paths of pages that are linked from several places: the storefront, emails, notifications and chat replies.

/** With `variantId`, the page shows that variant. */
export function productPath({ slug }: { slug: string }, variantId?: string): string {
  const page = `/product/details/${encodeURIComponent(slug)}`
  return variantId ? `${page}?variant=${encodeURIComponent(variantId)}` : page
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

/** The page on which the customer pays an order. */
export function paymentPath(orderId: string): string {
  return `/payment?order=${encodeURIComponent(orderId)}`
}

/** The page that shows a payment's outcome. Omit the secret where the payment provider appends it. */
export function resultPath(clientSecret?: string): string {
  const page = '/order/confirm'
  return clientSecret ? `${page}?payment_intent_client_secret=${encodeURIComponent(clientSecret)}` : page
}

/** The page of the conversation with a seller; without `sellerId`, the page of all conversations. */
export function chatPath(sellerId?: string): string {
  const page = '/dashboard/chat'
  return sellerId ? `${page}/${encodeURIComponent(sellerId)}` : page
}

/** A query parameter of a page that is rendered differently for each of its values. */
interface PageParameter<T> {
  /** Its name in URLs. */
  name: string
  codec: z.ZodMiniType<T | undefined, string | undefined>
  /** The value of URLs without the parameter. */
  fallback: T
  /** Whether pages with this value are stored. */
  isStored(value: T): boolean
}

/** A page's query parameters by our names, in the sequence of its canonical URL. */
type PageQuery = Record<string, PageParameter<string | number | undefined>>

type Values<Query extends PageQuery> = {
  [Key in keyof Query]: Query[Key] extends PageParameter<infer T> ? T : never
}

const HIGHEST_STORED_PAGE = 999
const isLowPage = (page: number) => page <= HIGHEST_STORED_PAGE
/** For free texts and prices, which would make too many pages. */
const never = () => false

// The annotation lets bundlers drop the queries from scripts that only need paths.
/* @__NO_SIDE_EFFECTS__ */
function parameter<T, const Fallback = undefined>(
  name: string,
  codecOf: (name: string) => z.ZodMiniType<T | undefined, string | undefined>,
  fallback?: Fallback,
  isStored: (value: T) => boolean = () => true,
) {
  return { name, codec: codecOf(name), fallback, isStored } as PageParameter<T | Fallback>
}

const layout = parameter('layout', name => queryChoice(name, ['grid', 'list']), 'grid')
const page = parameter('pageNumber', queryPage, 1, isLowPage)

export const LISTING_QUERY = {
  category: parameter('category', name => queryText(name, CATEGORY_LENGTH)),
  search: parameter('value', name => queryText(name, SEARCH_LENGTH), undefined, never),
  rating: parameter('rating', name => queryInteger(name, 1, 5)),
  lowPrice: parameter('lowPrice', name => queryNumber(name, 0, MAX_FILTER_PRICE), undefined, never),
  highPrice: parameter('highPrice', name => queryNumber(name, 0, MAX_FILTER_PRICE), undefined, never),
  sort: parameter('sortPrice', name => queryChoice(name, PRICE_SORTS)),
  page,
  layout,
}
export const STORES_QUERY = {
  sort: parameter('sort', name => queryChoice(name, ['verified', 'all']), 'all'),
  layout,
  page,
}
export const STORE_QUERY = { layout, page }
const optionValue = (name: string) => parameter(name, name => queryText(name, OPTION_LENGTH), undefined, never)
/**
 * `option1` to `option3` are the values that a shopper without JavaScript chose, and `button` is the button that sent
 * them: the page redirects to where it leads.
 */
export const PRODUCT_QUERY = {
  reviewPage: parameter('reviews', queryPage, 1, isLowPage),
  variant: parameter('variant', name => queryText(name, ID_LENGTH)),
  option1: optionValue('option1'),
  option2: optionValue('option2'),
  option3: optionValue('option3'),
  button: parameter('button', name => queryChoice(name, ['cart', 'buy', 'show']), undefined, never),
}

const PAGE_QUERIES: [path: RegExp, query: PageQuery][] = [
  [/^\/products(\/search)?$/, LISTING_QUERY],
  [/^\/stores$/, STORES_QUERY],
  [/^\/stores\/[^/]+\/[^/]+$/, STORE_QUERY],
  [/^\/product\/details\/[^/]+$/, PRODUCT_QUERY],
]

/** The query parameters of the page at `path`. Other pages have none: the page cache drops what is not listed here. */
export function pageQueryOf(path: string): PageQuery {
  return PAGE_QUERIES.find(([pattern]) => pattern.test(path))?.[1] ?? {}
}

/** Reads a page's query. `isClean` is false if a parameter is invalid or repeated; `values` then has its fallback. */
export function readPageQuery<Query extends PageQuery>(query: Query, given: URLSearchParams) {
  let isClean = true
  const entries = Object.entries(query).map(([key, { name, codec, fallback }]) => {
    const [first, ...more] = given.getAll(name)
    const value = z.safeDecode(codec, first)
    if (more.length > 0 || !value.success) isClean = false
    return [key, value.data ?? fallback]
  })
  return { values: Object.fromEntries(entries) as Values<Query>, isClean }
}

/** The URL of a page with these values; fallbacks are left out. */
export function pageUrl<Query extends PageQuery>(path: string, query: Query, values: Partial<Values<Query>>): string {
  const written = new URLSearchParams()
  for (const [key, { name, fallback }] of Object.entries(query)) {
    const value = values[key] as string | number | undefined
    if (value !== undefined && value !== '' && value !== fallback) written.set(name, String(value))
  }
  return written.size > 0 ? `${path}?${written}` : path
}
