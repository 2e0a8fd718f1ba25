import { persistentAtom } from '@nanostores/persistent'

/** The order that is being paid in this browser. */
export const $orderId = persistentAtom<string | undefined>('orderId')

/** Forgets a paid or cancelled order, unless another one is stored by then. */
export function forgetOrder(orderId: string): void {
  if ($orderId.get() === orderId) $orderId.set(undefined)
}
