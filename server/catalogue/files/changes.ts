import { eq, getTableColumns, inArray, or } from 'drizzle-orm'
import { shopSlug } from '#contract/rules.ts'
import type { Db, Tx } from '../../db/types.ts'
import { products, sellers, type ShippingCents, variants } from '../../db/schema.ts'
import { transact } from '../../db/transact.ts'
import { countedOfProduct, lockVariants, readVariants } from '../variants.ts'
import { ConflictError, NotFoundError } from '../../platform/errors.ts'

export interface ProductChanges {
  priceCents?: number | undefined
  /** Percent, up to four decimals. */
  discount?: number | undefined
  /** Units for sale, not counting those held for unpaid orders, which are added when they are released. */
  stock?: number | undefined
  isHidden?: boolean | undefined
}

/** A changed product; its price is that of the cheapest variant. `stock` counts the units of all variants. */
export type Changed = Pick<
  typeof products.$inferSelect,
  'slug' | 'priceCents' | 'discount' | 'finalCents' | 'isHidden'
> & { stock: number }

/**
 * Changes one product, or with `sku` one of its variants. Without it, a new price applies to all variants that cost as
 * much as the cheapest. Throws a `NotFoundError` for an unknown slug or SKU, and a `ConflictError` for a new stock of
 * several variants.
 */
export async function changeProduct(db: Db, slug: string, changes: ProductChanges, sku?: string): Promise<Changed> {
  const { isHidden, stock, priceCents, discount } = changes
  return transact(db, async tx => {
    await lockVariants(tx, eq(products.slug, slug))
    const [product] = await tx.select().from(products).where(eq(products.slug, slug)).for('update')
    if (!product) throw new NotFoundError(`No product has the slug '${slug}'`)
    const known = await readVariants(tx, product.id)
    const meant = sku === undefined ? known : known.filter(variant => variant.sku === sku)
    if (meant.length === 0) throw new NotFoundError(`No variant of ${slug} has the SKU '${sku}'`)
    if (stock !== undefined && meant.length > 1)
      throw new ConflictError(
        sku === undefined
          ? `${slug} has ${meant.length} variants: name one with --variant SKU`
          : `${meant.length} variants of ${slug} have the SKU '${sku}': their stock cannot be told apart`,
      )
    for (const variant of meant) {
      const isRepriced = sku !== undefined || variant.finalCents === product.finalCents
      await changeVariant(tx, variant, { stock, ...(isRepriced && { priceCents, discount }) })
    }
    await tx
      .update(products)
      .set({ updatedAt: new Date(), isHidden: isHidden ?? product.isHidden })
      .where(eq(products.id, product.id))
    const [changed] = await tx
      .select({ ...getTableColumns(products), stock: countedOfProduct })
      .from(products)
      .where(eq(products.id, product.id))
    return changed as Changed
  })
}

type StoredVariant = typeof variants.$inferSelect

async function changeVariant(tx: Tx, variant: StoredVariant, changes: Omit<ProductChanges, 'isHidden'>): Promise<void> {
  const { priceCents = variant.priceCents, discount = variant.discount, stock = variant.stock } = changes
  const isRepriced = priceCents !== variant.priceCents || discount !== variant.discount
  if (!isRepriced && stock === variant.stock) return
  await tx
    .update(variants)
    // The seller's compare-at price belonged to the old price.
    .set({ priceCents, discount, stock, ...(isRepriced && { compareAtCents: null }) })
    .where(eq(variants.id, variant.id))
}

/** Adds a shop and returns its key. Throws a `ConflictError` for a name that another shop has. */
export async function addSeller(
  db: Db,
  shop: { shopName: string; description: string; isVerified: boolean; email?: string | undefined },
): Promise<string> {
  const key = shopSlug(shop.shopName)
  const [other] = await db.select({ key: sellers.key }).from(sellers).where(eq(sellers.shopName, shop.shopName))
  if (other) throw new ConflictError(`There is a shop '${other.key}' already`)
  const added = await db
    .insert(sellers)
    .values({ ...shop, key })
    .onConflictDoNothing()
    .returning({ key: sellers.key })
  if (added.length === 0) throw new ConflictError(`There is a shop '${key}' already`)
  return key
}

/** A shop by its key, name or id. Throws a `NotFoundError` if there is none, a `ConflictError` if several match. */
export async function findSeller(db: Db, named: string): Promise<typeof sellers.$inferSelect> {
  const isNamed = or(inArray(sellers.key, [named, shopSlug(named)]), eq(sellers.shopName, named), eq(sellers.id, named))
  const found = await db.select().from(sellers).where(isNamed)
  if (found.length > 1) throw new ConflictError(`More than one shop is called '${named}'`)
  const [seller] = found
  if (!seller) throw new NotFoundError(`No shop is called '${named}'`)
  return seller
}

/** Changes a shop, named as for `findSeller`. */
export async function changeSeller(
  db: Db,
  named: string,
  changes: { isVerified?: boolean; hasAi?: boolean; shippingRates?: ShippingCents },
): Promise<typeof sellers.$inferSelect> {
  const { id } = await findSeller(db, named)
  const [changed] = await db.update(sellers).set(changes).where(eq(sellers.id, id)).returning()
  if (!changed) throw new NotFoundError(`No shop is called '${named}'`)
  return changed
}
