import type { Tx } from '../db/open.ts'
import { orderSteps } from '../db/schema.ts'

/** What can happen to an order once; what can happen more often names its attempt or seller's part behind a colon. */
export type StepKind =
  | 'placed'
  | 'processing'
  | `failed:${string}`
  | 'paid'
  | 'revived'
  | `paid_again:${string}`
  | `cancelled:${'customer' | 'time' | 'operator'}`
  | `shipped:${string}`
  | `delivered:${string}`
  | `refund_pending:${string}`
  | `refunded:${string}`

/** Appends a step to the order's timeline; answers false when that has happened before. */
export async function recordStep(tx: Tx, orderId: string, kind: StepKind, sellerOrderId?: string): Promise<boolean> {
  const added = await tx
    .insert(orderSteps)
    .values({ orderId, kind, sellerOrderId })
    .onConflictDoNothing()
    .returning({ id: orderSteps.id })
  return added.length > 0
}
