import { eq, getTableColumns, inArray, or } from 'drizzle-orm'
import { valueKey } from '#contract/filters.ts'
import { shopSlug } from '#contract/rules.ts'
import { variantTitle } from '#contract/variants.ts'
import type { Db, Tx } from '#server/db/types.ts'
import { products, sellers, variants } from '#server/db/schema.ts'
import { transact } from '#server/db/transact.ts'
import { lockVariants, readVariants, stockOfProduct } from '../variants.ts'
import { ConflictError, NotFoundError } from '#server/platform/errors.ts'
import { singleLine } from '#server/platform/single-line.ts'

/** The most variants that an error message names. */
const MAX_NAMED = 20

export interface ProductChanges {
  priceCents?: number | undefined
  /** Percent, up to four decimals. */
  discount?: number | undefined
  /** Units for sale. Units held for unpaid orders are not included; they are added when they are released. */
  stock?: number | undefined
  isHidden?: boolean | undefined
}

/**
 * A changed product with the price of its cheapest variant, the `stock` of all variants, and whether any is sold
 * without it.
 */
export type Changed = Pick<
  typeof products.$inferSelect,
  'slug' | 'priceCents' | 'discount' | 'finalCents' | 'isHidden'
> & { stock: number; sellsWithoutStock: boolean }

/**
 * Changes a product or, with `name`, one of its variants. `name` is the variant's SKU, or its title in any letter case,
 * such as 'Size 43, Blue' or '43 / Blue'. Without `name`, a new discount applies to all variants, and a new price to
 * all that cost as much as the cheapest. Throws a `NotFoundError` for an unknown slug or name, and a `ConflictError`
 * for a new stock of several variants; the messages list the names of the variants.
 */
export async function changeProduct(db: Db, slug: string, changes: ProductChanges, name?: string): Promise<Changed> {
  const { isHidden, stock, priceCents, discount } = changes
  return transact(db, async tx => {
    await lockVariants(tx, eq(products.slug, slug))
    const [product] = await tx.select().from(products).where(eq(products.slug, slug)).for('update')
    if (!product) throw new NotFoundError(`No product has the slug '${slug}'`)
    const known = await readVariants(tx, product.id)
    const meant = name === undefined ? known : findNamed(known, name)
    if (meant.length === 0)
      throw new NotFoundError(`No variant of ${slug} is called '${name}': ${describeKnown(known)}`)
    if (stock !== undefined && meant.length > 1) {
      const called = name === undefined ? '' : ` called '${name}'`
      const names = listNames(meant, known)
      throw new ConflictError(`${slug} has ${meant.length} variants${called}: name one with --variant: ${names}`)
    }
    for (const variant of meant) {
      const isRepriced = name !== undefined || variant.finalCents === product.finalCents
      await changeVariant(tx, variant, { stock, discount, ...(isRepriced && { priceCents }) })
    }
    await tx
      .update(products)
      .set({ updatedAt: new Date(), isHidden: isHidden ?? product.isHidden })
      .where(eq(products.id, product.id))
    const [changed] = await tx
      .select({ ...getTableColumns(products), ...stockOfProduct })
      .from(products)
      .where(eq(products.id, product.id))
    return changed as Changed
  })
}

type StoredVariant = typeof variants.$inferSelect

/** The variants with this SKU or, if there is none, this title. */
function findNamed(known: StoredVariant[], name: string): StoredVariant[] {
  const key = valueKey(name)
  if (key === '') return []
  const bySku = known.filter(({ sku }) => sku === name.trim())
  if (bySku.length > 0) return bySku
  return known.filter(({ options }) =>
    [variantTitle(options), shortTitle(options)].some(each => valueKey(each) === key),
  )
}

/** The values of a variant: '43 / Blue'. */
function shortTitle(options: StoredVariant['options']): string {
  return options.map(([, value]) => value).join(' / ')
}

function describeKnown(known: StoredVariant[]): string {
  return known.length === 1 ? 'it has only one, leave --variant out' : `its variants are ${listNames(known, known)}`
}

/** Names for `--variant`: the SKU of a variant or, if others of the product have it too, its title. */
function listNames(named: StoredVariant[], known: StoredVariant[]): string {
  const nameOf = ({ id, sku, options }: StoredVariant) => {
    const isOwn = sku !== '' && known.every(other => other.id === id || other.sku !== sku)
    return `'${singleLine(isOwn ? sku : variantTitle(options))}'`
  }
  const more = named.length - MAX_NAMED
  return named.slice(0, MAX_NAMED).map(nameOf).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

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
  changes: { isVerified?: boolean; hasAi?: boolean; refundsShipping?: boolean },
): Promise<typeof sellers.$inferSelect> {
  const { id } = await findSeller(db, named)
  const [changed] = await db.update(sellers).set(changes).where(eq(sellers.id, id)).returning()
  if (!changed) throw new NotFoundError(`No shop is called '${named}'`)
  return changed
}
