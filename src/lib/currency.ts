import { type Currency, DOLLARS, formatPrice } from './format.ts'
import { readToken } from './accounts/storage.ts'

/** Local storage key of the customer's currency. */
export const CURRENCY_KEY = 'currency'

/** Event on `window` when the page's prices change currency. Its `detail` is the `Currency`. */
export const CURRENCY_SHOWN = 'currency-shown'

export interface KeptCurrency extends Currency {
  customerId: string
  /** When account and rate were last loaded: a timestamp in milliseconds. */
  askedAt: number
}

/** Parses a stored currency; undefined if it is invalid. */
export function decodeCurrency(text: string | null): KeptCurrency | undefined {
  try {
    const { currency, rate, customerId, askedAt } = JSON.parse(text ?? '{}') as Partial<KeptCurrency>
    if (!currency || !/^[A-Z]{3}$/.test(currency) || !rate || !(rate > 0)) return undefined
    return { currency, rate, customerId: customerId ?? '', askedAt: askedAt ?? 0 }
  } catch {
    // Not written by this code.
    return undefined
  }
}

/** The last known currency of this browser's customer; US dollars for visitors. */
export function keptCurrency(): Currency {
  return (readToken() && decodeCurrency(localStorage.getItem(CURRENCY_KEY))) || DOLLARS
}

/** Writes every price on the page in a currency. Each `data-usd` attribute holds the price in US cents. */
export function showPrices(currency: Currency): void {
  for (const price of document.querySelectorAll<HTMLElement>('[data-usd]')) {
    const text = formatPrice(Number(price.dataset.usd), currency)
    if (price.textContent !== text) price.textContent = text
  }
  dispatchEvent(new CustomEvent(CURRENCY_SHOWN, { detail: currency }))
}
