import { persistentAtom } from '@nanostores/persistent'

/** The order that is being paid in this browser. */
export const $orderId = persistentAtom<string | undefined>('orderId')

/** Stores the order as the one to be paid in this browser. */
export function rememberOrder(orderId: string): void {
  $orderId.set(orderId)
}

/** Forgets a paid or cancelled order, unless another one is stored by then. */
export function forgetOrder(orderId: string): void {
  if ($orderId.get() === orderId) $orderId.set(undefined)
}
