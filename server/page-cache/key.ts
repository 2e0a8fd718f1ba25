import { PRICE_SORTS } from '#contract/catalog.ts'
import { CATEGORY_LENGTH } from '#contract/rules.ts'

export interface Address {
  /** The one spelling of this page: what is rendered and what it is stored under. */
  url: string
  /** False for addresses of which there is no end (search texts, prices, anything malformed). */
  isStorable: boolean
  /** Where the visitor should go instead. */
  redirect?: string
}

type Parameters = Record<string, RegExp>

const MAX_ADDRESS_LENGTH = 2048
const MAX_KEY_LENGTH = 512
const NEVER = /(?!)/

const PAGE_NUMBER = /^[1-9]\d{0,2}$/
const LAYOUT = /^(grid|list)$/
const LISTING = {
  category: new RegExp(`^[^]{1,${CATEGORY_LENGTH}}$`),
  value: NEVER,
  rating: /^[1-5]$/,
  lowPrice: NEVER,
  highPrice: NEVER,
  sortPrice: new RegExp(`^(${PRICE_SORTS.join('|')})$`),
  pageNumber: PAGE_NUMBER,
  layout: LAYOUT,
}
const STORES = { sort: /^(verified|all)$/, layout: LAYOUT, pageNumber: PAGE_NUMBER }
const STORE = { layout: LAYOUT, pageNumber: PAGE_NUMBER }

/** The query parameters that each page knows, in the order in which pages write them, with the values whose pages are worth keeping. */
const PAGES: [path: RegExp, parameters: Parameters][] = [
  [/^\/products(\/search)?$/, LISTING],
  [/^\/stores$/, STORES],
  [/^\/stores\/[^/]+\/[^/]+$/, STORE],
  [/^\/product\/details\/[^/]+$/, { reviews: PAGE_NUMBER }],
]

/** Pages of one customer's things are the same for all of them: one is kept, and scripts read the address. */
const SHELLS: [path: RegExp, shell: string][] = [
  [/^\/dashboard\/order\/details\/[^/]+$/, '/dashboard/order/details/any'],
  [/^\/dashboard\/chat\/[^/]+$/, '/dashboard/chat/any'],
  // They are shown in the place of a page that failed.
  [/^\/(500|503)$/, '/404'],
]

/**
 * The page that a request's address means; `null` when it means none (bad percent-encoding, too long).
 * Parameters that the page does not know are left out, so they neither reach it nor fill the store.
 */
export function addressOf(requested: string): Address | null {
  if (requested.length > MAX_ADDRESS_LENGTH) return null
  const queryAt = requested.indexOf('?')
  const givenPath = queryAt < 0 ? requested : requested.slice(0, queryAt)
  const givenQuery = queryAt < 0 ? '' : requested.slice(queryAt)
  const path = cleanPath(givenPath)
  if (path === null) return null

  const { query, isStorable } = knownQuery(path, new URLSearchParams(givenQuery))
  const page = SHELLS.find(([pattern]) => pattern.test(path))?.[1] ?? path
  const url = query ? `${page}?${query}` : page
  const address = { url, isStorable: isStorable && url.length <= MAX_KEY_LENGTH }
  return hasOddSlashes(givenPath) ? { ...address, redirect: path + givenQuery } : address
}

function cleanPath(path: string): string | null {
  try {
    // A dot segment or a backslash means to a browser what URL makes of it.
    const { pathname } = new URL(`http://shop${path.replace(/^[/\\]*/, '/')}`)
    const steps = pathname.split('/').filter(Boolean)
    return `/${steps.map(step => encodeURIComponent(decodeURIComponent(step))).join('/')}`
  } catch {
    return null
  }
}

function hasOddSlashes(path: string): boolean {
  return path !== '/' && /^[^/]|\\|\/\/|\/$|\/(\.|%2e){1,2}(\/|$)/i.test(path)
}

function knownQuery(path: string, given: URLSearchParams): { query: string; isStorable: boolean } {
  const parameters = PAGES.find(([pattern]) => pattern.test(path))?.[1] ?? {}
  const known = new URLSearchParams()
  let isStorable = true
  for (const [name, worthKeeping] of Object.entries(parameters)) {
    // Pages read them without the spaces around them, of which there are endless spellings.
    const values = given
      .getAll(name)
      .map(value => value.trim())
      .filter(value => value !== '')
    for (const value of values) known.append(name, value)
    if (values.length > 1 || values.some(value => !worthKeeping.test(value))) isStorable = false
  }
  return { query: known.toString(), isStorable }
}
