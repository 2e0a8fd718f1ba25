import { daysAfter, totalDays, UNPROMISED_DAYS } from '#contract/delivery.ts'
import type { orderLines, parcelLines, parcels, sellerOrders } from '#server/db/schema.ts'
import { demoId, type OrderRows } from './rows.ts'

interface Trip {
  paidAt: Date
  sentAt: Date
  arrivedAt: Date
  carrier?: string | undefined
  trackingNumber?: string | undefined
}

export interface ParcelRows {
  parcels: (typeof parcels.$inferInsert)[]
  parcelLines: (typeof parcelLines.$inferInsert)[]
}

type Part = typeof sellerOrders.$inferInsert

/** One parcel for each part that was shipped, with all its lines. */
export function parcelRows(
  parts: Part[],
  lines: (typeof orderLines.$inferInsert)[],
  tripOf: (part: Part) => Trip,
): ParcelRows {
  const linesByPart = Map.groupBy(lines, ({ sellerOrderId }) => sellerOrderId)
  const rows: ParcelRows = { parcels: [], parcelLines: [] }
  for (const part of parts) {
    if (part.deliveryStatus !== 'Shipped' && part.deliveryStatus !== 'Delivered') continue
    const parcelId = demoId('parcel', part.id!)
    rows.parcels.push({ id: parcelId, sellerOrderId: part.id!, number: 1, ...stateOf(part, tripOf(part)) })
    for (const { id, quantity } of linesByPart.get(part.id!) ?? [])
      rows.parcelLines.push({ parcelId, orderLineId: id!, quantity })
  }
  return rows
}

/** The parcels of the demo's orders without customers. */
export function saleParcelRows({ orders, sellerOrders, lines }: OrderRows): ParcelRows {
  const paidAtOf = new Map(orders.map(({ id, paidAt }) => [id, paidAt!]))
  return parcelRows(sellerOrders, lines, ({ orderId, deliveredAt }) => {
    const paidAt = paidAtOf.get(orderId)!
    return { paidAt, sentAt: paidAt, arrivedAt: deliveredAt! }
  })
}

function stateOf({ deliveryStatus, deliveryDays }: Part, { paidAt, sentAt, arrivedAt, ...tracking }: Trip) {
  const expectedMs = deliveryDays
    ? Math.max(
        daysAfter(paidAt.getTime(), totalDays(deliveryDays)[1]),
        daysAfter(sentAt.getTime(), deliveryDays.transit[1]),
      )
    : daysAfter(sentAt.getTime(), UNPROMISED_DAYS)
  const sent = { ...tracking, sentAt, expectedAt: new Date(expectedMs) }
  if (deliveryStatus === 'Shipped') return { ...sent, status: 'sent' as const }
  return { ...sent, status: 'arrived' as const, arrivedAt, reportedBy: 'seller' as const }
}
