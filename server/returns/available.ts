import { and, eq, inArray, ne, notInArray, or, sql } from 'drizzle-orm'
import type { AvailablePart, ReturnKind } from '#contract/returns.ts'
import { DAY_MS, RETURN_DAYS } from '#contract/rules.ts'
import { nameWithoutSku } from '#contract/variants.ts'
import type { Db, Tx } from '../db/types.ts'
import { type orders, orderSteps, returnLines, returns, sellerOrders } from '../db/schema.ts'
import { cancelledUnits, type OrderPart, readParts } from '../orders/parts.ts'
import type { LineUnits } from './sums.ts'
import { ENDED_WITHOUT_REFUND, REFUNDED } from './transitions.ts'

type Order = typeof orders.$inferSelect

/** What the customer of an order can cancel or return now, by seller's part. */
export async function readAvailable(db: Db | Tx, order: Order): Promise<AvailablePart[]> {
  if (order.status !== 'placed') return []
  const parts = await readParts(db, order.id)
  const taken = await readTaken(db, order.id)
  const deliveredAt = await readDelivered(db, order.id)
  return parts.flatMap(part => {
    const available = availableOf(part, { ...taken, deliveredAt: deliveredAt.get(part.id) })
    // Of a refunded order, only free products are left, which may still be on their way.
    const lines = available?.lines.filter(({ unitCents }) => order.paymentStatus === 'paid' || unitCents === 0) ?? []
    return available && lines.length > 0 ? [{ ...available, lines }] : []
  })
}

/** Units of each line that are part of a cancellation, and of a return. */
interface Taken {
  cancelled: LineUnits
  returned: LineUnits
}

/** What can be cancelled or returned of a seller's part of a paid order; null if nothing. */
export function availableOf(
  part: OrderPart,
  { cancelled, returned, deliveredAt }: Taken & { deliveredAt: Date | undefined },
): AvailablePart | null {
  const action = actionFor(part, deliveredAt)
  if (!action) return null
  // Also counts units that a refund of the whole order has cancelled.
  const cancelledUnsent = cancelledUnits(part)
  const lines = part.lines.flatMap(({ id: lineId, snapshot, unitCents, ...line }) => {
    const kept = line.quantity - Math.max(cancelled.get(lineId) ?? 0, cancelledUnsent.get(lineId) ?? 0)
    const quantity = kept - (returned.get(lineId) ?? 0)
    const name = snapshot ? nameWithoutSku(snapshot) : 'Product'
    return quantity > 0 ? [{ lineId, name, quantity, unitCents }] : []
  })
  return lines.length > 0 ? { sellerOrderId: part.id, shopName: part.shopName, ...action, lines } : null
}

function actionFor(
  { deliveryStatus, packedAt, parcels, refundsShipping }: OrderPart,
  deliveredAt: Date | undefined,
): Pick<AvailablePart, 'kind' | 'isImmediate' | 'isShippingRefunded' | 'until'> | null {
  if (deliveryStatus === 'Processing')
    return parcels.length === 0
      ? { kind: 'cancellation', isImmediate: packedAt === null, isShippingRefunded: true }
      : null
  if (deliveryStatus !== 'Delivered' || !deliveredAt) return null
  const until = deliveredAt.getTime() + RETURN_DAYS * DAY_MS
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
      lineId: returnLines.lineId,
      quantity: sql<number>`sum(${returnLines.quantity})::int`,
    })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .where(and(eq(returns.orderId, orderId), notInArray(returns.status, ENDED_WITHOUT_REFUND), canTake))
    .groupBy(returns.kind, returnLines.lineId)
  const unitsOf = (kind: ReturnKind) =>
    new Map(rows.filter(row => row.kind === kind).map(({ lineId, quantity }) => [lineId, quantity]))
  return { cancelled: unitsOf('cancellation'), returned: unitsOf('return') }
}

/** When the last parcel of each part arrived, by the part's id. */
async function readDelivered(db: Db | Tx, orderId: string): Promise<Map<string, Date>> {
  const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId)).orderBy(orderSteps.id)
  return new Map(
    steps.flatMap(({ step, at }) => (step.kind === 'delivered' ? [[step.sellerOrderId, at] as const] : [])),
  )
}
