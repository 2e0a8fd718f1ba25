/** Where a checkout keeps its address and the order that is on its way: nobody's business after a logout, as drafts. */
export const CHECKOUT_ADDRESS = 'checkoutAddress'
export const CHECKOUT_ORDER = 'checkoutOrder'
/** What a customer has typed and not sent. */
export const DRAFTS = 'drafts'

/** Keeps a value for this tab, across its pages; nothing happens in a browser that keeps nothing. */
export function keepForTab(key: string, value: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is forbidden or full.
  }
}

/** What this tab kept under `key`, which is gone then; null without any. */
export function takeFromTab(key: string): unknown {
  try {
    const kept = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return kept === null ? null : JSON.parse(kept)
  } catch {
    // Storage is forbidden, or holds what we did not write.
    return null
  }
}

/** Whether this tab keeps something under `key`. */
export function isKeptForTab(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null
  } catch {
    // Storage is forbidden.
    return false
  }
}

/** What this tab keeps under `key`; null without any. */
export function readFromTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    // Storage is forbidden, or holds what we did not write.
    return null
  }
}

/** Forgets what this tab keeps under `key`. */
export function dropFromTab(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Storage is forbidden: there is nothing to drop.
  }
}
