import { followCurrency } from './prices.ts'
import { showCounts } from './header-counts.ts'

/** What a customer sees on any page of the shop: counts, saved products and prices in their currency. */
export function followCustomer(): void {
  showCounts()
  followCurrency()
}
