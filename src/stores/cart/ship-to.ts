import { atom, computed } from 'nanostores'
import { dropFromTab, storeInTab, readFromTab, SHIP_TO } from '#lib/session-storage.ts'
import { VISITOR_CURRENCY_KEY } from '#lib/currency.ts'
import { readVisitorCurrency } from '#lib/visitor-currency.ts'
import { $customer } from '../accounts/session.ts'
import { $destination } from '../catalogue/destination.ts'
import { startInBrowser } from '../start.ts'

/** The country that the customer has chosen in this tab. */
const $chosen = atom<string | undefined>(undefined)

/** The country stored in this browser before the login, possibly a guess; '' if unknown. */
export const $visitorCountry = atom('')

/**
 * The country for which the cart shows shipping: the chosen one, else the account's, else the visitor's. '' if unknown,
 * undefined until the account has loaded.
 */
export const $shipTo = computed([$chosen, $destination, $visitorCountry], (chosen, saved, visitors) =>
  chosen === undefined && saved !== undefined ? saved || visitors : chosen,
)

/** The customer's saved country, else this browser's from before the login, possibly a guess; '' if unknown. */
export function countryOrGuess(saved: string | null): string {
  return saved || visitorCountry()
}

function visitorCountry(): string {
  return readVisitorCurrency()?.country ?? ''
}

/** The country that the customer has chosen in this tab, also on an earlier page. */
export function readShipTo(): string | undefined {
  const { country, customerId } = (readFromTab(SHIP_TO) ?? {}) as { country?: unknown; customerId?: unknown }
  // Another customer may have signed in since, after a session that ended without a logout.
  return typeof country === 'string' && customerId === $customer.get()?.id ? country : undefined
}

/** Shows shipping to another country in this tab. Does not change the account. */
export function shipTo(country: string): void {
  $chosen.set(country || undefined)
  if (country) storeInTab(SHIP_TO, { country, customerId: $customer.get()?.id })
  else dropFromTab(SHIP_TO)
}

startInBrowser($chosen, () => [$customer.subscribe(() => $chosen.set(readShipTo()))])

startInBrowser($visitorCountry, () => {
  const stop = new AbortController()
  const update = () => $visitorCountry.set(visitorCountry())
  update()
  // On a device without one, src/scripts/shopper.ts guesses it at the first activity on the page.
  addEventListener('storage', ({ key }) => key === VISITOR_CURRENCY_KEY && update(), { signal: stop.signal })
  return [() => stop.abort()]
})
