/** Keys in the browser's local storage. */
export const AUTH_TOKEN = 'authToken'
export const CUSTOMER_TOKEN = 'customerToken'
export const SAFARI_AUTH = 'isSafariAuth'

/** The shopper's recent searches and viewed products (`src/lib/catalogue/browsing-history.ts`). Deleted at logout. */
export const RECENT_SEARCHES = 'recentSearches'
export const RECENTLY_VIEWED = 'recentlyViewed'

export interface Customer {
  id: string
  name: string
  email: string
}

/** The bearer token of the signed-in customer; null if there is none or the browser has no storage. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(AUTH_TOKEN) || localStorage.getItem(CUSTOMER_TOKEN)
  } catch {
    // Storage can be forbidden; then nobody can sign in.
    return null
  }
}

/** The customer named in a token. For display only: the provider decides whether the token is genuine and valid. */
export function decodeCustomer(token: string | null | undefined): Customer | null {
  const payload = token?.split('.')[1]
  if (!payload) return null
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0))
    const { id, name, email } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Customer>
    return id && name ? { id, name, email: email ?? '' } : null
  } catch {
    // Not one of our tokens.
    return null
  }
}
