import { atom } from 'nanostores'
import type { Order, OrderStatus, OrderSummary, SellerOrder } from '#contract/orders.ts'
import { events } from '#contract/realtime.ts'
import { client } from '../client.ts'
import { clear, type Load, loadInto } from '../load.ts'
import { keepFresh } from '../cross-tab-sync.ts'
import { $customer } from '../accounts/session.ts'
import { onEvent } from '../socket-events.ts'
import { startInBrowser } from '../start.ts'

export interface Overview {
  orderCount: number
  pendingCount: number
  cancelledCount: number
  recentOrders: OrderSummary[]
}

export interface OrderView {
  order: Order
  sellerOrders: SellerOrder[]
}

/** Order counts and the newest orders. */
export const $overview = atom<Load<Overview>>({ state: 'loading' })
/** The orders with the last requested status, newest first. */
export const $orders = atom<Load<OrderSummary[]>>({ state: 'loading' })
/** The last opened order, with its sellers' parts. */
export const $order = atom<Load<OrderView>>({ state: 'loading' })

let status: OrderStatus | 'all' = 'all'
let openedId: string | undefined

/** Loads the counts and the newest orders. Failures are shown through `$overview`. */
export async function loadOverview(): Promise<void> {
  const userId = $customer.get()?.id
  if (userId) await loadInto($overview, () => client.api.getDashboard({ userId }))
}

/** Loads the orders with a status; by default, reloads those that are shown. */
export async function loadOrders(asked = status): Promise<void> {
  const userId = $customer.get()?.id
  if (!userId) return
  if (asked !== status) clear($orders)
  status = asked
  await loadInto($orders, async () => (await client.api.getOrders({ userId, status: asked })).orders)
}

/** Loads an order; by default, reloads the one that is shown. */
export async function loadOrder(orderId = openedId): Promise<void> {
  if (!orderId || !$customer.get()) return
  if (orderId !== openedId) clear($order)
  openedId = orderId
  await loadInto($order, () => client.api.getOrder({ orderId }))
}

function follow(load: () => Promise<void>): (() => void)[] {
  return [$customer.listen(() => void load()), keepFresh('orders', () => void load())]
}

startInBrowser($overview, () => {
  void loadOverview()
  return follow(loadOverview)
})
startInBrowser($orders, () => follow(loadOrders))
startInBrowser($order, () => [
  ...follow(loadOrder),
  // The event does not say which order it is about, if any.
  onEvent(events.notification, () => void loadOrder()),
])
