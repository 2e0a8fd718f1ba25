import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from './columns.ts'

export const orders = pgTable(
  'orders',
  {
    id: id(),
    userId: text('user_id'),
    status: text('status').$type<'pending' | 'placed' | 'cancelled'>().notNull().default('pending'),
    paymentStatus: text('payment_status')
      .$type<'unpaid' | 'processing' | 'paid' | 'refund_pending' | 'refunded'>()
      .notNull()
      .default('unpaid'),
    priceCents: integer('price_cents').notNull(),
    isDemo: boolean('is_demo').notNull().default(false),
    createdAt: createdAt(),
    paidAt: moment('paid_at'),
  },
  table => [check('orders_price', sql`${table.priceCents} >= 0`), index('orders_paid').on(table.paidAt)],
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
    priceCents: integer('price_cents').notNull(),
    deliveryStatus: text('delivery_status')
      .$type<'Pending' | 'Processing' | 'Shipped' | 'Delivered' | 'Cancelled'>()
      .notNull()
      .default('Pending'),
  },
  table => [unique('seller_orders_order_seller').on(table.orderId, table.sellerId)],
)

export const orderLines = pgTable(
  'order_lines',
  {
    id: id(),
    sellerOrderId: text('seller_order_id')
      .notNull()
      .references(() => sellerOrders.id, { onDelete: 'cascade' }),
    productId: text('product_id').notNull(),
    quantity: integer('quantity').notNull(),
    /** What one unit cost when it was ordered. */
    unitCents: integer('unit_cents').notNull(),
  },
  table => [
    check('order_lines_quantity', sql`${table.quantity} > 0`),
    index('order_lines_product').on(table.productId),
  ],
)
