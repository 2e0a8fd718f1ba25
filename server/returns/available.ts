import { and, eq, inArray, ne, notInArray, or, sql } from 'drizzle-orm'
import { type AvailablePart, type LineUnits, refundOf } from '#contract/returns.ts'
import { DAY_MS, endOfDay, RETURN_DAYS } from '#contract/rules.ts'
import { nameWithoutSku } from '#contract/variants.ts'
import type { Db, Tx } from '../db/types.ts'
import { type orders, orderSteps, returnLines, returns, sellerOrders } from '../db/schema.ts'
import { sumBy } from '../platform/sum.ts'
import { readLeft } from '../payments/part-refunds.ts'
import { cancelledUnits, type OrderPart, readParts, unitsSent } from '../orders/parts.ts'
import { ENDED_WITHOUT_REFUND, REFUNDED } from './transitions.ts'

type Order = typeof orders.$inferSelect

/** What the customer of an order can cancel or return now, by seller's part. */
export async function readAvailable(db: Db | Tx, order: Order): Promise<AvailablePart[]> {
  if (order.status !== 'placed') return []
  const parts = await readParts(db, order.id)
  const taken = await readTaken(db, order.id)
  const deliveredAt = await readDelivered(db, order.id)
  const leftCents = await readLeft(db, order)
  return parts.flatMap((part): AvailablePart[] => {
    const available = availableOf(part, { ...taken, deliveredAt: deliveredAt.get(part.id) })
    if (!available) return []
    if (order.paymentStatus === 'paid') return [{ ...available, leftCents }]
    // Of a refunded order, only free products are left, which may still be on their way.
    const lines = available.lines.filter(({ unitCents }) => unitCents === 0)
    return lines.length > 0 ? [{ ...available, shippingCents: undefined, lines }] : []
  })
}

/** Units of each line that are part of a cancellation, and of a return, and those of them that were refunded. */
interface Taken {
  cancelled: LineUnits
  returned: LineUnits
  refunded: LineUnits
}

/** What can be cancelled or returned of a seller's part of a paid order; null if nothing. */
export function availableOf(
  part: OrderPart,
  { cancelled, returned, refunded, deliveredAt }: Taken & { deliveredAt: Date | undefined },
): AvailablePart | null {
  const action = actionFor(part, deliveredAt)
  if (!action) return null
  // Also counts units that a refund of the whole order has cancelled.
  const cancelledUnsent = cancelledUnits(part)
  const lines = part.lines.flatMap(({ id: lineId, snapshot, unitCents, ...line }) => {
    const kept = line.quantity - Math.max(cancelled.get(lineId) ?? 0, cancelledUnsent.get(lineId) ?? 0)
    const gone = action.kind === 'return' ? (returned.get(lineId) ?? 0) : unitsSent(part.parcels, lineId)
    const quantity = kept - gone
    const name = snapshot ? nameWithoutSku(snapshot) : 'Product'
    return quantity > 0 ? [{ lineId, name, quantity, unitCents }] : []
  })
  if (lines.length === 0) return null
  const units = new Map(lines.map(({ lineId, quantity }) => [lineId, quantity]))
  const paidCents = action.isShippingRefunded ? sumBy(part.lines, line => line.shippingCents) : 0
  const { shippingCents } = refundOf(part.lines, units, { refunded, shippingCents: paidCents })
  return {
    sellerOrderId: part.id,
    shopName: part.shopName,
    ...action,
    shippingCents: shippingCents || undefined,
    lines,
  }
}

function actionFor(
  { deliveryStatus, packedAt, parcels, refundsShipping }: OrderPart,
  deliveredAt: Date | undefined,
): Pick<AvailablePart, 'kind' | 'isImmediate' | 'isShippingRefunded' | 'until'> | null {
  if (deliveryStatus === 'Processing') {
    const isUnsent = parcels.length === 0
    return { kind: 'cancellation', isImmediate: isUnsent && packedAt === null, isShippingRefunded: isUnsent }
  }
  if (deliveryStatus !== 'Delivered' || !deliveredAt) return null
  const until = endOfDay(deliveredAt.getTime() + RETURN_DAYS * DAY_MS)
  if (until <= Date.now()) return null
  return {
    kind: 'return',
    isImmediate: false,
    isShippingRefunded: refundsShipping,
    until: new Date(until).toISOString(),
  }
}

/**
 * Units of each line that are part of a cancellation or return. Once a part is delivered, its pending and declined
 * cancellations no longer count, so that those units can be returned.
 */
async function readTaken(db: Db | Tx, orderId: string): Promise<Taken> {
  const canTake = or(
    eq(returns.kind, 'return'),
    inArray(returns.status, REFUNDED),
    ne(sellerOrders.deliveryStatus, 'Delivered'),
  )
  const rows = await db
    .select({
      kind: returns.kind,
      status: returns.status,
      lineId: returnLines.lineId,
      quantity: sql<number>`sum(${returnLines.quantity})::int`,
    })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .where(and(eq(returns.orderId, orderId), notInArray(returns.status, ENDED_WITHOUT_REFUND), canTake))
    .groupBy(returns.kind, returns.status, returnLines.lineId)
  const unitsOf = (isCounted: (row: (typeof rows)[number]) => boolean) => {
    const units = new Map<string, number>()
    for (const { lineId, quantity } of rows.filter(isCounted)) units.set(lineId, (units.get(lineId) ?? 0) + quantity)
    return units
  }
  return {
    cancelled: unitsOf(({ kind }) => kind === 'cancellation'),
    returned: unitsOf(({ kind }) => kind === 'return'),
    refunded: unitsOf(({ status }) => REFUNDED.includes(status)),
  }
}

/** When the last parcel of each part arrived, by the part's id. */
async function readDelivered(db: Db | Tx, orderId: string): Promise<Map<string, Date>> {
  const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId)).orderBy(orderSteps.id)
  return new Map(
    steps.flatMap(({ step, at }) => (step.kind === 'delivered' ? [[step.sellerOrderId, at] as const] : [])),
  )
}
