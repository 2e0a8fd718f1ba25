/** Keys of the checkout's address and unanswered order. Like drafts, they are deleted at logout. */
export const CHECKOUT_ADDRESS = 'checkoutAddress'
export const CHECKOUT_ORDER = 'checkoutOrder'
/** Key of the id of the order that was just paid, for the page after the payment. */
export const PAID_ORDER = 'paidOrder'
/** Key of the country for which the cart shows shipping. */
export const SHIP_TO = 'shipTo'
/** Key of forms that customers have filled in but not sent. */
export const DRAFTS = 'drafts'

/** Key of changes to the wishlist that were being sent when a page was left. */
export const WISHES = 'wishes'

/** Stores a value in this tab, for all its pages. Does nothing if storage is not available. */
export function storeInTab(key: string, value: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is forbidden or full.
  }
}

/** The value stored in this tab; null if there is none. */
export function readFromTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    // Storage is forbidden, or holds something that this code did not write.
    return null
  }
}

/** Deletes the value stored in this tab. */
export function dropFromTab(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Storage is forbidden: there is nothing to delete.
  }
}

/** Removes and returns the value stored in this tab; null if there is none. */
export function takeFromTab(key: string): unknown {
  const stored = readFromTab(key)
  dropFromTab(key)
  return stored
}

/** Whether this tab has a value under `key`. */
export function isStoredInTab(key: string): boolean {
  return readFromTab(key) !== null
}
