import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { orderLines, sellerOrders } from '../db/schema.ts'

/** The part of an order that one seller delivers. */
export type OrderPart = typeof sellerOrders.$inferSelect & { lines: (typeof orderLines.$inferSelect)[] }

/** The sellers' parts of an order with their lines, both in the sequence in which they were ordered. */
export function readParts(db: Db | Tx, orderId: string): Promise<OrderPart[]> {
  return readPartsOf(db, [orderId])
}

/** Like `readParts`, for several orders. */
export async function readPartsOf(db: Db | Tx, orderIds: string[]): Promise<OrderPart[]> {
  const rows = await db
    .select({ part: sellerOrders, line: orderLines })
    .from(sellerOrders)
    .innerJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
    .where(sql`${sellerOrders.orderId} = any(${sql.param(orderIds)}::text[])`)
    .orderBy(sellerOrders.id, orderLines.id)
  const byPart = Map.groupBy(rows, ({ part }) => part.id)
  return [...byPart.values()].map(own => ({ ...own[0]!.part, lines: own.map(({ line }) => line) }))
}
