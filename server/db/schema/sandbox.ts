import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from './columns.ts'

/** What the sandbox, which plays a payment provider, knows of each payment. No money stands behind it. */
export const sandboxPayments = pgTable('sandbox_payments', {
  reference: text('reference').primaryKey(),
  amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
  currency: text('currency').notNull(),
  status: text('status').$type<'open' | 'processing' | 'succeeded' | 'failed'>().notNull().default('open'),
  /** What a processing one is at `settlesAt`. */
  turnsInto: text('turns_into').$type<'succeeded' | 'failed'>(),
  settlesAt: moment('settles_at'),
  /** How often somebody has tried to pay it. */
  tries: integer('tries').notNull().default(0),
  refundedAt: moment('refunded_at'),
  createdAt: createdAt(),
})
