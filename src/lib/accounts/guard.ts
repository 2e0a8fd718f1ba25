import { here, loginPath } from '../navigate.ts'
import { decodeCustomer, readToken } from './storage.ts'

let isLeaving = false

/**
 * For pages of customers: a visitor goes to the login and comes back from there, without this page in between in the
 * browser's history. `follow` runs for a customer.
 */
export function guard(follow: () => void): void {
  const shownTo = customerId()
  // The browser paints a page out of its memory before the page can look who is there now.
  addEventListener('pagehide', ({ persisted }) => persisted && showPage(false))
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    isLeaving = false
    const now = customerId()
    if (now === undefined) goToLogin()
    else if (now === shownTo) showPage(true)
    // Somebody else has signed in since: nothing of this page is theirs.
    else location.reload()
  })
  if (shownTo !== undefined) follow()
  else goToLogin()
}

/** Leaves the page for the login, which leads back to it; once, whoever asks for it. */
export function goToLogin(): void {
  if (isLeaving) return
  isLeaving = true
  location.replace(loginPath(here()))
}

/** As `goToLogin`, but Back leads to the page: for pages that visitors may see, where it does nothing else. */
export function visitLogin(): void {
  if (!isLeaving) location.assign(loginPath(here()))
}

function customerId(): string | undefined {
  return decodeCustomer(readToken())?.id
}

function showPage(isShown: boolean): void {
  document.body.style.visibility = isShown ? '' : 'hidden'
}
