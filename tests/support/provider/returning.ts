import { eq } from 'drizzle-orm'
import type { ReturnRequest } from '#contract/returns.ts'
import type { Db } from '#server/db/types.ts'
import { returns, sellerOrders } from '#server/db/schema.ts'

/** A well-formed request to return something of an order. */
export function returnOf(orderId: string): ReturnRequest {
  const lines = [{ lineId: 'line', quantity: 1 }]
  return { orderId, sellerOrderId: 'part', kind: 'return', reason: 'other', words: '', lines }
}

/** Stores a return without lines of an order's first part; resolves with its id. */
export async function addReturn(db: Db, orderId: string): Promise<string> {
  const [part] = await db.select().from(sellerOrders).where(eq(sellerOrders.orderId, orderId))
  const row = { orderId, sellerOrderId: part!.id, kind: 'return' as const, reason: 'other' as const }
  const [given] = await db.insert(returns).values(row).returning()
  return given!.id
}
