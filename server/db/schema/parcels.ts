import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import type { ArrivalReporter, ParcelStatus } from '#contract/parcels.ts'
import { belongsTo, id, moment } from './columns.ts'
import { orderLines, sellerOrders } from './orders.ts'

/** The shipments of a shop's part of an order. */
export const parcels = pgTable(
  'parcels',
  {
    id: id(),
    sellerOrderId: belongsTo('seller_order_id', () => sellerOrders.id),
    /** Numbered from 1 within the seller's part. */
    number: integer('number').notNull(),
    status: text('status').$type<ParcelStatus>().notNull().default('sent'),
    carrier: text('carrier'),
    trackingNumber: text('tracking_number'),
    sentAt: moment('sent_at').notNull().defaultNow(),
    /** The latest moment at which it should arrive. */
    expectedAt: moment('expected_at').notNull(),
    arrivedAt: moment('arrived_at'),
    reportedBy: text('reported_by').$type<ArrivalReporter>(),
  },
  table => [
    unique('parcels_number').on(table.sellerOrderId, table.number),
    index('parcels_underway')
      .on(table.expectedAt)
      .where(sql`status = 'sent'`),
    check('parcels_arrival', sql`(${table.status} = 'arrived') = (${table.arrivedAt} is not null)`),
  ],
)

export const parcelLines = pgTable(
  'parcel_lines',
  {
    parcelId: belongsTo('parcel_id', () => parcels.id),
    orderLineId: belongsTo('order_line_id', () => orderLines.id),
    quantity: integer('quantity').notNull(),
  },
  table => [
    primaryKey({ columns: [table.parcelId, table.orderLineId] }),
    index('parcel_lines_line').on(table.orderLineId),
    check('parcel_lines_quantity', sql`${table.quantity} > 0`),
  ],
)
