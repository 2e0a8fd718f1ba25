import { and, eq, inArray } from 'drizzle-orm'
import { returns } from '../db/schema.ts'

/** Condition for cancellations to which the shop or the marketplace has agreed: their units were not sold. */
export const isAgreedCancellation = and(
  eq(returns.kind, 'cancellation'),
  inArray(returns.status, ['received', 'refunded']),
)
