import { decodeCustomer, readToken } from '#lib/accounts/storage.ts'

/** Turns the header's visitor links into the customer's, or back; false when nobody is signed in on this browser. */
export function showAccount(): boolean {
  const customer = decodeCustomer(readToken())
  for (const name of document.querySelectorAll('[data-account-name]')) name.textContent = customer?.name ?? 'Login'
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-signed-in-href]')) {
    link.dataset.visitorHref ??= link.getAttribute('href') ?? ''
    link.href = (customer ? link.dataset.signedInHref : link.dataset.visitorHref) ?? ''
  }
  return customer !== null
}

/** Keeps the header equal to who is signed in, also when that changes in another tab; `wake` runs for the first customer. */
export function followAccount(wake: () => void): void {
  let isAwake = false
  const show = () => {
    if (!showAccount() || isAwake) return
    isAwake = true
    wake()
  }
  addEventListener('storage', show)
  // A page that the browser had put aside shows who was signed in then.
  addEventListener('pageshow', ({ persisted }) => persisted && show())
  show()
}
