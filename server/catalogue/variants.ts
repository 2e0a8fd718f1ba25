import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { MAX_STOCK } from '#contract/rules.ts'
import { type ChosenVariant, type Variant, variantTitle } from '#contract/variants.ts'
import type { Db, Tx } from '../db/types.ts'
import { products, type StoredPicture, variants, type VariantSnapshot } from '../db/schema.ts'
import { findPicture, pictureAddress } from './pictures.ts'

type StoredVariant = typeof variants.$inferSelect

// Qualified by hand: drizzle leaves table names out of selects from one table, and both tables have an id.
/** SQL for the units of a variant that can be ordered now: `MAX_STOCK` if it is sold without stock. */
export const orderableUnits = sql<number>`case when variants.sells_without_stock then ${sql.raw(String(MAX_STOCK))} else variants.stock end`

/** SQL for the units of all variants of a product that can be ordered now. */
export const orderableOfProduct = sql<number>`(
  select coalesce(least(sum(${orderableUnits}), ${sql.raw(String(MAX_STOCK))}), 0)::int
  from variants where variants.product_id = products.id
)`

/** SQL for the counted stock of a product, and whether any of its variants is sold without stock. */
export const stockOfProduct = {
  stock: sql<number>`(
    select coalesce(least(sum(greatest(variants.stock, 0)), ${sql.raw(String(MAX_STOCK))}), 0)::int
    from variants where variants.product_id = products.id
  )`,
  sellsWithoutStock: sql<boolean>`exists (
    select 1 from variants where variants.product_id = products.id and variants.sells_without_stock
  )`,
}

/** A variant as the API shows it. `units` is its `orderableUnits`, `pictures` are its product's. */
export function toVariant(
  variant: Pick<StoredVariant, 'id' | 'options' | 'sku' | 'barcode' | 'priceCents' | 'discount' | 'picture'>,
  units: number,
  pictures: StoredPicture[],
): Variant {
  const { id, barcode, priceCents, discount, picture, ...seen } = variant
  const own = picture && findPicture(picture, pictures)
  const image = own && pictureAddress(own)
  return { ...toChosen(id, seen), barcode, priceCents, discount, stock: units, ...(image && { image }) }
}

/** The variant of a cart or order line, for the API. */
export function toChosen(id: string, { options, sku }: VariantSnapshot = { options: [], sku: '' }): ChosenVariant {
  return { _id: id, title: variantTitle(options), options: Object.fromEntries(options), sku }
}

/** The variant as a line's snapshot; undefined if it has neither options nor a SKU. */
export function variantSnapshot({ options, sku }: VariantSnapshot): VariantSnapshot | undefined {
  return options.length > 0 || sku !== '' ? { options, sku } : undefined
}

/**
 * Locks the variants of these products, by id, as orders do. Lock them before the products: a sale of the last unit
 * changes the product's row while the variant is locked.
 */
export async function lockVariants(tx: Tx, isOfProducts: SQL | undefined): Promise<void> {
  const productIds = tx.select({ id: products.id }).from(products).where(isOfProducts)
  await lockVariantsWhere(tx, inArray(variants.productId, productIds))
}

/** Locks variants by id, the sequence in which all transactions lock them. */
export async function lockVariantsWhere(tx: Tx, condition: SQL): Promise<void> {
  await tx.select({ id: variants.id }).from(variants).where(condition).orderBy(variants.id).for('no key update')
}

/** All variants of a product, in the seller's order. */
export function readVariants(db: Db | Tx, productId: string): Promise<StoredVariant[]> {
  return db.select().from(variants).where(eq(variants.productId, productId)).orderBy(asc(variants.position))
}
