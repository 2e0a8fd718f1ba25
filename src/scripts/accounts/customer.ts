import { sendLeftMessages } from '#lib/chat/unsent-messages.ts'
import { followCurrency } from '../prices.ts'
import { showCounts } from '../header-counts.ts'

/** Shows a customer's counts, saved products and currency on any shop page, and sends their unsent messages. */
export function followCustomer(): void {
  showCounts()
  followCurrency()
  sendLeftMessages(() => void import('#stores/chat/outbox.ts').then(({ sendWaiting }) => sendWaiting()))
}
