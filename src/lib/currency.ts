import { type Currency, DOLLARS, formatPrice } from './format.ts'
import { readToken } from './accounts/storage.ts'

/** Where the browser keeps the customer's currency; `src/scripts/early-prices.ts` reads it there too. */
export const CURRENCY_KEY = 'currency'

/** The window hears this with the `Currency` as its detail whenever prices on the page change theirs. */
export const CURRENCY_SHOWN = 'currency-shown'

export interface KeptCurrency extends Currency {
  customerId: string
  /** When account and rate were last asked for, in milliseconds. */
  askedAt: number
}

/** What was kept; undefined for everything that is no currency with a rate. */
export function decodeCurrency(text: string | null): KeptCurrency | undefined {
  try {
    const { currency, rate, customerId, askedAt } = JSON.parse(text ?? '{}') as Partial<KeptCurrency>
    if (!currency || !/^[A-Z]{3}$/.test(currency) || !rate || !(rate > 0)) return undefined
    return { currency, rate, customerId: customerId ?? '', askedAt: askedAt ?? 0 }
  } catch {
    // Not written by us.
    return undefined
  }
}

/** The currency that this browser's customer was last known to have; dollars for visitors. */
export function keptCurrency(): Currency {
  return (readToken() && decodeCurrency(localStorage.getItem(CURRENCY_KEY))) || DOLLARS
}

/** Writes every price of the page in a currency: each `data-usd` element holds its cents of US dollars. */
export function showPrices(currency: Currency): void {
  for (const price of document.querySelectorAll<HTMLElement>('[data-usd]')) {
    const text = formatPrice(Number(price.dataset.usd), currency)
    if (price.textContent !== text) price.textContent = text
  }
  dispatchEvent(new CustomEvent(CURRENCY_SHOWN, { detail: currency }))
}
