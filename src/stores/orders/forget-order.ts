import { CHECKOUT_ORDER, dropFromTab } from '#lib/session-storage.ts'
import { $orderId } from './order-id.ts'

/**
 * Forgets a paid or cancelled order, unless another one has been stored since. Also drops this tab's unanswered order
 * request, which may have placed this very order. Not in `order-id.ts`, which every page loads.
 */
export function forgetOrder(orderId: string): void {
  dropFromTab(CHECKOUT_ORDER)
  if ($orderId.get() === orderId) $orderId.set(undefined)
}
