import { showPrices } from '#lib/currency.ts'
import { whenIdle } from '#lib/idle.ts'
import { $currency, loadCurrency } from '#stores/ui/currency.ts'
import { $customer } from '#stores/accounts/session.ts'

/** Shows the page's prices in the customer's currency and follows changes of either, in any tab. */
export function followCurrency(): void {
  $currency.subscribe(showPrices)
  whenIdle(() => $customer.subscribe(() => void loadCurrency()))
}
