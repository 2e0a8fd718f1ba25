import { and, asc, eq } from 'drizzle-orm'
import type { ReturnStatus } from '#contract/returns.ts'
import type { Db, Tx } from '../db/types.ts'
import { orderSteps } from '../db/schema.ts'
import type { ReturnFacts } from '../mail/return-text.ts'
import type { StoredReturn } from './refunding.ts'

/** Facts for texts about a return in `status`, as they were when it had that status; it may have left it since. */
export async function readFacts(db: Db | Tx, stored: StoredReturn, status: ReturnStatus): Promise<ReturnFacts> {
  const steps = await db
    .select({ step: orderSteps.step })
    .from(orderSteps)
    .where(and(eq(orderSteps.orderId, stored.orderId), eq(orderSteps.sellerOrderId, stored.sellerOrderId)))
    .orderBy(asc(orderSteps.id))
  const statuses = steps.flatMap(({ step }) => ('returnId' in step && step.returnId === stored.id ? [step.status] : []))
  const last = statuses.lastIndexOf(status)
  return { ...factsOf(statuses.slice(0, last + 1)), isPaidBack: stored.refundId !== null }
}

/** The facts that follow from the statuses through which a return has passed, in sequence. */
export function factsOf(statuses: ReturnStatus[]): Pick<ReturnFacts, 'isDecided' | 'isSentBack'> {
  return {
    isDecided: statuses.some((status, at) => status === 'received' && statuses[at - 1] === 'escalated'),
    isSentBack: statuses.includes('sent_back'),
  }
}
