import { atom, computed } from 'nanostores'
import { dropFromTab, storeInTab, readFromTab, SHIP_TO } from '#lib/session-storage.ts'
import { readVisitorCurrency } from '#lib/visitor-currency.ts'
import { $customer } from '../accounts/session.ts'
import { $destination } from '../catalogue/destination.ts'
import { startInBrowser } from '../start.ts'

/** The country that the customer has chosen in this tab. */
const $chosen = atom<string | undefined>(undefined)

/**
 * The country for which the cart shows shipping: the chosen one, else `$destination`, else what is known from before
 * the login, possibly only a guess. '' if unknown, undefined until the account has loaded.
 */
export const $shipTo = computed([$chosen, $destination], (chosen, saved) => {
  if (chosen !== undefined || saved === undefined) return chosen
  return saved || (readVisitorCurrency()?.country ?? '')
})

/** Shows shipping to another country in this tab. Does not change the account. */
export function shipTo(country: string): void {
  $chosen.set(country || undefined)
  if (country) storeInTab(SHIP_TO, { country })
  else dropFromTab(SHIP_TO)
}

startInBrowser($chosen, () => [
  $customer.subscribe(() => {
    const { country } = (readFromTab(SHIP_TO) ?? {}) as { country?: unknown }
    $chosen.set(typeof country === 'string' ? country : undefined)
  }),
])
