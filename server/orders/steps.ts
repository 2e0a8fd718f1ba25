import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'
import { orderSteps } from '../db/schema.ts'
import { notifyOfStep } from './order-notifications.ts'

/**
 * Each step is recorded once per order. A step that can happen several times has the id of its attempt or seller's part
 * after a colon.
 */
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
 * Appends a step to the order's timeline and notifies the customer where needed; returns false if it was recorded
 * before. Store the order's new state first: the notification reads it.
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

/** When a recorded step happened; throws an Error if the timeline does not have it. */
export async function whenStepped(tx: Tx, orderId: string, kind: StepKind): Promise<Date> {
  const [step] = await tx
    .select({ at: orderSteps.at })
    .from(orderSteps)
    .where(and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, kind)))
  if (!step) throw new Error(`order ${orderId} has no step ${kind}`)
  return step.at
}
