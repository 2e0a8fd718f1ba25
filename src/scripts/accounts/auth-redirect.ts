import type { Flash } from '#lib/flash.ts'
import { dropForeignIntent } from '#lib/accounts/foreign-intent.ts'
import { peekIntent } from '#lib/accounts/intent.ts'
import { loginReason } from '#lib/accounts/login-reason.ts'
import { safeNext } from '#lib/navigate.ts'
import { readFromTab } from '#lib/session-storage.ts'
import { decodeCustomer, readToken } from '#lib/accounts/storage.ts'

/** Where to go after signing in: the `next` parameter, else the previous page of this shop. */
export function nextPage(): string {
  const cameFrom = document.referrer.startsWith(`${location.origin}/`)
    ? document.referrer.slice(location.origin.length)
    : null
  return safeNext(askedFor() ?? cameFrom, location.origin)
}

/**
 * For pages that only visitors need: leaves the page if a customer is signed in, also by another tab. Links to the
 * other such pages get the same `next` parameter.
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

/** Says above the form why a login is needed. */
export function showLoginReason(): void {
  const next = nextPage()
  const intent = peekIntent(next)
  // The end of a session leaves a message. Its toast soon disappears; this text stays.
  const left = readFromTab('flash') as Flash | null
  const reason = !intent && left?.kind === 'error' ? left.text : loginReason(intent, next)
  const text = document.querySelector('[data-reason]')
  if (!reason || !text) return
  text.textContent = reason
  text.classList.add('text-sm', 'font-medium', 'line-clamp-2', 'text-ink')
}

function leaveIfSignedIn(): void {
  const customer = decodeCustomer(readToken())
  if (!customer) return
  dropForeignIntent(customer.id)
  location.replace(safeNext(askedFor(), location.origin))
}

function askedFor(): string | null {
  return new URLSearchParams(location.search).get('next')
}
