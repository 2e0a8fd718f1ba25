/** The spec's keys in the browser's local storage. */
export const AUTH_TOKEN = 'authToken'
export const CUSTOMER_TOKEN = 'customerToken'
export const SAFARI_AUTH = 'isSafariAuth'

export interface Customer {
  id: string
  name: string
  email: string
}

/** The bearer token of whoever is signed in here; null on a browser that keeps nothing. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(AUTH_TOKEN) || localStorage.getItem(CUSTOMER_TOKEN)
  } catch {
    // Storage can be forbidden; then nobody can be signed in.
    return null
  }
}

/** Who a token speaks of, for display only: the provider alone decides whether it is genuine and alive. */
export function decodeCustomer(token: string | null | undefined): Customer | null {
  const payload = token?.split('.')[1]
  if (!payload) return null
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0))
    const { id, name, email } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Customer>
    return id && name ? { id, name, email: email ?? '' } : null
  } catch {
    // Not a token of ours.
    return null
  }
}
