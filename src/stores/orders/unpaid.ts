import { atom } from 'nanostores'
import type { UnpaidOrder } from '#contract/unpaid-orders.ts'
import { client } from '../client.ts'
import { keepFresh, tellOtherTabs } from '../cross-tab-sync.ts'
import { customerData } from '../customer-data.ts'
import { $customer } from '../accounts/session.ts'
import { reloadCart } from '../cart/cart.ts'
import { startInBrowser } from '../start.ts'
import { toast } from '../ui/toasts.ts'
import { forgetOrder } from './order-id.ts'

/** `payUntil` is in milliseconds of this browser's clock. */
export interface WaitingOrder extends UnpaidOrder {
  payUntil: number
}

export type UnpaidOrdersLoad =
  { state: 'loading' } | { state: 'ready'; orders: WaitingOrder[] } | { state: 'failed'; message: string }

/** The customer's unpaid orders. `failed` with providers that do not list them. */
export const $unpaidOrders = atom<UnpaidOrdersLoad>({ state: 'loading' })

const data = customerData({
  topic: 'orders',
  $store: $unpaidOrders,
  fetch: userId => client.api.getUnpaidOrders({ userId }),
  show({ orders }) {
    const now = Date.now()
    const waiting = orders.map(order => ({ ...order, payUntil: now + order.secondsLeft * 1000 }))
    $unpaidOrders.set({ state: 'ready', orders: waiting })
  },
  reset: () => $unpaidOrders.set({ state: 'loading' }),
})

/** Cancels the order and puts its products back into the cart. A toast shows the outcome. */
export async function putBackOrder(orderId: string): Promise<void> {
  await data.change(async () => {
    const { message } = await client.api.putBackOrder({ orderId })
    forgetOrder(orderId)
    toast('success', message)
  })
  tellOtherTabs('cart')
  reloadCart()
}

startInBrowser($unpaidOrders, () => [$customer.subscribe(() => void data.load()), keepFresh('orders', data.reload)])
