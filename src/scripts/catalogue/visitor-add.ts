import { storeIntent } from '#lib/accounts/intent.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { here, loginPath } from '#lib/navigate.ts'
import { shownQuantity } from './shown-quantity.ts'

/**
 * A visitor's click on 'Add to cart' before React has hydrated the buy box: opens the login, which needs none of that
 * code. Returns false for other buttons, for customers, offline, and if options were chosen, which only React can
 * apply.
 */
export function addAsVisitor(button: HTMLButtonElement): boolean {
  const { dataset, form } = button
  if (dataset.add === undefined || !form || readToken() || !navigator.onLine || hasChosen(form)) return false
  button.ariaBusy = 'true'
  // After Back, the browser may show the page as it was left.
  addEventListener('pageshow', () => (button.ariaBusy = null), { once: true })
  const { buyBox: productId = '', variant: variantId } = form.dataset
  const name = form.ariaLabel?.replace('Buy ', '')
  const intent = { kind: 'addToCart', productId, quantity: shownQuantity(form), variantId, name } as const
  // Not now: while the login is loading, this page's script may start and drop what an earlier visit has left.
  addEventListener('pagehide', () => storeIntent(intent, here()), { once: true })
  location.assign(loginPath(here()))
  return true
}

function hasChosen({ elements }: HTMLFormElement): boolean {
  return [...elements].some(
    field =>
      (field instanceof HTMLInputElement && field.checked !== field.defaultChecked) ||
      (field instanceof HTMLSelectElement && [...field.options].some(each => each.selected !== each.defaultSelected)),
  )
}
