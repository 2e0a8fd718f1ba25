import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ReturnKind, ReturnReason, ReturnStatus } from '#contract/returns.ts'
import { belongsTo, createdAt, id, moment, pictureColumns } from './columns.ts'
import { orderLines, orders, paymentAttempts, sellerOrders } from './orders.ts'

/** Partial refunds of paid orders. They are paid one after the other, oldest first. */
export const refunds = pgTable(
  'refunds',
  {
    /** Increases with each row, so that sorting by it puts the oldest first. */
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity(),
    id: id(),
    orderId: belongsTo('order_id', () => orders.id),
    attemptId: belongsTo('attempt_id', () => paymentAttempts.id),
    amountCents: bigint('amount_cents', { mode: 'number' }).notNull(),
    /** What the provider had refunded of the charge when it was first asked for this refund; null until then. */
    refundedBeforeCents: bigint('refunded_before_cents', { mode: 'number' }),
    /** When the provider paid the refund; null while it is pending. */
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
    orderId: belongsTo('order_id', () => orders.id),
    sellerOrderId: belongsTo('seller_order_id', () => sellerOrders.id),
    kind: text('kind').$type<ReturnKind>().notNull(),
    status: text('status').$type<ReturnStatus>().notNull().default('requested'),
    reason: text('reason').$type<ReturnReason>().notNull(),
    /** The customer's words; erased with the customer. */
    words: text('words').notNull().default(''),
    /** The reason why the shop or the operator declined. */
    answer: text('answer').notNull().default(''),
    /** Tracking number of the parcel with which the customer sent the goods back. */
    tracking: text('tracking').notNull().default(''),
    /** The requested refund; null before the request, or if there was nothing left to refund. */
    refundId: text('refund_id').unique('returns_refund'),
    /** The intended amount of the refund; 0 before its request. */
    refundCents: bigint('refund_cents', { mode: 'number' }).notNull().default(0),
    isRestocked: boolean('is_restocked').notNull().default(false),
    /** The client's Idempotency-Key; null without one. */
    requestKey: text('request_key'),
    /** Hash of the request's content, so that a repeated one is recognised; null before it was stored. */
    requestHash: text('request_hash'),
    /** The deadline of the current status; null if it has none. */
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
    returnId: belongsTo('return_id', () => returns.id),
    lineId: belongsTo('line_id', () => orderLines.id),
    quantity: integer('quantity').notNull(),
  },
  table => [
    primaryKey({ columns: [table.returnId, table.lineId] }),
    index('return_lines_line').on(table.lineId),
    check('return_lines_quantity', sql`${table.quantity} > 0`),
  ],
)

/** Pictures with which a customer shows the fault; erased with the customer. */
export const returnPictures = pgTable(
  'return_pictures',
  {
    ...pictureColumns('return_pictures'),
    returnId: belongsTo('return_id', () => returns.id),
  },
  table => [index('return_pictures_return').on(table.returnId)],
)
