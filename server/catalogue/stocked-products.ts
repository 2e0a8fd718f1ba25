import { and, asc, eq, getTableColumns, ilike, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { cartLines, orderLines, products, reviews, sellers, type ShippingCents, type variants } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { NotFoundError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { findSeller } from './files/changes.ts'
import { rateShops } from './upkeep.ts'
import { containing } from './containing.ts'
import { lockVariants, readVariants, stockOfProduct } from './variants.ts'

type StoredVariant = typeof variants.$inferSelect
/** `stock` counts the units of all variants; any of them may be sold without stock. */
export type StockedProduct = typeof products.$inferSelect & { stock: number; sellsWithoutStock: boolean }

const columns = { ...getTableColumns(products), ...stockOfProduct }

interface ProductFilter {
  /** Part of the slug or name. */
  text: string
  /** A shop, named as for `findSeller`. */
  shop?: string | undefined
  isHiddenOnly: boolean
  limit: number
}

/** Products by slug, including hidden ones. Throws the errors of `findSeller`. */
export async function listProducts(
  db: Db,
  { text, shop, isHiddenOnly, limit }: ProductFilter,
): Promise<StockedProduct[]> {
  const seller = shop === undefined ? undefined : await findSeller(db, shop)
  return db
    .select(columns)
    .from(products)
    .where(
      and(
        or(ilike(products.slug, containing(text)), ilike(products.name, containing(text))),
        seller && eq(products.sellerId, seller.id),
        isHiddenOnly ? sql`not ${products.isVisible}` : undefined,
      ),
    )
    .orderBy(asc(products.slug))
    .limit(limit)
}

export interface ProductDetails {
  product: StockedProduct
  shop: { key: string; shopName: string }
  shippingPrices: ShippingCents
  /** In the seller's order. */
  variants: StoredVariant[]
  /** The number of order lines with it, including those of cancelled orders. */
  orderCount: number
  cartCount: number
  reviewCount: number
}

/** A product with counts of the records that refer to it. Throws a `NotFoundError` for an unknown slug. */
export async function readProductDetails(db: Db | Tx, slug: string): Promise<ProductDetails> {
  const [found] = await db
    .select({
      product: columns,
      shop: { key: sellers.key, shopName: sellers.shopName },
      shippingPrices: sql<ShippingCents>`${sellers.shippingRates} || ${products.shippingPrices}`,
    })
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(eq(products.slug, slug))
  if (!found) throw new NotFoundError(`No product has the slug '${slug}'`)
  const { id } = found.product
  return {
    ...found,
    variants: await readVariants(db, id),
    orderCount: await db.$count(orderLines, eq(orderLines.productId, id)),
    cartCount: await db.$count(cartLines, eq(cartLines.productId, id)),
    reviewCount: await db.$count(reviews, eq(reviews.productId, id)),
  }
}

/**
 * Deletes a product with its variants and reviews. Orders keep their lines; carts show that it is no longer sold.
 * Throws a `NotFoundError` for an unknown slug.
 */
export async function removeProduct(db: Db, slug: string): Promise<ProductDetails> {
  return transact(db, async tx => {
    await lockVariants(tx, eq(products.slug, slug))
    await tx.select({ id: products.id }).from(products).where(eq(products.slug, slug)).for('update')
    const details = await readProductDetails(tx, slug)
    const { id, sellerId } = details.product
    const { orderCount } = details
    await tx.delete(products).where(eq(products.id, id))
    await rateShops(tx, [sellerId])
    await recordAudit(tx, { event: 'product_removed', outcome: 'ok', details: { id, slug, sellerId, orderCount } })
    return details
  })
}
