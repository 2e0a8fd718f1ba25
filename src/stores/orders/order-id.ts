import { persistentAtom } from '@nanostores/persistent'
import { ORDER_ID } from '#lib/orders/orders.ts'

/** The order that is being paid on this browser, under the spec's key. */
export const $orderId = persistentAtom<string | undefined>(ORDER_ID)

/** The order waits for its payment on this browser. */
export function rememberOrder(orderId: string): void {
  $orderId.set(orderId)
}

/** The order is paid or over; another one that is being paid stays. */
export function forgetOrder(orderId: string): void {
  if ($orderId.get() === orderId) $orderId.set(undefined)
}
