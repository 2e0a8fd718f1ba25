import { persistentAtom } from '@nanostores/persistent'
import { computed } from 'nanostores'
import { ApiError } from '#lib/api.ts'
import { CURRENCY_KEY, decodeCurrency, type KeptCurrency } from '#lib/currency.ts'
import { type Currency, DOLLARS } from '#lib/format.ts'
import { client } from '../client.ts'
import { $customer } from '../accounts/session.ts'

/** Maximum delay until a currency changed on another device shows here. */
const FRESH_MS = 5 * 60_000

const $kept = persistentAtom<KeptCurrency | undefined>(CURRENCY_KEY, undefined, {
  encode: kept => (kept ? JSON.stringify(kept) : undefined),
  decode: decodeCurrency,
})

/** The currency that prices are shown in: the customer's with its rate, US dollars for visitors. Follows other tabs. */
export const $currency = computed([$customer, $kept], (customer, kept): Currency =>
  customer && kept?.customerId === customer.id ? { currency: kept.currency, rate: kept.rate } : DOLLARS,
)

/** Loads the customer's currency and rate, unless they are fresh. Failures are ignored. */
export async function loadCurrency(): Promise<void> {
  const customer = $customer.get()
  if (!customer) return $kept.set(undefined)
  const kept = $kept.get()
  if (kept?.customerId === customer.id && isFresh(kept)) return
  try {
    const { currency } = await client.api.getAccount({})
    if ($customer.get() === customer) await showCurrency(currency)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Also false for a time in the future, stored while the clock was ahead. */
function isFresh({ askedAt }: KeptCurrency): boolean {
  return Math.abs(Date.now() - askedAt) < FRESH_MS
}

/** Shows prices in the given currency, in this tab and others; in dollars if its rate is unknown. */
export async function showCurrency(code: string): Promise<void> {
  const customer = $customer.get()
  const rate = await rateOf(code)
  // Another customer may have signed in meanwhile.
  if (!customer || $customer.get() !== customer) return
  const customerId = customer.id
  $kept.set(rate ? { currency: code, rate, customerId, askedAt: Date.now() } : { ...DOLLARS, customerId, askedAt: 0 })
}

async function rateOf(code: string): Promise<number | undefined> {
  if (code === DOLLARS.currency) return DOLLARS.rate
  const { currency, rate } = $currency.get()
  const lastKnown = currency === code ? rate : undefined
  try {
    const { rates } = await client.api.getRates({})
    return rates[code] ?? lastKnown
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return lastKnown
  }
}
