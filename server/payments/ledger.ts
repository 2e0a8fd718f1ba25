import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { payments, refunds } from '../db/schema.ts'
import { sumBy } from '../platform/sum.ts'

/** Refunds younger than this may be missing in the provider's list. */
const LISTED_MINUTES = 60

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
  const pending = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.attemptId, attemptId), isNull(refunds.paidAt)))
  return {
    chargedCents: charge.amountCents,
    refundedCents: sumBy(ledger, ({ kind, amountCents }) => (kind === 'refund' ? amountCents : 0)),
    pendingCents: sumBy(pending, ({ amountCents }) => amountCents),
    currency: charge.currency,
  }
}

/** The sum of an attempt's refunds that are old enough to be in the provider's list, in cents. */
export async function readListedCents(db: Db | Tx, attemptId: string): Promise<number> {
  const isRefund = and(eq(payments.attemptId, attemptId), eq(payments.kind, 'refund'))
  const isListed = lt(payments.createdAt, sql`now() - make_interval(mins => ${LISTED_MINUTES})`)
  const listed = await db.select().from(payments).where(and(isRefund, isListed))
  return sumBy(listed, ({ amountCents }) => amountCents)
}
