import { UNSENT_PREFIX } from '#lib/constants.ts'
import { showPrices } from '#lib/currency.ts'
import { whenIdle } from '#lib/idle.ts'
import { $customer } from '#stores/accounts/session.ts'
import { $currency, loadCurrency } from '#stores/ui/currency.ts'
import { showCounts } from '../header-counts.ts'
import { showUnread } from '../notifications/unread-badge.ts'

// Loaded together with the stores, so that the first click on a card loads nothing more.
export { runIntent } from '../intents.ts'

/**
 * Shows a customer's counts, unread notifications, saved products and currency on any page of the shop, and sends their
 * unsent messages.
 */
export function followCustomer(): void {
  showCounts()
  $currency.subscribe(showPrices)
  whenIdle(showUnread)
  whenIdle(() => $customer.subscribe(() => void loadCurrency()))
  resendMessages(() => {
    // They are still stored if the network is gone again.
    void import('#stores/chat/outbox.ts').then(
      ({ sendWaiting }) => sendWaiting(),
      () => undefined,
    )
  })
}

/** Runs `send` when the page is idle and whenever the network is back, if there are unsent messages. */
export function resendMessages(send: () => void): void {
  const sendIfAny = () => {
    if (Object.keys(localStorage).some(key => key.startsWith(UNSENT_PREFIX))) send()
  }
  whenIdle(sendIfAny)
  addEventListener('online', sendIfAny)
}
