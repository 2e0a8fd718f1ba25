import { sendLeftMessages } from '#lib/chat/unsent-messages.ts'
import { followCurrency } from '../prices.ts'
import { showCounts } from '../header-counts.ts'

/** What a customer sees on any page of the shop: counts, saved products and prices in their currency; and what they wrote goes out. */
export function followCustomer(): void {
  showCounts()
  followCurrency()
  sendLeftMessages(() => void import('#stores/chat/outbox.ts').then(({ sendWaiting }) => sendWaiting()))
}
