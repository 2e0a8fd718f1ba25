import { type StoredCurrency, readCurrency, VISITOR_CURRENCY_KEY } from './currency.ts'

/** The currency and country that visitors see in this browser, also while a customer is signed in. */
export function readVisitorCurrency(): StoredCurrency | undefined {
  try {
    return readCurrency(localStorage.getItem(VISITOR_CURRENCY_KEY) ?? '{}')
  } catch {
    // Storage is forbidden.
    return undefined
  }
}

/** Stores them and dispatches in this tab the event that other tabs receive. Returns false if storage is forbidden. */
export function storeVisitorCurrency(stored: StoredCurrency): boolean {
  const newValue = JSON.stringify(stored)
  try {
    localStorage.setItem(VISITOR_CURRENCY_KEY, newValue)
  } catch {
    // Storage is forbidden or full.
    return false
  }
  dispatchEvent(new StorageEvent('storage', { key: VISITOR_CURRENCY_KEY, newValue }))
  return true
}
