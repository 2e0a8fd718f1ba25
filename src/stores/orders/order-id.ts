import { persistentAtom } from '@nanostores/persistent'

/** The order that is being paid in this browser. */
export const $orderId = persistentAtom<string | undefined>('orderId')
