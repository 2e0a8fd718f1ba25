import { leave } from '../leave.ts'
import { here, loginPath } from '../navigate.ts'
import { decodeCustomer, readToken } from './storage.ts'

let isLeaving = false

/**
 * For customer pages: sends visitors to the login, which leads back here, without an entry in the browser's history.
 * Runs `follow` for customers.
 */
export function guard(follow: () => void): void {
  const shownTo = customerId()
  // The browser paints a page from its back/forward cache before a script can check who is signed in.
  addEventListener('pagehide', ({ persisted }) => persisted && showPage(false))
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    isLeaving = false
    const now = customerId()
    if (now === undefined) goToLogin()
    else if (now === shownTo) showPage(true)
    // Another customer has signed in since: this page's content is not theirs.
    else location.reload()
  })
  if (shownTo !== undefined) follow()
  else goToLogin()
}

/** Replaces the page by the login, which leads back to it. Further calls do nothing. */
export function goToLogin(): void {
  if (isLeaving) return
  isLeaving = true
  leave(() => location.replace(loginPath(here())))
}

/** Like `goToLogin`, but keeps the page in the history, for pages that visitors may see. */
export function visitLogin(): void {
  if (!isLeaving) location.assign(loginPath(here()))
}

function customerId(): string | undefined {
  return decodeCustomer(readToken())?.id
}

function showPage(isShown: boolean): void {
  document.body.style.visibility = isShown ? '' : 'hidden'
}
