import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { payments, refunds } from '../db/schema.ts'

/** The money of one attempt, in cents of `currency`. */
export interface Money {
  chargedCents: number
  /** The amount refunded so far, as far as the shop knows. */
  refundedCents: number
  /** Partial refunds that are requested and not paid. */
  pendingCents: number
  currency: string
}

/** What can still be refunded of a charge, in cents. */
export function leftOf({ chargedCents, refundedCents, pendingCents }: Omit<Money, 'currency'>): number {
  return chargedCents - refundedCents - pendingCents
}

/** Reads an attempt's charge and refunds. Throws an Error if it was never charged. */
export async function readMoney(db: Db | Tx, attemptId: string): Promise<Money> {
  const ledger = await db.select().from(payments).where(eq(payments.attemptId, attemptId))
  const charge = ledger.find(({ kind }) => kind === 'charge')
  if (!charge) throw new Error(`attempt ${attemptId} was never charged`)
  const [pending] = await db
    .select({
      cents: sql<number>`coalesce(sum(${refunds.amountCents}) filter (where ${refunds.paidAt} is null), 0)`.mapWith(
        Number,
      ),
    })
    .from(refunds)
    .where(eq(refunds.attemptId, attemptId))
  return {
    chargedCents: charge.amountCents,
    refundedCents: ledger.reduce((sum, { kind, amountCents }) => sum + (kind === 'refund' ? amountCents : 0), 0),
    pendingCents: pending?.cents ?? 0,
    currency: charge.currency,
  }
}
