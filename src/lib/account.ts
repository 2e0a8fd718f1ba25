import { decodeCustomer, readToken } from './storage.ts'

/** For pages that only a visitor needs, such as the login: sends whoever is signed in to the home page. */
export function leaveIfSignedIn(): void {
  if (decodeCustomer(readToken())) location.replace('/')
}

/** Turns the header's visitor links into the customer's; false when nobody is signed in on this browser. */
export function showAccount(): boolean {
  const customer = decodeCustomer(readToken())
  if (!customer) return false
  document.querySelector<HTMLAnchorElement>('[data-account]')?.setAttribute('href', '/dashboard')
  for (const name of document.querySelectorAll('[data-account-name]')) name.textContent = customer.name
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-signed-in-href]'))
    link.href = link.dataset.signedInHref ?? link.href
  return true
}
