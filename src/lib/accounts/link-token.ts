/** The message for a link without a token. */
export const LINK_MISSING = 'This link is incomplete'

const DEAD = [400, 404, 422]

/** Whether the provider rejected the link itself, so that trying again would not help. */
export function isDeadLink({ status }: { status: number }): boolean {
  return DEAD.includes(status)
}

/**
 * Removes the token of a mailed link from the URL, so that it is not read or logged there. The state of the history
 * entry keeps the token for reloads. Returns false if there is no token.
 */
export function hideLinkToken(): boolean {
  const token = new URLSearchParams(location.search).get('token') || readLinkToken()
  if (token) history.replaceState({ linkToken: token }, '', location.pathname)
  return token !== ''
}

/** The token of the link that opened this page; empty without one. */
export function readLinkToken(): string {
  const { linkToken } = (history.state ?? {}) as { linkToken?: unknown }
  return typeof linkToken === 'string' ? linkToken : ''
}

/** Marks the token as used, so that a reload does not send it again. */
export function markLinkUsed(): void {
  history.replaceState({ isLinkUsed: true }, '', location.pathname)
}

/** Whether the link's token was already used before a reload. */
export function isLinkUsed(): boolean {
  return ((history.state ?? {}) as { isLinkUsed?: unknown }).isLinkUsed === true
}
