import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import type { DayRange } from '#contract/delivery.ts'
import type { StoredBanner, StoredPicture } from './banners.ts'
import { belongsTo, createdAt, id, moment } from './columns.ts'
import * as derived from './derived-columns.ts'

export interface VariantSnapshot {
  /** Option name → value, in the seller's order. */
  options: [name: string, value: string][]
  sku: string
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
    /** The name that operators use in commands; unique, made from the shop's name. */
    key: text('key').notNull().unique(),
    shopName: text('shop_name').notNull(),
    description: text('description').notNull().default(''),
    picture: jsonb('picture').$type<StoredPicture>(),
    banner: jsonb('banner').$type<StoredBanner>(),
    isVerified: boolean('is_verified').notNull().default(false),
    /** Its products cannot be found or bought; its open orders continue. */
    isHidden: boolean('is_hidden').notNull().default(false),
    /** Gets mails about paid orders; null for a shop that gets no mail. */
    email: text('email'),
    /** The shop's postal address by lines: for receipts, invoices and returns. */
    address: jsonb('address').$type<string[]>().notNull().default([]),
    hasAi: boolean('has_ai').notNull().default(false),
    /** The shop's tokens of an earlier version are invalid. */
    tokenVersion: integer('token_version').notNull().default(0),
    shippingRates: jsonb('shipping_rates').$type<ShippingCents>().notNull().default({}),
    /** Days from a payment until a parcel leaves; null if the shop promises no delivery. */
    handlingDays: jsonb('handling_days').$type<DayRange>(),
    /** Country → days that a parcel travels. */
    transitDays: jsonb('transit_days').$type<Record<string, DayRange>>().notNull().default({}),
    /** Whether shipping is refunded when a whole part is returned. */
    refundsShipping: boolean('refunds_shipping').notNull().default(true),
    /** Mean rating of the shop's rated products that are not hidden, 0 without one. */
    rating: doublePrecision('rating').notNull().default(0),
    /**
     * Hours within which the shop usually answers a customer: 1, 24 or 72. Null if it is slower, or has few questions.
     */
    replyHours: integer('reply_hours'),
    isDemo: boolean('is_demo').notNull().default(false),
    createdAt: createdAt(),
  },
  table => [
    index('sellers_by_rating').on(table.isVerified.desc(), table.rating.desc(), table.id),
    index('sellers_words').using('gin', derived.nameWords(sql`${table.shopName}`)),
  ],
)

export type SellerRow = typeof sellers.$inferSelect

export const products = pgTable(
  'products',
  {
    id: id(),
    sellerId: belongsTo('seller_id', () => sellers.id),
    /** The product's identifier in the seller's own catalogue; unique within the shop. */
    handle: text('handle').notNull(),
    /** The handle that a WooCommerce product has while it has no SKU; null if its id is not known. */
    idHandle: text('id_handle'),
    slug: text('slug').notNull().unique(),
    name: text('name').notNull(),
    category: text('category')
      .notNull()
      .references(() => categories.name, { onUpdate: 'cascade' }),
    brand: text('brand').notNull(),
    /** A copy of the seller's, which a trigger keeps up to date for search. */
    shopName: text('shop_name').notNull(),
    // A trigger derives these from the product's variants: the price of the cheapest one that can be bought.
    priceCents: integer('price_cents').notNull().default(0),
    discount: derived.discount('discount').notNull().default(0),
    compareAtCents: integer('compare_at_cents'),
    finalCents: derived.finalCents(),
    shownDiscount: derived.shownDiscount(),
    facetGroup: derived.facetGroup(),
    /** The price of the most expensive variant, after its discount. */
    highestCents: integer('highest_cents').notNull().default(0),
    /** Whether any variant can be bought. */
    isAvailable: boolean('is_available').notNull().default(false),
    variantCount: integer('variant_count').notNull().default(0),
    /** Number of values of the option for the colour; 0 without one. */
    colourCount: integer('colour_count').notNull().default(0),
    /** The id of its `option_sets`; null if no variant with options can be bought. */
    optionSet: integer('option_set'),
    /** Sanitised HTML. */
    description: text('description').notNull().default(''),
    tags: jsonb('tags').$type<string[]>().notNull().default([]),
    pictures: jsonb('pictures').$type<StoredPicture[]>().notNull().default([]),
    banner: jsonb('banner').$type<StoredBanner>(),
    isPromoted: boolean('is_promoted').notNull().default(false),
    isHidden: boolean('is_hidden').notNull().default(false),
    /** A copy of the seller's `isHidden`, which a trigger keeps up to date, so that indexes can use it. */
    isShopHidden: boolean('is_shop_hidden').notNull().default(false),
    isVisible: boolean('is_visible')
      .notNull()
      .generatedAlwaysAs(sql`not is_hidden and not is_shop_hidden`),
    /** Override the seller's rates by country. The API's `shippingPrices` are both merged. */
    shippingPrices: jsonb('shipping_prices').$type<ShippingCents>().notNull().default({}),
    rating: doublePrecision('rating').notNull().default(0),
    ratingCount: integer('rating_count').notNull().default(0),
    ratingScore: derived.ratingScore(),
    /** Units of paid orders in the last 90 days. */
    unitsSold: integer('units_sold').notNull().default(0),
    // A trigger derives these from the variants, for search: option names and values, and SKUs and barcodes.
    optionWords: text('option_words').notNull().default(''),
    codes: text('codes').notNull().default(''),
    /**
     * Words of all columns except the description, set by a trigger. Weights: A for the kind of product, B for
     * attributes, C for shop and codes.
     */
    named: tsvector('named'),
    /** `named`, and the description's words with weight D. A trigger sets it. */
    search: tsvector('search'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  table => [
    unique('products_seller_handle').on(table.sellerId, table.handle),
    index('products_seller_id_handle')
      .on(table.sellerId, table.idHandle)
      .where(sql`id_handle is not null`),
    check('products_price', sql`${table.priceCents} >= 0`),
    check('products_discount', sql`${table.discount} between 0 and 100`),
    // Each listing's index holds its sort order and its filters, so that only one page's rows are read.
    index('products_top')
      .on(...derived.topSellingOrder(table), table.finalCents, table.optionSet, table.brand)
      .where(sql`is_visible`),
    index('products_category_top')
      .on(table.category, ...derived.topSellingOrder(table), table.finalCents, table.optionSet, table.brand)
      .where(sql`is_visible`),
    index('products_seller_top')
      .on(table.sellerId, ...derived.topSellingOrder(table), table.optionSet, table.brand)
      .where(sql`is_visible`),
    index('products_price')
      .on(table.finalCents, table.id, table.rating, table.highestCents, table.optionSet, table.brand)
      .where(sql`is_visible`),
    index('products_category_price')
      .on(table.category, table.finalCents, table.id, table.rating, table.highestCents, table.optionSet, table.brand)
      .where(sql`is_visible`),
    // Small, for counting products by filter.
    index('products_filters')
      .on(
        table.category,
        ...derived.filtersOf(table),
        table.highestCents,
        table.shownDiscount,
        table.isAvailable,
        table.facetGroup,
        table.id,
      )
      .where(sql`is_visible`),
    // The products that have their own shipping prices.
    index('products_own_shipping')
      .using('gin', table.shippingPrices)
      .where(sql`is_visible and shipping_prices <> '{}'`),
    // The products whose variants differ in price.
    index('products_prices')
      .on(table.finalCents, table.highestCents, table.category, table.rating, table.optionSet, table.id)
      .where(sql`is_visible and final_cents <> highest_cents`),
    // For counting the products of chosen options by brand, shop and facets.
    index('products_option_set')
      .on(
        table.optionSet,
        table.brand,
        table.sellerId,
        table.facetGroup,
        table.finalCents,
        table.highestCents,
        table.rating,
        table.shownDiscount,
        table.isAvailable,
      )
      .where(sql`is_visible`),
    index('products_brand')
      .on(table.brand, table.optionSet)
      .where(sql`is_visible`),
    index('products_rating')
      .on(table.rating.desc(), table.id, table.finalCents, table.highestCents, table.optionSet, table.brand)
      .where(sql`is_visible`),
    index('products_newest')
      .on(
        table.isAvailable.desc(),
        table.createdAt.desc(),
        table.id,
        table.category,
        ...derived.filtersOf(table),
        table.shownDiscount,
      )
      .where(sql`is_visible`),
    index('products_best_rated')
      .on(
        table.isAvailable.desc(),
        table.ratingScore.desc(),
        table.id,
        table.category,
        ...derived.filtersOf(table),
        table.shownDiscount,
      )
      .where(sql`is_visible`),
    index('products_biggest_discount')
      .on(table.isAvailable.desc(), table.shownDiscount.desc(), table.id, table.category, ...derived.filtersOf(table))
      .where(sql`is_visible`),
    index('products_named').using('gin', table.named),
    index('products_search').using('gin', table.search),
    index('products_words')
      .using('gin', derived.nameWords(sql`${table.name} || ' ' || ${table.brand}`))
      .where(sql`is_visible`),
  ],
)

/** The versions of a product that can be bought, such as its sizes. A product without options has one variant. */
export const variants = pgTable(
  'variants',
  {
    id: id(),
    productId: belongsTo('product_id', () => products.id),
    /** The place in the seller's order. */
    position: integer('position').notNull(),
    /** Option name → value, in the seller's order; empty for the only variant of a product without options. */
    options: jsonb('options').$type<[name: string, value: string][]>().notNull().default([]),
    sku: text('sku').notNull().default(''),
    /** GTIN, EAN, UPC or ISBN. */
    barcode: text('barcode').notNull().default(''),
    priceCents: integer('price_cents').notNull(),
    discount: derived.discount('discount').notNull().default(0),
    compareAtCents: integer('compare_at_cents'),
    finalCents: derived.finalCents(),
    /** Negative for units that were sold before the seller had them. */
    stock: integer('stock').notNull().default(0),
    sellsWithoutStock: boolean('sells_without_stock').notNull().default(false),
    canBeBought: boolean('can_be_bought')
      .notNull()
      .generatedAlwaysAs(sql`stock > 0 or sells_without_stock`),
    weightGrams: integer('weight_grams'),
    /** One of the product's pictures, by its hash or source. */
    picture: jsonb('picture').$type<StoredPicture>(),
    /** Columns of the seller's file that the shop does not use, but exports again. */
    extra: jsonb('extra').$type<Record<string, string>>().notNull().default({}),
  },
  table => [
    index('variants_product').on(table.productId, table.position),
    check('variants_price', sql`${table.priceCents} >= 0`),
    check('variants_discount', sql`${table.discount} between 0 and 100`),
    check('variants_stock', sql`${table.stock} >= 0 or ${table.sellsWithoutStock}`),
  ],
)

/** A variant's price after its discount, from a point in time on. Triggers add a row for each change. */
export const variantPrices = pgTable(
  'variant_prices',
  {
    variantId: belongsTo('variant_id', () => variants.id),
    since: moment('since').notNull().defaultNow(),
    finalCents: integer('final_cents').notNull(),
  },
  table => [primaryKey({ columns: [table.variantId, table.since] })],
)
