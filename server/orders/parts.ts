import { asc, eq } from 'drizzle-orm'
import { isAnyOf, prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { orderLines, parcelLines, parcels, sellerOrders, sellers } from '../db/schema.ts'
import { sumBy } from '../platform/sum.ts'
import type { UnitCounts } from './delivery-states.ts'

type Line = typeof orderLines.$inferSelect

/** A parcel with the units in it, by the id of their order line. */
export type StoredParcel = typeof parcels.$inferSelect & { units: Map<string, number> }

/** The part of an order that one seller delivers. */
export type OrderPart = typeof sellerOrders.$inferSelect & { lines: Line[]; parcels: StoredParcel[] }

const partsOfOrders = prepared(db =>
  db
    .select({ part: sellerOrders, line: orderLines })
    .from(sellerOrders)
    .innerJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
    .where(isAnyOf(sellerOrders.orderId, 'orderIds'))
    .orderBy(sellerOrders.id, orderLines.id)
    .prepare('parts_of_orders'),
)

const parcelsOfParts = prepared(db =>
  db
    .select({ parcel: parcels, content: parcelLines })
    .from(parcels)
    .innerJoin(parcelLines, eq(parcelLines.parcelId, parcels.id))
    .where(isAnyOf(parcels.sellerOrderId, 'sellerOrderIds'))
    .orderBy(asc(parcels.sellerOrderId), asc(parcels.number), asc(parcelLines.orderLineId))
    .prepare('parcels_of_parts'),
)

/** The sellers' parts of an order: parts and lines in the sequence in which they were ordered, parcels as sent. */
export function readParts(db: Db | Tx, orderId: string): Promise<OrderPart[]> {
  return readPartsOf(db, [orderId])
}

/** Like `readParts`, for several orders. */
export async function readPartsOf(db: Db | Tx, orderIds: string[]): Promise<OrderPart[]> {
  const rows = await partsOfOrders(db).execute({ orderIds })
  const byPart = Map.groupBy(rows, ({ part }) => part.id)
  const parcelsByPart = await readParcels(db, [...byPart.keys()])
  return [...byPart].map(([id, own]) => ({
    ...own[0]!.part,
    lines: own.map(({ line }) => line),
    parcels: parcelsByPart.get(id) ?? [],
  }))
}

/** Whether the shop of a seller's part has not been removed. */
export async function hasShop(db: Db | Tx, sellerOrderId: string): Promise<boolean> {
  const [shop] = await db
    .select({ id: sellers.id })
    .from(sellers)
    .innerJoin(sellerOrders, eq(sellerOrders.sellerId, sellers.id))
    .where(eq(sellerOrders.id, sellerOrderId))
  return shop !== undefined
}

/** The parcels of sellers' parts, by the part's id. */
export async function readParcels(db: Db | Tx, sellerOrderIds: string[]): Promise<Map<string, StoredParcel[]>> {
  if (sellerOrderIds.length === 0) return new Map()
  const rows = await parcelsOfParts(db).execute({ sellerOrderIds })
  const byParcel = [...Map.groupBy(rows, ({ parcel }) => parcel.id).values()]
  const read = byParcel.map(own => ({
    ...own[0]!.parcel,
    units: new Map(own.map(({ content }) => [content.orderLineId, content.quantity])),
  }))
  return Map.groupBy(read, ({ sellerOrderId }) => sellerOrderId)
}

/** The lines that have an entry in `units` (quantities by line id), with that quantity. */
export function linesWith<Counted extends { id: string; quantity: number }>(
  lines: Counted[],
  units: ReadonlyMap<string, number>,
): Counted[] {
  return lines.flatMap(line => {
    const quantity = units.get(line.id)
    return quantity === undefined ? [] : [{ ...line, quantity }]
  })
}

/** Units of a part that are neither sent nor cancelled, by the id of their line; lines without any are left out. */
export function unsentUnits({ lines, parcels, deliveryStatus }: OrderPart): Map<string, number> {
  // `restocked` of a part that was sent as a whole also counts returned units.
  if (deliveryStatus !== 'Pending' && deliveryStatus !== 'Processing') return new Map()
  const left = lines.map(({ id, quantity, restocked }): [string, number] => [
    id,
    quantity - restocked - unitsSent(parcels, id),
  ])
  return new Map(left.filter(([, quantity]) => quantity > 0))
}

/** How many units of a line are in parcels. */
export function unitsSent(parcels: StoredParcel[], lineId: string): number {
  return sumBy(parcels, ({ units }) => units.get(lineId) ?? 0)
}

/** Cancelled units by the id of their line, while the part is being prepared or has parcels; otherwise none. */
export function cancelledUnits(part: OrderPart): Map<string, number> {
  if (part.parcels.length === 0 && part.deliveryStatus !== 'Processing') return new Map()
  const unsent = unsentUnits(part)
  const cancelled = part.lines.map(({ id, quantity }): [string, number] => [
    id,
    quantity - (unsent.get(id) ?? 0) - unitsSent(part.parcels, id),
  ])
  return new Map(cancelled.filter(([, quantity]) => quantity > 0))
}

/** Whether a part has been sent, but not all of it. */
export function isPartlySent(part: OrderPart): boolean {
  return part.deliveryStatus === 'Processing' && part.parcels.length > 0
}

/** Only valid until the whole part is delivered: from then on, `restocked` also counts returned units. */
export function countUnits({ lines, parcels }: OrderPart): UnitCounts {
  const unitsIn = (counted: StoredParcel[]) => sumBy(counted, ({ units }) => sumBy(units.values(), count => count))
  return {
    ordered: sumBy(lines, ({ quantity }) => quantity),
    cancelled: sumBy(lines, ({ restocked }) => restocked),
    sent: unitsIn(parcels),
    arrived: unitsIn(parcels.filter(({ status }) => status === 'arrived')),
  }
}
