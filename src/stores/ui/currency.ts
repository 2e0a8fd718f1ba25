import { persistentAtom } from '@nanostores/persistent'
import { computed } from 'nanostores'
import type { Account } from '#contract/account.ts'
import { ApiError } from '#lib/api.ts'
import { CURRENCY_KEY, type StoredCurrency, readCurrency, VISITOR_CURRENCY_KEY } from '#lib/currency.ts'
import { type Currency, DOLLARS } from '#lib/format.ts'
import { client } from '../page-client.ts'
import { $customer } from '../accounts/session.ts'

/** Maximum delay until a currency changed on another device shows here. */
const FRESH_MS = 5 * 60_000

const $stored = atomOf(CURRENCY_KEY)
const $visitors = atomOf(VISITOR_CURRENCY_KEY)

/**
 * The currency in which prices are shown: the customer's with its rate, or the visitor's choice. Follows other tabs.
 */
export const $currency = computed([$customer, $stored, $visitors], (customer, stored, visitors): Currency => {
  const shown = customer ? stored : visitors
  return shown && shown.customerId === customer?.id ? { currency: shown.currency, rate: shown.rate } : DOLLARS
})

type Settings = Pick<Account, 'currency' | 'country' | 'shippingDetails'>

/** Loads the customer's currency, rate and country, unless they are fresh. Failures are ignored. */
export async function loadCurrency(): Promise<void> {
  const customer = $customer.get()
  if (!customer) return $stored.set(undefined)
  const stored = $stored.get()
  if (stored?.customerId === customer.id && isFresh(stored)) return
  try {
    const account = await client.api.getAccount({})
    if ($customer.get() === customer) await showCurrency(account)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** False for a time in the future, too: it was stored while the clock was ahead. */
function isFresh({ asOf = 0 }: StoredCurrency): boolean {
  return Math.abs(Date.now() - asOf) < FRESH_MS
}

/** Shows prices in an account's currency, in this tab and others; in dollars if its rate is unknown. */
export async function showCurrency({ currency, country, shippingDetails }: Settings): Promise<void> {
  const customer = $customer.get()
  const rate = await rateOf(currency)
  // A different customer may have signed in since.
  if (!customer || $customer.get() !== customer) return
  const shown = rate ? { currency, rate, asOf: Date.now() } : DOLLARS
  $stored.set({ ...shown, customerId: customer.id, country: shippingDetails.country || country })
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

function atomOf(key: string) {
  return persistentAtom<StoredCurrency | undefined>(key, undefined, {
    encode: stored => (stored ? JSON.stringify(stored) : undefined),
    decode: readCurrency,
  })
}
