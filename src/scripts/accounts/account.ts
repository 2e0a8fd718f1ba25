import { decodeCustomer, readToken } from '#lib/accounts/storage.ts'

/** Switches the header's links between visitor and customer. Returns whether a customer is signed in. */
export function showAccount(): boolean {
  const customer = decodeCustomer(readToken())
  document.documentElement.toggleAttribute('data-customer', customer !== null)
  for (const name of document.querySelectorAll('[data-account-name]')) name.textContent = customer?.name ?? 'Log in'
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-signed-in-href]')) {
    link.dataset.visitorHref ??= link.getAttribute('href') ?? ''
    link.href = (customer ? link.dataset.signedInHref : link.dataset.visitorHref) ?? ''
  }
  return customer !== null
}

/** Keeps the header up to date with the session in all tabs. Runs `wake` once, when a customer is signed in. */
export function followAccount(wake: () => void): void {
  let isAwake = false
  const show = () => {
    if (!showAccount() || isAwake) return
    isAwake = true
    wake()
  }
  addEventListener('storage', show)
  // A page restored from the back/forward cache shows an old session.
  addEventListener('pageshow', ({ persisted }) => persisted && show())
  show()
}
