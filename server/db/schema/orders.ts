import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { DeliveryDays } from '#contract/delivery.ts'
import type { DeliveryStatus, OrderStatus, PaymentStatus, ShippingForm } from '#contract/orders.ts'
import type { StoredPicture } from './banners.ts'
import type { VariantSnapshot } from './catalogue.ts'
import { createdAt, id, moment } from './columns.ts'
import { type CancelledBy, orderStep } from './steps.ts'

/** Whole cents; orders of many units exceed a 32-bit integer. */
const cents = (name: string) => bigint(name, { mode: 'number' })

/** An order line's snapshot of its product, which may change or be deleted later. */
export interface OrderSnapshot {
  slug: string
  name: string
  category: string
  brand: string
  priceCents: number
  discount: number
  picture: StoredPicture | undefined
  /** Undefined for a product without options or SKU. */
  variant?: VariantSnapshot | undefined
}

export const orders = pgTable(
  'orders',
  {
    id: id(),
    /** What customers and operators call the order: 'PZ-4F7K2M'. The database draws it, for older versions too. */
    number: text('number')
      .notNull()
      .default(sql`new_order_number()`),
    userId: text('user_id'),
    status: text('status').$type<OrderStatus>().notNull().default('pending'),
    paymentStatus: text('payment_status').$type<PaymentStatus>().notNull().default('unpaid'),
    /** Items and shipping. */
    priceCents: cents('price_cents').notNull(),
    shippingCents: cents('shipping_cents').notNull().default(0),
    itemCount: integer('item_count').notNull().default(0),
    destination: jsonb('destination').$type<ShippingForm>(),
    /** Units of the lines: `held` for this order until `heldUntil`, `sold` once paid, or `released` to the stock. */
    stockState: text('stock_state').$type<'held' | 'sold' | 'released'>().notNull().default('sold'),
    heldUntil: moment('held_until'),
    cancelledBy: text('cancelled_by').$type<CancelledBy>(),
    /** Links of mails with another version are invalid. */
    trackingVersion: integer('tracking_version').notNull().default(0),
    isDemo: boolean('is_demo').notNull().default(false),
    createdAt: createdAt(),
    paidAt: moment('paid_at'),
  },
  table => [
    unique('orders_number').on(table.number),
    check('orders_price', sql`${table.priceCents} >= 0 and ${table.shippingCents} >= 0`),
    index('orders_paid').on(table.paidAt),
    index('orders_user').on(table.userId, table.createdAt.desc(), table.id.desc()),
    index('orders_held')
      .on(table.heldUntil)
      .where(sql`stock_state = 'held'`),
  ],
)

export const sellerOrders = pgTable(
  'seller_orders',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    sellerId: text('seller_id').notNull(),
    shopName: text('shop_name').notNull(),
    /** Items and shipping of this seller. */
    priceCents: cents('price_cents').notNull(),
    deliveryStatus: text('delivery_status').$type<DeliveryStatus>().notNull().default('Pending'),
    /** From then on the shop decides about cancellations. */
    packedAt: moment('packed_at'),
    /** What the shop promised when it was ordered; null if it promised nothing. */
    deliveryDays: jsonb('delivery_days').$type<DeliveryDays>(),
    deliveredAt: moment('delivered_at'),
    /** The shop's rule when it was ordered: whether shipping goes back when all of it is returned. */
    refundsShipping: boolean('refunds_shipping').notNull().default(true),
    /** When the customer was asked to review what was delivered; null if not. */
    reviewAskedAt: moment('review_asked_at'),
  },
  table => [
    unique('seller_orders_order_seller').on(table.orderId, table.sellerId),
    index('seller_orders_to_review')
      .on(table.deliveredAt)
      .where(sql`delivered_at is not null and review_asked_at is null`),
  ],
)

export const orderLines = pgTable(
  'order_lines',
  {
    id: id(),
    sellerOrderId: text('seller_order_id')
      .notNull()
      .references(() => sellerOrders.id, { onDelete: 'cascade' }),
    productId: text('product_id').notNull(),
    variantId: text('variant_id').notNull(),
    quantity: integer('quantity').notNull(),
    /** Price of one unit at the time of the order. */
    unitCents: integer('unit_cents').notNull(),
    /** For the whole line, whatever its quantity. */
    shippingCents: integer('shipping_cents').notNull().default(0),
    snapshot: jsonb('seen').$type<OrderSnapshot>(),
    /** Units of a part that is not cancelled as a whole which are back in stock: cancelled, or returned and restocked. */
    restocked: integer('restocked').notNull().default(0),
  },
  table => [
    check('order_lines_quantity', sql`${table.quantity} > 0`),
    check('order_lines_restocked', sql`${table.restocked} between 0 and ${table.quantity}`),
    check('order_lines_price', sql`${table.unitCents} >= 0 and ${table.shippingCents} >= 0`),
    index('order_lines_product').on(table.productId),
    index('order_lines_variant').on(table.variantId),
    index('order_lines_seller_order').on(table.sellerOrderId),
  ],
)

/** Every step of an order, append-only: the timeline, and a guard against doing a step twice. */
export const orderSteps = pgTable(
  'order_steps',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    step: orderStep('kind').notNull(),
    /** Repeats the seller's part that `step` names. */
    sellerOrderId: text('seller_order_id'),
    at: moment('at').notNull().defaultNow(),
  },
  table => [unique('order_steps_once').on(table.orderId, table.step)],
)

/** The order that was placed with a customer's idempotency key. */
export const orderRequests = pgTable(
  'order_requests',
  {
    userId: text('user_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of the request: reusing the key with another request is an error. */
    bodyHash: text('body_hash').notNull(),
    orderId: text('order_id'),
    createdAt: createdAt(),
  },
  table => [primaryKey({ columns: [table.userId, table.key] }), index('order_requests_age').on(table.createdAt)],
)

/** A `lapsed` payment was processing for so long that its order no longer waits for it; it may still succeed. */
export type AttemptStatus = 'open' | 'processing' | 'lapsed' | 'succeeded' | 'failed' | 'refund_pending' | 'refunded'

export const paymentAttempts = pgTable(
  'payment_attempts',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    /** 128 random bits, made here; identifies the payment at the provider. */
    reference: text('reference').notNull().unique(),
    clientSecret: text('client_secret').notNull().unique(),
    /** The provider's own id of the payment, once it has one. */
    providerId: text('provider_id'),
    amountCents: cents('amount_cents').notNull(),
    currency: text('currency').notNull().default('USD'),
    /** `refund_pending` is refunded whatever the order's status, as another attempt may have paid the order. */
    status: text('status').$type<AttemptStatus>().notNull().default('open'),
    askedAt: moment('asked_at'),
    /** When the refund was last requested from the provider; claimed by one process at a time. */
    refundAskedAt: moment('refund_asked_at'),
    createdAt: createdAt(),
  },
  table => [
    index('payment_attempts_order').on(table.orderId),
    index('payment_attempts_open').on(table.status, table.createdAt),
  ],
)

/** Money that was really charged or refunded: at most one charge per attempt, and refunds of at most as much. */
export const payments = pgTable(
  'payments',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    attemptId: text('attempt_id')
      .notNull()
      .references(() => paymentAttempts.id),
    kind: text('kind').$type<'charge' | 'refund'>().notNull(),
    amountCents: cents('amount_cents').notNull(),
    currency: text('currency').notNull(),
    /** The partial refund that was paid; null for the refund of all that was left, and for one made at the provider. */
    refundId: text('refund_id').unique('payments_refund'),
    createdAt: createdAt(),
  },
  table => [
    uniqueIndex('payments_charge')
      .on(table.attemptId)
      .where(sql`kind = 'charge'`),
    index('payments_attempt').on(table.attemptId),
    index('payments_order').on(table.orderId),
    check('payments_amount', sql`${table.amountCents} > 0`),
  ],
)

/** Events of authentic webhooks; each event is applied once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    provider: text('provider').notNull(),
    eventId: text('event_id').notNull(),
    reference: text('reference').notNull(),
    appliedAt: moment('applied_at'),
    createdAt: createdAt(),
  },
  table => [primaryKey({ columns: [table.provider, table.eventId] })],
)
