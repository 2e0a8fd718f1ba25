import type { UnpaidOrder } from '#contract/unpaid-orders.ts'
import { ApiError } from '#lib/api.ts'
import { reloadCart } from '../cart/cart.ts'
import { client } from '../client.ts'
import { keepFresh, notifyOtherTabs } from '../cross-tab-sync.ts'
import { customerStore } from '../customer-store.ts'
import { toast } from '../ui/toasts.ts'
import { forgetOrder } from './forget-order.ts'

/** `payUntil` is in milliseconds of this browser's clock. */
export interface WaitingOrder extends UnpaidOrder {
  payUntil: number
}

const data = customerStore('orders', fetchUnpaid, keepFresh)

/** The customer's unpaid orders; none with providers that do not list them. */
export const $unpaidOrders = data.$store

/** Loads them. Returns false on failure. */
export const loadUnpaidOrders = data.load

async function fetchUnpaid(userId: string): Promise<WaitingOrder[]> {
  const { orders } = await client.api.getUnpaidOrders({ userId }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return { orders: [] }
    throw error
  })
  const now = Date.now()
  return orders.map(order => ({ ...order, payUntil: now + order.secondsLeft * 1000 }))
}

/** Cancels the order and puts its products back into the cart. Returns whether it could; a toast shows the outcome. */
export async function putBackOrder(orderId: string): Promise<boolean> {
  const isAccepted = await data.change(async () => {
    const { message } = await client.api.putBackOrder({ orderId })
    forgetOrder(orderId)
    toast('success', message)
  })
  notifyOtherTabs('cart')
  reloadCart()
  return isAccepted
}
