import { eq, inArray, or } from 'drizzle-orm'
import { discountedCents, shopSlug } from '#contract/rules.ts'
import type { Db, Tx } from '../../db/types.ts'
import { products, sellers, type ShippingCents, variants } from '../../db/schema.ts'
import { spreadStock } from './export.ts'
import { variantsOf } from './lookup.ts'
import { ConflictError, NotFoundError } from '../../platform/errors.ts'

export interface ProductChanges {
  priceCents?: number | undefined
  /** Percent, up to four decimals. */
  discount?: number | undefined
  /** Units for sale, not counting those held for unpaid orders, which are added when they are released. */
  stock?: number | undefined
  isHidden?: boolean | undefined
}

export type Changed = Pick<
  typeof products.$inferSelect,
  'slug' | 'priceCents' | 'discount' | 'finalCents' | 'stock' | 'isHidden'
>

/**
 * Changes one product. Variants with the product's old price get the new one; the new stock is spread over the
 * variants. Throws a `NotFoundError` for an unknown slug.
 */
export async function changeProduct(db: Db, slug: string, changes: ProductChanges): Promise<Changed> {
  return db.transaction(async tx => {
    const [product] = await tx.select().from(products).where(eq(products.slug, slug)).for('update')
    if (!product) throw new NotFoundError(`No product has the slug '${slug}'`)
    const { priceCents = product.priceCents, discount = product.discount, stock = product.stock } = changes
    const isRepriced = priceCents !== product.priceCents || discount !== product.discount
    await changeVariants(tx, product, { isRepriced, priceCents, discount, stock })
    const [changed] = await tx
      .update(products)
      .set({
        priceCents,
        discount,
        stock,
        updatedAt: new Date(),
        isHidden: changes.isHidden ?? product.isHidden,
        // The seller's compare-at price belonged to the old price.
        ...(isRepriced && { compareAtCents: null }),
      })
      .where(eq(products.id, product.id))
      .returning()
    return changed as Changed
  })
}

interface NewFigures {
  isRepriced: boolean
  priceCents: number
  discount: number
  stock: number
}

async function changeVariants(tx: Tx, product: typeof products.$inferSelect, figures: NewFigures): Promise<void> {
  const { isRepriced, priceCents, discount, stock } = figures
  const known = (await variantsOf(tx, [product.id])).get(product.id) ?? []
  if (known.length === 0 || (!isRepriced && stock === product.stock)) return
  const stocks =
    stock === product.stock
      ? known.map(variant => variant.stock)
      : spreadStock(
          known.map(variant => variant.stock),
          stock,
        )
  const price = {
    priceCents: discountedCents({ priceCents, discount }),
    compareAtCents: discount > 0 ? priceCents : null,
  }
  const rows = known.map((variant, position) => ({
    ...variant,
    ...(isRepriced && variant.priceCents === product.finalCents && price),
    stock: stocks[position] ?? 0,
    productId: product.id,
    position,
  }))
  await tx.delete(variants).where(eq(variants.productId, product.id))
  await tx.insert(variants).values(rows)
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
