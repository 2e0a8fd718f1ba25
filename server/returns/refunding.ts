import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'
import { orderLines, orders, returnLines, returns, sellerOrders } from '../db/schema.ts'
import type { Order } from '../orders/attempt-rows.ts'
import { endOrder, requestRefunds } from '../orders/cancelling.ts'
import { restockLines } from '../orders/stock.ts'
import { requestPartRefund } from '../payments/part-refunds.ts'
import type { SendJob } from '../platform/jobs.ts'

export type StoredReturn = typeof returns.$inferSelect

interface Refunded {
  refundId: string | null
  refundCents: number
}

/**
 * Requests the refund of a cancellation or return and returns its units to stock if `isRestocked`. The caller has locked
 * the order. Shipping goes back with the last lines of a seller's part.
 */
export async function refundReturn(
  tx: Tx,
  sendJob: SendJob,
  { order, given, isRestocked }: { order: Order; given: StoredReturn; isRestocked: boolean },
): Promise<Refunded> {
  const lines = await tx
    .select({ id: orderLines.id, quantity: returnLines.quantity, unitCents: orderLines.unitCents })
    .from(returnLines)
    .innerJoin(orderLines, eq(orderLines.id, returnLines.lineId))
    .where(eq(returnLines.returnId, given.id))
  const itemsCents = lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0)
  const refundCents = itemsCents + (await readShippingBack(tx, given))
  if (isRestocked) await restockLines(tx, lines)
  const refundId = await requestPartRefund(tx, sendJob, order, refundCents)
  if (given.kind === 'cancellation') await cancelEmpty(tx, sendJob, order.id, given.sellerOrderId)
  return { refundId, refundCents }
}

/**
 * Shipping of the part if nothing of it stays with the customer; 0 otherwise, and for returns to a shop that did not
 * promise to refund shipping. What was never sent is refunded with its shipping by every shop.
 */
async function readShippingBack(tx: Tx, { id, kind, sellerOrderId }: StoredReturn): Promise<number> {
  const isRefunded = and(eq(sellerOrders.id, sellerOrderId), eq(sellerOrders.refundsShipping, true))
  if (kind === 'return' && (await tx.$count(sellerOrders, isRefunded)) === 0) return 0
  const lines = await tx.select().from(orderLines).where(eq(orderLines.sellerOrderId, sellerOrderId))
  const isGone = or(eq(returns.id, id), inArray(returns.status, ['received', 'refunded']))
  const gone = await tx
    .select({ lineId: returnLines.lineId, quantity: returnLines.quantity })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .where(and(eq(returns.sellerOrderId, sellerOrderId), isGone))
  const goneOf = (lineId: string) => gone.reduce((sum, each) => sum + (each.lineId === lineId ? each.quantity : 0), 0)
  const isAllGone = lines.every(line => goneOf(line.id) === line.quantity)
  return isAllGone ? lines.reduce((sum, { shippingCents }) => sum + shippingCents, 0) : 0
}

/** Cancels a part of which every unit is cancelled, and the order when all of its parts are. */
async function cancelEmpty(tx: Tx, sendJob: SendJob, orderId: string, sellerOrderId: string): Promise<void> {
  const isLeft = sql`${orderLines.restocked} < ${orderLines.quantity}`
  if ((await tx.$count(orderLines, and(eq(orderLines.sellerOrderId, sellerOrderId), isLeft))) > 0) return
  await tx.update(sellerOrders).set({ deliveryStatus: 'Cancelled' }).where(eq(sellerOrders.id, sellerOrderId))
  const isOther = sql`${sellerOrders.deliveryStatus} <> 'Cancelled'`
  if ((await tx.$count(sellerOrders, and(eq(sellerOrders.orderId, orderId), isOther))) > 0) return
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId))
  // A free order has no payment whose refund could complete it.
  await requestRefunds(tx, sendJob, order!)
  await endOrder(tx, sendJob, order!, 'customer')
}
