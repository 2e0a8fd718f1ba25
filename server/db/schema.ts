import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'

/** A picture of ours (`hash`), or one that is still only an address of somebody else (`source`), or both. */
export interface StoredPicture {
  hash?: string
  source?: string
  alt?: string
}

export interface StoredBanner {
  title: string
  description: string
  link?: string
  picture: StoredPicture
}

/** Country name → cents. */
export type ShippingCents = Record<string, number>

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const id = () => text('id').primaryKey().$defaultFn(v7)
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const createdAt = () => moment('created_at').notNull().defaultNow()

export const categories = pgTable('categories', {
  name: text('name').primaryKey(),
  picture: jsonb('picture').$type<StoredPicture>(),
})

export const sellers = pgTable(
  'sellers',
  {
    id: id(),
    /** The name that operators type; unique, made from the shop's name. */
    key: text('key').notNull().unique(),
    shopName: text('shop_name').notNull(),
    description: text('description').notNull().default(''),
    picture: jsonb('picture').$type<StoredPicture>(),
    banner: jsonb('banner').$type<StoredBanner>(),
    isVerified: boolean('is_verified').notNull().default(false),
    hasAi: boolean('has_ai').notNull().default(false),
    shippingRates: jsonb('shipping_rates').$type<ShippingCents>().notNull().default({}),
    /** Mean rating of the shop's rated products, 0 without one. */
    rating: doublePrecision('rating').notNull().default(0),
    isDemo: boolean('is_demo').notNull().default(false),
    createdAt: createdAt(),
  },
  table => [index('sellers_by_rating').on(table.isVerified.desc(), table.rating.desc(), table.id)],
)

export const products = pgTable(
  'products',
  {
    id: id(),
    sellerId: text('seller_id')
      .notNull()
      .references(() => sellers.id, { onDelete: 'cascade' }),
    /** What the seller's own catalogue calls it; unique within the shop. */
    handle: text('handle').notNull(),
    slug: text('slug').notNull().unique(),
    name: text('name').notNull(),
    category: text('category')
      .notNull()
      .references(() => categories.name, { onUpdate: 'cascade' }),
    brand: text('brand').notNull(),
    /** Kept equal to the seller's by a trigger, for search. */
    shopName: text('shop_name').notNull(),
    priceCents: integer('price_cents').notNull(),
    discount: numeric('discount', { precision: 7, scale: 4, mode: 'number' }).notNull().default(0),
    compareAtCents: integer('compare_at_cents'),
    /** The same arithmetic as `discountedCents` in contract/rules.ts. */
    finalCents: integer('final_cents')
      .notNull()
      .generatedAlwaysAs(sql`price_cents - (floor(price_cents * discount / 10000))::integer * 100`),
    stock: integer('stock').notNull().default(0),
    /** Sanitised HTML. */
    description: text('description').notNull().default(''),
    tags: jsonb('tags').$type<string[]>().notNull().default([]),
    pictures: jsonb('pictures').$type<StoredPicture[]>().notNull().default([]),
    banner: jsonb('banner').$type<StoredBanner>(),
    isPromoted: boolean('is_promoted').notNull().default(false),
    isHidden: boolean('is_hidden').notNull().default(false),
    /** Overrides of the seller's rates; what a product ships for is the two merged into `shippingPrices`. */
    shippingPrices: jsonb('shipping_prices').$type<ShippingCents>().notNull().default({}),
    rating: doublePrecision('rating').notNull().default(0),
    ratingCount: integer('rating_count').notNull().default(0),
    /** Units of paid orders in the last 90 days. */
    unitsSold: integer('units_sold').notNull().default(0),
    search: tsvector('search').generatedAlwaysAs(
      sql`setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', brand || ' ' || category), 'B') || setweight(to_tsvector('english', shop_name), 'C') || setweight(to_tsvector('english', regexp_replace(description, '<[^>]*>', ' ', 'g')), 'D')`,
    ),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  table => [
    unique('products_seller_handle').on(table.sellerId, table.handle),
    check('products_price', sql`${table.priceCents} >= 0`),
    check('products_discount', sql`${table.discount} between 0 and 100`),
    check('products_stock', sql`${table.stock} >= 0`),
    // A listing's filters stand in the index that gives its order, so that only the rows of one page are read.
    index('products_top')
      .on(table.unitsSold.desc(), table.isPromoted.desc(), table.rating.desc(), table.id, table.finalCents)
      .where(sql`not is_hidden`),
    index('products_category_top')
      .on(
        table.category,
        table.unitsSold.desc(),
        table.isPromoted.desc(),
        table.rating.desc(),
        table.id,
        table.finalCents,
      )
      .where(sql`not is_hidden`),
    index('products_seller_top')
      .on(table.sellerId, table.unitsSold.desc(), table.isPromoted.desc(), table.rating.desc(), table.id)
      .where(sql`not is_hidden`),
    index('products_price')
      .on(table.finalCents, table.id, table.rating)
      .where(sql`not is_hidden`),
    index('products_category_price')
      .on(table.category, table.finalCents, table.id, table.rating)
      .where(sql`not is_hidden`),
    // Small, for the totals of listings.
    index('products_filters')
      .on(table.category, table.rating, table.finalCents)
      .where(sql`not is_hidden`),
    index('products_rating')
      .on(table.rating.desc(), table.id, table.finalCents)
      .where(sql`not is_hidden`),
    index('products_latest')
      .on(table.createdAt.desc(), table.id)
      .where(sql`not is_hidden`),
    index('products_discount')
      .on(table.discount.desc(), table.id)
      .where(sql`not is_hidden`),
    index('products_search').using('gin', table.search),
  ],
)

export const variants = pgTable(
  'variants',
  {
    productId: text('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** Option name → value, in the seller's order. */
    options: jsonb('options').$type<[name: string, value: string][]>().notNull(),
    sku: text('sku').notNull().default(''),
    priceCents: integer('price_cents').notNull(),
    compareAtCents: integer('compare_at_cents'),
    stock: integer('stock').notNull().default(0),
    /** Columns of the seller's file that we do not use but give back on export. */
    extra: jsonb('extra').$type<Record<string, string>>().notNull().default({}),
  },
  table => [primaryKey({ columns: [table.productId, table.position] })],
)

export const reviews = pgTable(
  'reviews',
  {
    id: id(),
    productId: text('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** Null for reviews that came with a catalogue. */
    userId: text('user_id'),
    name: text('name').notNull(),
    review: text('review').notNull(),
    rating: smallint('rating').notNull(),
    isVerifiedBuyer: boolean('is_verified_buyer').notNull().default(false),
    createdAt: createdAt(),
  },
  table => [
    unique('reviews_product_user').on(table.productId, table.userId),
    check('reviews_rating', sql`${table.rating} between 1 and 5`),
    index('reviews_latest').on(table.productId, table.createdAt.desc(), table.id),
  ],
)

export const platformBanners = pgTable('platform_banners', {
  id: id(),
  position: integer('position').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  link: text('link'),
  picture: jsonb('picture').$type<StoredPicture>().notNull(),
  isDemo: boolean('is_demo').notNull().default(false),
})

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

/** The words of names, brands, categories and shops, kept by a trigger: what a misspelt search is compared with. */
export const searchWords = pgTable('search_words', { word: text('word').primaryKey() }, table => [
  index('search_words_alike').using('gin', sql`${table.word} gin_trgm_ops`),
])

/** Small facts that outlive a restart: exchange rates, the demo's version. */
export const facts = pgTable('facts', {
  name: text('name').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

/** A customer's own address; what was never filled in is empty. */
export type StoredShippingDetails = Record<
  'name' | 'address' | 'phone' | 'postal' | 'province' | 'city' | 'area' | 'country',
  string
>

export const users = pgTable('users', {
  id: id(),
  name: text('name').notNull(),
  /** Lower case. */
  email: text('email').notNull().unique(),
  /** argon2id in PHC form. */
  passwordHash: text('password_hash').notNull(),
  country: text('country').notNull().default(''),
  currency: text('currency').notNull().default('USD'),
  shippingDetails: jsonb('shipping_details').$type<StoredShippingDetails>(),
  isDemo: boolean('is_demo').notNull().default(false),
  createdAt: createdAt(),
})

/** One sign-in on one browser. The refresh token is never stored, only the SHA-256 of it and of its predecessor. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    refreshHash: text('refresh_hash').notNull().unique(),
    previousHash: text('previous_hash').unique(),
    rotatedAt: moment('rotated_at').notNull().defaultNow(),
    /** How often the token was exchanged; part of what its successor is derived from. */
    rotationCount: integer('rotation_count').notNull().default(0),
    /** Started in the cookie fallback, where the last bearer stands for the cookie; `fallbackTokenId` is its `jti`. */
    isFallback: boolean('is_fallback').notNull().default(false),
    fallbackTokenId: text('fallback_token_id'),
    revokedAt: moment('revoked_at'),
    /** Moves on with each exchange, but never beyond `absoluteAt`. */
    expiresAt: moment('expires_at').notNull(),
    absoluteAt: moment('absolute_at').notNull(),
    createdAt: createdAt(),
  },
  table => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
)

/** At most one live reset link for each customer. */
export const passwordResets = pgTable('password_resets', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: moment('expires_at').notNull(),
})

/** What happened to accounts and money, append-only; each row's hash covers the row before. */
export const auditEvents = pgTable('audit_events', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: moment('at').notNull().defaultNow(),
  event: text('event').notNull(),
  outcome: text('outcome').$type<'ok' | 'refused'>().notNull(),
  actorId: text('actor_id'),
  ip: text('ip'),
  requestId: text('request_id'),
  details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  previousHash: text('previous_hash').notNull(),
  hash: text('hash').notNull(),
})

/** What rate-limiter-flexible counts when several processes share PostgreSQL. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull().default(0),
  expire: bigint('expire', { mode: 'number' }),
})
