import { and, eq, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import type { Tx } from '../db/types.ts'
import { orderSteps } from '../db/schema.ts'
import { encodeStep, type Step } from '../db/schema/steps.ts'
import { notifyOfStep } from './order-notifications.ts'

const stepAdded = prepared(db =>
  db
    .insert(orderSteps)
    .values({
      orderId: sql.placeholder('orderId'),
      step: sql.placeholder('step'),
      sellerOrderId: sql.placeholder('sellerOrderId'),
    })
    .onConflictDoNothing()
    .returning({ id: orderSteps.id })
    .prepare('step_added'),
)

/**
 * Appends a step to the order's timeline and, unless `isTold` is false, notifies the customer where needed; returns
 * false if it was recorded before. Store the order's new state first: the notification reads it.
 */
export async function recordStep(tx: Tx, orderId: string, step: Step, { isTold = true } = {}): Promise<boolean> {
  const sellerOrderId = 'sellerOrderId' in step ? step.sellerOrderId : null
  const added = await stepAdded(tx).execute({ orderId, step, sellerOrderId })
  if (added.length > 0 && isTold) await notifyOfStep(tx, orderId, step)
  return added.length > 0
}

/** When a recorded step happened; throws an Error if the timeline does not have it. */
export async function whenStepped(tx: Tx, orderId: string, step: Step): Promise<Date> {
  const [recorded] = await tx
    .select({ at: orderSteps.at })
    .from(orderSteps)
    .where(and(eq(orderSteps.orderId, orderId), eq(orderSteps.step, step)))
  if (!recorded) throw new Error(`order ${orderId} has no step ${encodeStep(step)}`)
  return recorded.at
}
