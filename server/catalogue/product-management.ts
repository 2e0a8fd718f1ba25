import { and, asc, eq, getTableColumns, ilike, or, sql } from 'drizzle-orm'
import { valueKey } from '#contract/filters.ts'
import { variantTitle } from '#contract/variants.ts'
import type { Db, Tx } from '../db/types.ts'
import { cartLines, orderLines, products, reviews, sellers, type ShippingCents, variants } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { recordAudit } from '../platform/audit.ts'
import { singleLine } from '../platform/single-line.ts'
import { rateShops } from './ratings.ts'
import { findSeller } from './seller-management.ts'
import { containing } from './containing.ts'
import { lockVariants, readVariants, stockOfProduct } from './variants.ts'

/** The most variants that an error message names. */
const MAX_NAMED = 20

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

/** Tells operators how to find the product that they mean. */
export function noProduct(slug: string): NotFoundError {
  return new NotFoundError(`No product has the slug '${slug}': 'product list TEXT' finds it by a part of its name`)
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
  if (!found) throw noProduct(slug)
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
    if (!product) throw noProduct(slug)
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
    if (isHidden !== undefined) await rateShops(tx, [product.sellerId])
    const [changed] = await tx.select(columns).from(products).where(eq(products.id, product.id))
    const details = { id: product.id, slug, variant: name, ...changes }
    await recordAudit(tx, { event: 'product_changed', outcome: 'ok', details })
    return changed as Changed
  })
}

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
