import { atom } from 'nanostores'
import type { Receipt } from '#contract/receipts.ts'
import { client } from '../client.ts'
import { keepFresh } from '../cross-tab-sync.ts'
import { type Load, loadInto } from '../load.ts'
import { $customer } from '../accounts/session.ts'
import { startInBrowser } from '../start.ts'

/** The last opened receipt. */
export const $receipt = atom<Load<Receipt>>({ state: 'loading' })

let openedId: string | undefined

/** Loads the receipt of an order; by default, reloads the one that is shown. */
export async function loadReceipt(orderId = openedId): Promise<void> {
  if (!orderId || !$customer.get()) return
  openedId = orderId
  await loadInto($receipt, () => client.api.getReceipt({ orderId }))
}

startInBrowser($receipt, () => [
  $customer.listen(() => void loadReceipt()),
  keepFresh('orders', () => void loadReceipt()),
])
