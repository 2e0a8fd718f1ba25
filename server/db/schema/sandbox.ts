import { bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { PaidWith } from '#contract/parcels.ts'
import { createdAt, moment } from './columns.ts'

/** Payments of the sandbox, a simulated payment provider. No real money is moved. */
export const sandboxPayments = pgTable('sandbox_payments', {
  reference: text('reference').primaryKey(),
  amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
  currency: text('currency').notNull(),
  status: text('status').$type<'open' | 'processing' | 'succeeded' | 'failed'>().notNull().default('open'),
  /** What the latest try paid with. */
  paidWith: jsonb('paid_with').$type<PaidWith>(),
  /** The status that a `processing` payment gets at `settlesAt`. */
  turnsInto: text('turns_into').$type<'succeeded' | 'failed'>(),
  settlesAt: moment('settles_at'),
  /** How many times the customer has tried to pay. */
  tries: integer('tries').notNull().default(0),
  refundedAt: moment('refunded_at'),
  /** The sum of all refunds. */
  refundedCents: bigint('refunded_cents', { mode: 'number' }).notNull().default(0),
  createdAt: createdAt(),
})
