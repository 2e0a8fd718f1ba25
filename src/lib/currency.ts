import { type Currency, DOLLARS, formatPrice } from './format.ts'
import { readToken } from './accounts/storage.ts'

/** Local storage key of the signed-in customer's currency and country. */
export const CURRENCY_KEY = 'currency'

/** Local storage key of the currency and country that visitors see. It outlives sessions. */
export const VISITOR_CURRENCY_KEY = 'visitorCurrency'

/** Event on `window` when the page's prices change currency. Its `detail` is the `Currency`. */
export const CURRENCY_SHOWN = 'currency-shown'

export interface StoredCurrency extends Currency {
  /** Absent for a visitor. */
  customerId?: string
  /** When account and rate were last loaded, in milliseconds. */
  asOf?: number
  /** The country of delivery; empty if unknown. */
  country?: string
  /** Whether the country is only a guess or from a filter, and not the visitor's choice in the footer. */
  isGuess?: boolean
}

/**
 * Parses a stored currency: by default that of this browser's customer, or of its visitor if nobody is signed in.
 * Undefined if there is none or it is invalid.
 */
export function readCurrency(text?: string | null): StoredCurrency | undefined {
  try {
    const json = text ?? localStorage.getItem(readToken() ? CURRENCY_KEY : VISITOR_CURRENCY_KEY) ?? '{}'
    const currency = JSON.parse(json) as StoredCurrency
    return /^[A-Z]{3}$/.test(currency.currency) && currency.rate > 0 ? currency : undefined
  } catch {
    // Storage is forbidden, or holds something that this code did not write.
    return undefined
  }
}

/** The currency in which this browser shows prices. */
export function shownCurrency(): Currency {
  return readCurrency() ?? DOLLARS
}

/** Writes every price on the page in a currency. Each `data-usd` attribute holds the price in US cents. */
export function showPrices(currency: Currency): void {
  for (const price of document.querySelectorAll<HTMLElement>('[data-usd]')) {
    const text = formatPrice(Number(price.dataset.usd), currency)
    if (price.textContent !== text) price.textContent = text
  }
  dispatchEvent(new CustomEvent(CURRENCY_SHOWN, { detail: currency }))
}
