import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, SubqueryWithSelection } from 'drizzle-orm/pg-core'
import type { Product } from '#contract/product.ts'
import type { ListingSort } from '#contract/rules.ts'
import type { Variant } from '#contract/variants.ts'
import type { Db } from '../db/types.ts'
import { products, sellers, type ShippingCents } from '../db/schema.ts'
import { pictureAddress, toBanner } from './pictures.ts'
import { orderableOfProduct } from './variants.ts'

/** Neither the product nor its shop is hidden. */
export const isVisible = sql`${products.isVisible}`
/** Any variant can be bought. */
export const isAvailable = sql`${products.isAvailable}`

/** Descending as in the indexes: drizzle's `desc()` would put nulls first, and PostgreSQL could not use the index. */
function falling(column: PgColumn): SQL {
  return sql`${column} desc nulls last`
}

type Order = (SQL | PgColumn)[]

/** Except by price, sold-out products come last. */
export const ORDERS = {
  topSelling: [
    falling(products.isAvailable),
    falling(products.unitsSold),
    falling(products.isPromoted),
    falling(products.rating),
    products.id,
  ],
  'low-to-high': [products.finalCents, products.id],
  'high-to-low': [sql`${products.finalCents} desc`, sql`${products.id} desc`],
  newest: [falling(products.isAvailable), falling(products.createdAt), products.id],
  'best-rated': [falling(products.isAvailable), falling(products.ratingScore), products.id],
  'biggest-discount': [falling(products.isAvailable), falling(products.shownDiscount), products.id],
} satisfies Record<'topSelling' | ListingSort, Order>

/** What lines of carts and orders keep of a product. */
export const snapshotColumns = {
  slug: products.slug,
  name: products.name,
  category: products.category,
  brand: products.brand,
  sellerId: products.sellerId,
  shopName: products.shopName,
  pictures: products.pictures,
}

export const productColumns = {
  id: products.id,
  ...snapshotColumns,
  priceCents: products.priceCents,
  discount: products.discount,
  highestCents: products.highestCents,
  stock: orderableOfProduct,
  variantCount: products.variantCount,
  colourCount: products.colourCount,
  description: products.description,
  rating: products.rating,
  ratingCount: products.ratingCount,
  isPromoted: products.isPromoted,
  banner: products.banner,
  shippingPrices: sql<ShippingCents>`${sellers.shippingRates} || ${products.shippingPrices}`,
}

type Stored = typeof products.$inferSelect
/** A row of `productColumns`. */
export type ProductRow = Pick<Stored, Exclude<keyof typeof productColumns, 'shippingPrices' | 'stock'>> & {
  stock: number
  shippingPrices: ShippingCents
}

/** The product for the API. In lists, `variants` is empty. */
export function toProduct({ id, pictures, banner, ...row }: ProductRow, variants: Variant[] = []): Product {
  return {
    _id: id,
    ...row,
    images: pictures.flatMap(picture => pictureAddress(picture) ?? []),
    banner: toBanner(id, banner),
    variants,
  }
}

export interface Page {
  where?: SQL | undefined
  order: Order
  limit: number
  offset?: number
}

type PageIds = SubqueryWithSelection<{ pageId: typeof products.id }, 'page'>

/** The ids of one page of visible products. Reads only an index, even for pages far back. */
export function selectIds(db: Db, { where, order, limit, offset = 0 }: Page) {
  return db
    .select({ pageId: products.id })
    .from(products)
    .where(and(isVisible, where))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
}

/** One page of visible products in the given order; convert each row with `toProduct`. */
export function selectProducts(db: Db, page: Page, ids: PageIds = selectIds(db, page).as('page')) {
  return db
    .select(productColumns)
    .from(ids)
    .innerJoin(products, eq(products.id, ids.pageId))
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .orderBy(...page.order)
}
