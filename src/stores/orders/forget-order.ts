import { CHECKOUT_ORDER, dropFromTab } from '#lib/session-storage.ts'
import { $orderId } from './order-id.ts'

/**
 * Forgets a paid or cancelled order, unless another one is stored by then, and an unanswered order: it may be this one,
 * and its checkout must not lead back to it. Not in `order-id.ts`, which every page loads.
 */
export function forgetOrder(orderId: string): void {
  dropFromTab(CHECKOUT_ORDER)
  if ($orderId.get() === orderId) $orderId.set(undefined)
}
