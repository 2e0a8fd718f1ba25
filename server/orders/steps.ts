import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'
import { orderSteps } from '../db/schema.ts'
import { notifyOfStep } from './order-notifications.ts'

/** What can happen to an order once; what can happen more often names its attempt or seller's part behind a colon. */
export type StepKind =
  | 'placed'
  | 'processing'
  | `failed:${string}`
  | `lapsed:${string}`
  | 'paid'
  | 'revived'
  | `paid_again:${string}`
  | `paid_wrong:${string}`
  | `mismatch:${string}`
  | `cancelled:${'customer' | 'time' | 'operator'}`
  | `shipped:${string}`
  | `delivered:${string}`
  | `disputed:${string}`
  | `returned:${string}`
  | `refund_pending:${string}`
  | `refunded:${string}`

/**
 * Appends a step to the order's timeline and tells the customer, if it is news to them; answers false when that has
 * happened before. What the order is by then is stored first.
 */
export async function recordStep(tx: Tx, orderId: string, kind: StepKind, sellerOrderId?: string): Promise<boolean> {
  const added = await tx
    .insert(orderSteps)
    .values({ orderId, kind, sellerOrderId })
    .onConflictDoNothing()
    .returning({ id: orderSteps.id })
  if (added.length > 0) await notifyOfStep(tx, orderId, kind, sellerOrderId)
  return added.length > 0
}

/** When a step happened that the order's timeline has. */
export async function whenStepped(tx: Tx, orderId: string, kind: StepKind): Promise<Date> {
  const [step] = await tx
    .select({ at: orderSteps.at })
    .from(orderSteps)
    .where(and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, kind)))
  if (!step) throw new Error(`order ${orderId} has no step ${kind}`)
  return step.at
}
