import { client } from '../client.ts'
import { notifyOtherTabs } from '../cross-tab-sync.ts'
import { loadReturns } from '../returns/returns.ts'
import { showOutcome } from '../ui/outcome.ts'
import { forgetOrder } from './forget-order.ts'
import { loadOrder } from './orders.ts'

/** Cancels an unpaid order and shows the outcome in a toast. */
export async function cancelOrder(orderId: string): Promise<void> {
  if (await showOutcome(() => client.api.cancelOrder({ orderId }))) forgetOrder(orderId)
  notifyOtherTabs('orders')
  await loadOrder(orderId)
}

/** Reports that a parcel of the displayed order has arrived. Returns whether it succeeded; a toast says it, too. */
export async function receiveParcel(parcelId: string): Promise<boolean> {
  const isReceived = await showOutcome(() => client.api.receiveParcel({ parcelId }))
  notifyOtherTabs('orders')
  await Promise.all([loadOrder(), loadReturns()])
  return isReceived
}
