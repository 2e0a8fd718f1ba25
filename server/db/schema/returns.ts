import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ReturnKind, ReturnReason, ReturnStatus } from '#contract/returns.ts'
import { createdAt, id, moment } from './columns.ts'
import { orderLines, orders, paymentAttempts, sellerOrders } from './orders.ts'

/** Partial refunds of paid orders. They are paid one after the other, oldest first. */
export const refunds = pgTable(
  'refunds',
  {
    /** Counts up, so that the oldest comes first. */
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity(),
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    attemptId: text('attempt_id')
      .notNull()
      .references(() => paymentAttempts.id, { onDelete: 'cascade' }),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    /** When the provider had paid it; null while it is pending. */
    paidAt: moment('paid_at'),
    createdAt: createdAt(),
  },
  table => [
    index('refunds_order').on(table.orderId),
    index('refunds_pending')
      .on(table.attemptId)
      .where(sql`paid_at is null`),
    check('refunds_amount', sql`${table.amountCents} > 0`),
  ],
)

/** Requests of customers to cancel or return lines of a seller's part. */
export const returns = pgTable(
  'returns',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    sellerOrderId: text('seller_order_id')
      .notNull()
      .references(() => sellerOrders.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<ReturnKind>().notNull(),
    status: text('status').$type<ReturnStatus>().notNull().default('requested'),
    reason: text('reason').$type<ReturnReason>().notNull(),
    /** The customer's words; erased with the customer. */
    words: text('words').notNull().default(''),
    /** Why the shop, or the operator, has declined. */
    answer: text('answer').notNull().default(''),
    /** The carrier's number of what was sent back. */
    tracking: text('tracking').notNull().default(''),
    /** The refund that was requested; null until then, and if there was nothing left to refund. */
    refundId: text('refund_id').unique('returns_refund'),
    /** What the refund was meant to be, in cents; 0 until then. */
    refundCents: bigint('refund_cents', { mode: 'number' }).notNull().default(0),
    isRestocked: boolean('is_restocked').notNull().default(false),
    /** When the deadline of its status is over; null if there is none. */
    dueAt: moment('due_at'),
    createdAt: createdAt(),
  },
  table => [
    index('returns_order').on(table.orderId),
    index('returns_part').on(table.sellerOrderId),
    index('returns_open').on(table.status, table.createdAt),
  ],
)

export const returnLines = pgTable(
  'return_lines',
  {
    returnId: text('return_id')
      .notNull()
      .references(() => returns.id, { onDelete: 'cascade' }),
    lineId: text('line_id')
      .notNull()
      .references(() => orderLines.id, { onDelete: 'cascade' }),
    quantity: integer('quantity').notNull(),
  },
  table => [
    primaryKey({ columns: [table.returnId, table.lineId] }),
    index('return_lines_line').on(table.lineId),
    check('return_lines_quantity', sql`${table.quantity} > 0`),
  ],
)

/** Pictures that show what is wrong; erased with the customer. */
export const returnPictures = pgTable(
  'return_pictures',
  {
    /** Also where it is in the sequence: ids increase. */
    id: id(),
    returnId: text('return_id')
      .notNull()
      .references(() => returns.id, { onDelete: 'cascade' }),
    /** The file's key on the disk or in the bucket. */
    key: text('key').notNull().unique('return_pictures_key'),
    mimeType: text('mime_type').notNull(),
    originalName: text('original_name').notNull(),
    size: integer('size').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
  },
  table => [index('return_pictures_return').on(table.returnId)],
)
