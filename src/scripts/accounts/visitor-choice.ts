import type { StoredCurrency } from '#lib/currency.ts'
import { DOLLARS } from '#lib/format.ts'
import { storeVisitorCurrency, readVisitorCurrency } from '#lib/visitor-currency.ts'

const NOT_STORED = 'Your browser does not let us remember this choice.'
const NO_RATE = 'The exchange rate of this currency is not available right now. Please try again later.'

let choiceCount = 0

/**
 * Keeps the country and currency of the footer's form in this browser. If the currency's rate cannot be loaded, says so
 * and keeps the last currency.
 */
export async function choose(form: HTMLFormElement): Promise<void> {
  choiceCount += 1
  const own = choiceCount
  const { country, currency } = Object.fromEntries(new FormData(form)) as { country: string; currency: string }
  const rate = await rateOf(currency)
  // The last choice counts.
  if (own !== choiceCount) return
  const stored: StoredCurrency = readVisitorCurrency() ?? DOLLARS
  const shown = rate ? { currency, rate, asOf: Date.now() } : {}
  const isGuess = stored.country === country && stored.isGuess === true
  const isStored = storeVisitorCurrency({ ...stored, ...shown, country, isGuess })
  form.querySelector('output')!.textContent = isStored ? (rate ? '' : NO_RATE) : NOT_STORED
}

/** Loads the current exchange rate of the visitor's currency. On failure, the old one stays. */
export async function refreshRate(): Promise<void> {
  const asked = readVisitorCurrency()
  const rate = asked && (await rateOf(asked.currency))
  const stored = readVisitorCurrency()
  if (rate && stored?.currency === asked.currency) storeVisitorCurrency({ ...stored, rate, asOf: Date.now() })
}

async function rateOf(code: string): Promise<number | undefined> {
  if (code === DOLLARS.currency) return DOLLARS.rate
  const response = await fetch('/api/rates').catch(() => null)
  if (!response?.ok) return undefined
  const { rates } = (await response.json()) as { rates: Record<string, number> }
  return rates[code]
}
