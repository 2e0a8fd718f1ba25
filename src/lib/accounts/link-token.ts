/**
 * Takes the token of a mailed link out of the address, so that it is neither read over a shoulder nor sent to anybody;
 * this entry of the history keeps it for a reload. Returns false when there is none.
 */
export function hideLinkToken(): boolean {
  const token = new URLSearchParams(location.search).get('token') || readLinkToken()
  if (token) history.replaceState({ linkToken: token }, '', location.pathname)
  return token !== ''
}

/** The token of the link that led here; empty without one. */
export function readLinkToken(): string {
  const { linkToken } = (history.state ?? {}) as { linkToken?: unknown }
  return typeof linkToken === 'string' ? linkToken : ''
}

/** The token is used up: a reload must not send it again. */
export function markLinkUsed(): void {
  history.replaceState({ isLinkUsed: true }, '', location.pathname)
}

/** Whether the link that led here has done its work, before a reload. */
export function isLinkUsed(): boolean {
  return ((history.state ?? {}) as { isLinkUsed?: unknown }).isLinkUsed === true
}
