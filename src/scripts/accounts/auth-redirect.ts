import { safeNext } from '#lib/navigate.ts'
import { decodeCustomer, readToken } from '#lib/accounts/storage.ts'

/** Where somebody goes on who has signed in here: the page that the address asks for, else the one they came from. */
export function nextPage(): string {
  const cameFrom = document.referrer.startsWith(`${location.origin}/`)
    ? document.referrer.slice(location.origin.length)
    : null
  return safeNext(askedFor() ?? cameFrom, location.origin)
}

/**
 * For pages that only a visitor needs: whoever is signed in, or is so in another tab in the meantime, goes on at once.
 * Links to the other such pages take `next` along.
 */
export function connectAuthPage(): void {
  leaveIfSignedIn()
  addEventListener('storage', leaveIfSignedIn)
  addEventListener('pageshow', leaveIfSignedIn)
  const next = nextPage()
  if (next === '/') return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-keeps-next]'))
    link.search = String(new URLSearchParams({ next }))
}

function leaveIfSignedIn(): void {
  if (decodeCustomer(readToken())) location.replace(safeNext(askedFor(), location.origin))
}

function askedFor(): string | null {
  return new URLSearchParams(location.search).get('next')
}
