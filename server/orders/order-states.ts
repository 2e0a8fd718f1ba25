import type { OrderStatus } from '#contract/orders.ts'
import type { orders } from '../db/schema.ts'
import type { CancelledBy } from '../db/schema/steps.ts'

/**
 * What changes an order's status: its payment, or a cancellation by the customer, the operator or the end of its hold.
 */
export type OrderEvent = 'pay' | CancelledBy

type StockState = (typeof orders.$inferSelect)['stockState']

/** The next status by status and event. An event that is missing cannot happen in that status. */
export const ORDER_TRANSITIONS: Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>> = {
  pending: { pay: 'placed', customer: 'cancelled', time: 'cancelled', operator: 'cancelled' },
  // `customer`: every unit was cancelled.
  placed: { customer: 'cancelled', operator: 'cancelled' },
  // The payment arrived after the end of the hold, and the units were still in stock.
  cancelled: { pay: 'placed' },
}

/** Where the units of an order are in each status. */
export const STOCK_STATES: Record<OrderStatus, StockState> = {
  pending: 'held',
  placed: 'sold',
  cancelled: 'released',
}

/**
 * An order's status after an event, and where its units are then. Throws an Error for a transition that is not listed.
 */
export function orderAfter(from: OrderStatus, event: OrderEvent): { status: OrderStatus; stockState: StockState } {
  const status = ORDER_TRANSITIONS[from][event]
  if (!status) throw new Error(`an order that is ${from} does not change by ${event}`)
  return { status, stockState: STOCK_STATES[status] }
}
