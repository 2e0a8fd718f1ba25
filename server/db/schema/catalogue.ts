import { sql } from 'drizzle-orm'
import {
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
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from './columns.ts'

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
    /** Its products cannot be found or bought; its open orders go on. */
    isHidden: boolean('is_hidden').notNull().default(false),
    /** Where the shop hears of paid orders; null for a shop that gets no mail. */
    email: text('email'),
    hasAi: boolean('has_ai').notNull().default(false),
    /** Tokens of the shop that were made for an earlier version are void. */
    tokenVersion: integer('token_version').notNull().default(0),
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
    /** Kept equal to the seller's `isHidden` by a trigger, so that an index alone can tell. */
    isShopHidden: boolean('is_shop_hidden').notNull().default(false),
    isVisible: boolean('is_visible')
      .notNull()
      .generatedAlwaysAs(sql`not is_hidden and not is_shop_hidden`),
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
      .where(sql`is_visible`),
    index('products_category_top')
      .on(
        table.category,
        table.unitsSold.desc(),
        table.isPromoted.desc(),
        table.rating.desc(),
        table.id,
        table.finalCents,
      )
      .where(sql`is_visible`),
    index('products_seller_top')
      .on(table.sellerId, table.unitsSold.desc(), table.isPromoted.desc(), table.rating.desc(), table.id)
      .where(sql`is_visible`),
    index('products_price')
      .on(table.finalCents, table.id, table.rating)
      .where(sql`is_visible`),
    index('products_category_price')
      .on(table.category, table.finalCents, table.id, table.rating)
      .where(sql`is_visible`),
    // Small, for the totals of listings.
    index('products_filters')
      .on(table.category, table.rating, table.finalCents)
      .where(sql`is_visible`),
    index('products_rating')
      .on(table.rating.desc(), table.id, table.finalCents)
      .where(sql`is_visible`),
    index('products_latest')
      .on(table.createdAt.desc(), table.id)
      .where(sql`is_visible`),
    index('products_discount')
      .on(table.discount.desc(), table.id)
      .where(sql`is_visible`),
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

export const platformBanners = pgTable('platform_banners', {
  id: id(),
  position: integer('position').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  link: text('link'),
  picture: jsonb('picture').$type<StoredPicture>().notNull(),
  isDemo: boolean('is_demo').notNull().default(false),
})

/** The words of names, brands, categories and shops, kept by a trigger: what a misspelt search is compared with. */
export const searchWords = pgTable('search_words', { word: text('word').primaryKey() }, table => [
  index('search_words_alike').using('gin', sql`${table.word} gin_trgm_ops`),
])
