import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import type { StoredPicture } from './banners.ts'
import { products, variants, type VariantSnapshot } from './catalogue.ts'
import { belongsTo, createdAt, id, moment } from './columns.ts'

export const reviews = pgTable(
  'reviews',
  {
    id: id(),
    productId: belongsTo('product_id', () => products.id),
    /** Null for reviews imported with a catalogue. */
    userId: text('user_id'),
    name: text('name').notNull(),
    review: text('review').notNull(),
    rating: smallint('rating').notNull(),
    isVerifiedBuyer: boolean('is_verified_buyer').notNull().default(false),
    /** Hidden by the operator: not shown, and its rating does not count. */
    isHidden: boolean('is_hidden').notNull().default(false),
    /** Customers who found it helpful; a trigger counts `review_votes`. */
    helpfulCount: integer('helpful_count').notNull().default(0),
    /** The shop's answer; null if there is none. */
    answer: text('answer'),
    answeredAt: moment('answered_at'),
    createdAt: createdAt(),
  },
  table => [
    unique('reviews_product_user').on(table.productId, table.userId),
    check('reviews_rating', sql`${table.rating} between 1 and 5`),
    index('reviews_user').on(table.userId),
    index('reviews_latest').on(table.productId, table.createdAt.desc(), table.id),
  ],
)

/** A cart line's snapshot of its product, shown once that is no longer sold. */
export interface CartSnapshot {
  slug: string
  name: string
  category: string
  brand: string
  sellerId: string
  shopName: string
  picture: StoredPicture | undefined
  /** Undefined for a product without options. */
  variant?: VariantSnapshot | undefined
}

/** What lines of the cart and those that are saved for later have in common. */
const lineColumns = () => ({
  id: id(),
  userId: belongsTo('user_id', () => users.id),
  /** May refer to a product that has been deleted. */
  productId: text('product_id').notNull(),
  /** May refer to a variant that has been deleted; empty in a cart line from before variants could be chosen. */
  variantId: text('variant_id').notNull(),
  quantity: integer('quantity').notNull(),
  /** Price of one unit when the customer last agreed to it. */
  agreedCents: integer('agreed_cents').notNull(),
  createdAt: createdAt(),
})

export const cartLines = pgTable(
  'cart_lines',
  {
    ...lineColumns(),
    snapshot: jsonb('seen').$type<CartSnapshot>().notNull(),
    /** A removed line can be restored for a while. */
    removedAt: moment('removed_at'),
  },
  table => [
    unique('cart_lines_user_variant').on(table.userId, table.productId, table.variantId),
    check('cart_lines_quantity', sql`${table.quantity} > 0`),
    index('cart_lines_removed').on(table.removedAt),
  ],
)

/** Cart lines that the customer has saved for later. */
export const savedLines = pgTable(
  'saved_lines',
  {
    ...lineColumns(),
    snapshot: jsonb('snapshot').$type<CartSnapshot>().notNull(),
  },
  table => [
    unique('saved_lines_user_variant').on(table.userId, table.productId, table.variantId),
    check('saved_lines_quantity', sql`${table.quantity} > 0`),
  ],
)

export const wishlistItems = pgTable(
  'wishlist_items',
  {
    id: id(),
    userId: belongsTo('user_id', () => users.id),
    productId: belongsTo('product_id', () => products.id),
    createdAt: createdAt(),
  },
  table => [
    unique('wishlist_items_user_product').on(table.userId, table.productId),
    index('wishlist_items_product').on(table.productId),
  ],
)

/**
 * An alert for a customer: that a variant can be bought again, or that a product costs less than `belowCents`. The
 * transaction that notifies the customer deletes the row.
 */
export const productAlerts = pgTable(
  'product_alerts',
  {
    id: id(),
    userId: belongsTo('user_id', () => users.id),
    productId: belongsTo('product_id', () => products.id),
    /** Null in an alert about a price, which applies to all variants. */
    variantId: text('variant_id').references(() => variants.id, { onDelete: 'cascade' }),
    /** Null in an alert about a variant. */
    belowCents: integer('below_cents'),
    createdAt: createdAt(),
  },
  table => [
    uniqueIndex('product_alerts_back')
      .on(table.userId, table.variantId)
      .where(sql`variant_id is not null`),
    uniqueIndex('product_alerts_price')
      .on(table.userId, table.productId)
      .where(sql`variant_id is null`),
    check('product_alerts_kind', sql`(${table.variantId} is null) = (${table.belowCents} is not null)`),
    index('product_alerts_user').on(table.userId),
    index('product_alerts_product').on(table.productId),
    index('product_alerts_variant').on(table.variantId),
  ],
)
