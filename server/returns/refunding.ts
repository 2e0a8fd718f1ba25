import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { refundOf } from '#contract/returns.ts'
import type { Tx } from '../db/types.ts'
import { orderLines, orders, returnLines, returns, sellerOrders } from '../db/schema.ts'
import type { Order } from '../orders/attempt-rows.ts'
import { cancelLockedOrder, requestRefunds } from '../orders/cancelling.ts'
import { nextStatus } from '../orders/delivery-states.ts'
import { countUnits, readParts, unsentUnits } from '../orders/parts.ts'
import { recordStep } from '../orders/steps.ts'
import { restockLines } from '../orders/stock.ts'
import { requestPartRefund } from '../payments/part-refunds.ts'
import { recordAudit } from '../platform/audit.ts'
import type { SendJob } from '../platform/jobs.ts'
import { sumBy } from '../platform/sum.ts'
import { REFUNDED } from './transitions.ts'

export type StoredReturn = typeof returns.$inferSelect

interface Refunded {
  refundId: string | null
  refundCents: number
}

/**
 * Requests the refund of a cancellation or return and returns its units to stock if `isRestocked`. The caller has
 * locked the order. Shipping is refunded with the last lines of a seller's part, except for returns to a shop that does
 * not refund it. Every shop refunds the shipping of a part that was never sent.
 */
export async function refundReturn(
  tx: Tx,
  sendJob: SendJob,
  { order, stored, isRestocked }: { order: Order; stored: StoredReturn; isRestocked: boolean },
): Promise<Refunded> {
  const { id, kind, sellerOrderId } = stored
  const [part] = await tx.select().from(sellerOrders).where(eq(sellerOrders.id, sellerOrderId))
  const lines = await tx.select().from(orderLines).where(eq(orderLines.sellerOrderId, sellerOrderId))
  const units = await readUnits(tx, eq(returns.id, id))
  const refunded = await readUnits(
    tx,
    and(eq(returns.sellerOrderId, sellerOrderId), ne(returns.id, id), inArray(returns.status, REFUNDED)),
  )
  const isShippingRefunded = kind === 'cancellation' || part!.refundsShipping
  const shippingCents = isShippingRefunded ? sumBy(lines, line => line.shippingCents) : 0
  const refund = refundOf(lines, units, { refunded, shippingCents })
  const refundCents = refund.itemsCents + refund.shippingCents
  if (isRestocked) {
    const restocked = [...units].map(([lineId, quantity]) => ({ id: lineId, quantity }))
    await restockLines(tx, restocked)
  }
  const refundId = await requestPartRefund(tx, sendJob, order, refundCents, { isForReturn: true })
  if (kind === 'cancellation') await endWithoutRest(tx, sendJob, order.id, sellerOrderId)
  return { refundId, refundCents }
}

/** Units of these returns, by the id of their line. */
async function readUnits(tx: Tx, condition: SQL | undefined): Promise<Map<string, number>> {
  const rows = await tx
    .select({ lineId: returnLines.lineId, quantity: sql<number>`sum(${returnLines.quantity})::int` })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .where(condition)
    .groupBy(returnLines.lineId)
  return new Map(rows.map(({ lineId, quantity }) => [lineId, quantity]))
}

/**
 * Ends a seller's part of which nothing is left to send: it is cancelled, or the parcels that were sent are all of it.
 * Cancels the order when all of its parts are.
 */
async function endWithoutRest(tx: Tx, sendJob: SendJob, orderId: string, sellerOrderId: string): Promise<void> {
  const part = (await readParts(tx, orderId)).find(({ id }) => id === sellerOrderId)!
  if (unsentUnits(part).size > 0) return
  const deliveryStatus = nextStatus(part.deliveryStatus, 'cancel', countUnits(part))
  const isDelivered = deliveryStatus === 'Delivered'
  await tx
    .update(sellerOrders)
    .set({ deliveryStatus, ...(isDelivered && { deliveredAt: new Date() }) })
    .where(eq(sellerOrders.id, sellerOrderId))
  // The customer has been told of each parcel.
  if (isDelivered) await recordStep(tx, orderId, { kind: 'delivered', sellerOrderId }, { isTold: false })
  if (deliveryStatus !== 'Cancelled') return
  const isOther = sql`${sellerOrders.deliveryStatus} <> 'Cancelled'`
  if ((await tx.$count(sellerOrders, and(eq(sellerOrders.orderId, orderId), isOther))) > 0) return
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId))
  // A free order has no payment whose refund could complete it.
  await requestRefunds(tx, sendJob, order!)
  await cancelLockedOrder(tx, sendJob, order!, 'customer')
  await recordAudit(tx, { event: 'order_cancelled', outcome: 'ok', details: { orderId, by: 'customer' } })
}
