import { and, eq, inArray, lt } from 'drizzle-orm'
import { ASSUMED_ARRIVAL_DAYS, daysAfter } from '#contract/delivery.ts'
import type { ArrivalReporter } from '#contract/parcels.ts'
import type { Db, Tx } from '../db/types.ts'
import { orders, parcels, sellerOrders } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { NotFoundError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { lockOrder } from './attempt-rows.ts'
import { nextStatus } from './delivery-states.ts'
import { countUnits, type OrderPart, readParts, type StoredParcel } from './parts.ts'
import { recordStep } from './steps.ts'
import { countDone } from '../platform/run-all.ts'

/** Marks parcels of a part as arrived. The caller has locked the order; the parcels are not arrived yet. */
export async function arrive(
  tx: Tx,
  part: OrderPart,
  arrived: StoredParcel[],
  reportedBy: ArrivalReporter,
): Promise<void> {
  const ids = arrived.map(({ id }) => id)
  const arrivedAt = new Date()
  await tx.update(parcels).set({ status: 'arrived', arrivedAt, reportedBy }).where(inArray(parcels.id, ids))
  const after = part.parcels.map(parcel =>
    ids.includes(parcel.id) ? { ...parcel, status: 'arrived' as const } : parcel,
  )
  const status = nextStatus(part.deliveryStatus, 'arrive', countUnits({ ...part, parcels: after }))
  const isAll = status === 'Delivered'
  await tx
    .update(sellerOrders)
    .set({ deliveryStatus: status, ...(isAll && { deliveredAt: arrivedAt }) })
    .where(eq(sellerOrders.id, part.id))
  if (isAll) await recordStep(tx, part.orderId, { kind: 'delivered', sellerOrderId: part.id })
  else for (const parcelId of ids) await recordStep(tx, part.orderId, { kind: 'parcel_arrived', parcelId })
}

/**
 * Marks a parcel as arrived for its customer; does nothing if it has arrived. Throws a `NotFoundError` for an unknown
 * parcel or another customer's.
 */
export async function receiveParcel(db: Db, userId: string, parcelId: string): Promise<void> {
  const orderId = await orderOf(db, parcelId, userId)
  await transact(db, async tx => {
    if (!(await reportArrival(tx, orderId, parcelId, 'customer'))) return
    await recordAudit(tx, { event: 'parcel_received', outcome: 'ok', actorId: userId, details: { orderId, parcelId } })
  })
}

/**
 * Marks the parcels as arrived that were expected two weeks before `now`, except those of refunded orders, which may be
 * lost; returns how many. A failure does not stop the rest; all errors are thrown together at the end.
 */
export async function assumeArrivals(db: Db, now = Date.now()): Promise<number> {
  const before = new Date(daysAfter(now, -ASSUMED_ARRIVAL_DAYS))
  const overdue = await db
    .select({ id: parcels.id, orderId: sellerOrders.orderId })
    .from(parcels)
    .innerJoin(sellerOrders, eq(sellerOrders.id, parcels.sellerOrderId))
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .where(and(eq(parcels.status, 'sent'), lt(parcels.expectedAt, before), eq(orders.paymentStatus, 'paid')))
    .orderBy(parcels.expectedAt)
  return countDone(overdue, ({ id, orderId }) => transact(db, tx => reportArrival(tx, orderId, id, 'time')))
}

async function orderOf(db: Db, parcelId: string, userId: string): Promise<string> {
  const [found] = await db
    .select({ orderId: orders.id })
    .from(parcels)
    .innerJoin(sellerOrders, eq(sellerOrders.id, parcels.sellerOrderId))
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .where(and(eq(parcels.id, parcelId), eq(orders.userId, userId)))
  if (!found) throw new NotFoundError('There is no such parcel')
  return found.orderId
}

/** Locks the order and marks one of its parcels as arrived; false if it has arrived already. */
async function reportArrival(tx: Tx, orderId: string, parcelId: string, by: ArrivalReporter): Promise<boolean> {
  await lockOrder(tx, orderId)
  for (const part of await readParts(tx, orderId)) {
    const sent = part.parcels.filter(({ id, status }) => id === parcelId && status === 'sent')
    if (sent.length === 0) continue
    await arrive(tx, part, sent, by)
    return true
  }
  return false
}
