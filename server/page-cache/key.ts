import { pageQueryOf } from '#contract/page-urls.ts'

export interface Address {
  /** Canonical URL of the page: the one that is rendered, and the key of the store. */
  url: string
  /** False if there could be any number of URLs like it (searches, prices, malformed values). */
  isStorable: boolean
  /** The URL to which the visitor is redirected instead. */
  redirect?: string
}

const MAX_ADDRESS_LENGTH = 2048
const MAX_KEY_LENGTH = 512

/** Pages of one customer's data have the same HTML for all customers: one is stored, and scripts read the URL. */
const SHELLS: [path: RegExp, shell: string][] = [
  [/^\/dashboard\/order\/details\/[^/]+$/, '/dashboard/order/details/any'],
  [/^\/dashboard\/order\/receipt\/[^/]+$/, '/dashboard/order/receipt/any'],
  [/^\/dashboard\/order\/invoice\/[^/]+\/[^/]+$/, '/dashboard/order/invoice/any/any'],
  [/^\/dashboard\/chat\/[^/]+$/, '/dashboard/chat/any'],
  // Error pages, which are shown in place of a failed page, are not pages of their own.
  [/^\/(500|503)$/, '/404'],
]

/**
 * The page that a requested URL means; null for a URL that is too long or has bad percent-encoding. Drops parameters
 * that the page does not know, so they neither reach it nor fill the store.
 */
export function pageAddressOf(requested: string): Address | null {
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

/** True for further pages, sort orders and layouts of a list, and for variants and review pages of a product. */
export function isVariation(url: string): boolean {
  const queryAt = url.indexOf('?')
  return queryAt >= 0 && !/^category=[^&]*$/.test(url.slice(queryAt + 1))
}

function cleanPath(path: string): string | null {
  try {
    // Let URL resolve dot segments and backslashes, as browsers do.
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
  // Pages trim these values; without trimming here, each number of spaces would be another page.
  const trimmed = Array.from(given, ([name, value]) => [name, value.trim()] as const).filter(
    ([, value]) => value !== '',
  )
  const known = new URLSearchParams()
  let isStorable = true
  for (const { isNamed, read, write, isStored } of Object.values(pageQueryOf(path))) {
    const pairs = trimmed.filter(([name]) => isNamed(name))
    for (const [name, value] of pairs) known.append(name, value)
    if (pairs.length === 0) continue
    const { value, isClean } = read(pairs)
    // Other spellings of the same value, such as 02, would be other pages.
    if (!isClean || String(write(value)) !== String(pairs) || !isStored(value)) isStorable = false
  }
  return { query: known.toString(), isStorable }
}
