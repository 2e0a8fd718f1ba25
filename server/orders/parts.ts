import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { orderLines, sellerOrders } from '../db/schema.ts'

/** What one seller has to deliver of an order. */
export type OrderPart = typeof sellerOrders.$inferSelect & { lines: (typeof orderLines.$inferSelect)[] }

/** The sellers' parts of an order with their lines, in the order in which the customer named them. */
export async function readParts(db: Db | Tx, orderId: string): Promise<OrderPart[]> {
  const rows = await db
    .select({ part: sellerOrders, line: orderLines })
    .from(sellerOrders)
    .innerJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
    .where(eq(sellerOrders.orderId, orderId))
    .orderBy(sellerOrders.id, orderLines.id)
  const byPart = Map.groupBy(rows, ({ part }) => part.id)
  return [...byPart.values()].map(own => ({ ...own[0]!.part, lines: own.map(({ line }) => line) }))
}
