import { and, eq, inArray, isNull, lte, ne, or, type Placeholder, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { MAX_CART_LINES, MAX_STOCK } from '#contract/rules.ts'
import { lineName, variantTitle } from '#contract/variants.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { cartLines, type CartSnapshot, products, variants } from '../db/schema.ts'
import { findPicture } from '../catalogue/pictures.ts'
import { soleVariant } from '../catalogue/choosing.ts'
import { isVisible, snapshotColumns } from '../catalogue/products.ts'
import { orderableUnits, variantSnapshot } from '../catalogue/variants.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'

/** The same error for a missing line and for another customer's. */
export const notInCart = () => new NotFoundError('This is not in your cart')
export const outOfStock = () => new ConflictError('Out of stock')

const soldColumns = {
  product: { id: products.id, ...snapshotColumns },
  variant: {
    id: variants.id,
    options: variants.options,
    sku: variants.sku,
    finalCents: variants.finalCents,
    picture: variants.picture,
  },
  /** Units that can be ordered. */
  units: orderableUnits,
}

/** A variant that is for sale. */
export type VariantForSale = Awaited<ReturnType<typeof selectVariants>>[number]

/** A variant of a product; undefined if it is not for sale. */
export async function readVariantForSale(
  tx: Tx,
  productId: string,
  variantId: string,
): Promise<VariantForSale | undefined> {
  const [sold] = await variantsOfProduct(tx).execute({ productId, variantId })
  return sold
}

/**
 * A variant of a product, without `variantId` its only one; undefined if it is not for sale. Throws a
 * `ChooseOptionsError` if the product has several.
 */
export async function readChosen(tx: Tx, productId: string, variantId?: string): Promise<VariantForSale | undefined> {
  if (variantId !== undefined) return readVariantForSale(tx, productId, variantId)
  const all = await variantsOfProduct(tx).execute({ productId, variantId: null })
  soleVariant(all.map(({ variant }) => variant))
  return all[0]
}

/** The variants that are for sale, by id. */
export async function readVariantsForSale(tx: Tx, variantIds: string[]): Promise<Map<string, VariantForSale>> {
  const sold = await selectVariants(tx).where(and(inArray(variants.id, variantIds), isVisible))
  return new Map(sold.map(each => [each.variant.id, each]))
}

/** One variant of a product or, if `variantId` is null, all; none if the product is not for sale. */
const variantsOfProduct = prepared(db => {
  const variantId = sql`${sql.placeholder('variantId')}::text`
  return selectVariants(db)
    .where(
      and(eq(products.id, sql.placeholder('productId')), isVisible, or(isNull(variantId), eq(variants.id, variantId))),
    )
    .orderBy(variants.position)
    .prepare('variants_of_product')
})

function selectVariants(db: Db | Tx) {
  return db.select(soldColumns).from(variants).innerJoin(products, eq(products.id, variants.productId)).$dynamic()
}

/** The error when a customer wants more units than there are: 'Only 3 left of Sneaker (Size 43)'. */
export function tooFew({ product, variant, units }: VariantForSale): ConflictError {
  if (units === 0) return outOfStock()
  return new ConflictError(`Only ${units} left of ${lineName(product.name, { title: variantTitle(variant.options) })}`)
}

/** Condition for the lines in a customer's cart, without removed ones. */
export function ownLines(userId: string | Placeholder) {
  return and(eq(cartLines.userId, userId), isNull(cartLines.removedAt))
}

/** Condition for one line of a customer's cart. */
export function ownLine(userId: string, lineId: string) {
  return and(eq(cartLines.id, lineId), ownLines(userId))
}

type NewLine = Pick<
  typeof cartLines.$inferInsert,
  'userId' | 'productId' | 'variantId' | 'quantity' | 'agreedCents' | 'snapshot'
>

/**
 * Adds units to the line of a variant, or a new line, at the given price. Returns false, and adds none, if the line
 * would have more than `most` units. Throws a `ConflictError` if the cart has no room for another line. The caller has
 * locked the customer.
 */
export async function addUnits(tx: Tx, line: NewLine, most = MAX_STOCK): Promise<boolean> {
  const [added] = await lineWithMoreUnits(tx).execute({ ...line, id: v7(), most })
  if (added) requireRoom(added.otherCount)
  return added !== undefined
}

const lineWithMoreUnits = prepared(db => {
  const line = {
    userId: sql.placeholder('userId'),
    productId: sql.placeholder('productId'),
    variantId: sql.placeholder('variantId'),
  }
  // Adding a variant again after its removal starts at zero units, as a new line would.
  const total = sql<number>`case when ${cartLines.removedAt} is null then ${cartLines.quantity} else 0 end + excluded.quantity`
  return db
    .insert(cartLines)
    .values({
      ...line,
      id: sql.placeholder('id'),
      quantity: sql.placeholder('quantity'),
      agreedCents: sql.placeholder('agreedCents'),
      snapshot: sql.placeholder('snapshot'),
    })
    .onConflictDoUpdate({
      target: [cartLines.userId, cartLines.productId, cartLines.variantId],
      set: {
        quantity: total,
        agreedCents: sql`excluded.agreed_cents`,
        snapshot: sql`excluded.seen`,
        removedAt: null,
        createdAt: sql`case when ${cartLines.removedAt} is null then ${cartLines.createdAt} else now() end`,
      },
      setWhere: lte(total, sql.placeholder('most')),
    })
    .returning({ otherCount: countOtherLines(db, line) })
    .prepare('line_with_more_units')
})

/** The lines in a customer's cart besides the one of this variant. */
export function countOtherLines(
  db: Db | Tx,
  { userId, productId, variantId }: Record<'userId' | 'productId' | 'variantId', string | Placeholder>,
) {
  const isOther = or(ne(cartLines.productId, productId), ne(cartLines.variantId, variantId))
  return db.$count(cartLines, and(ownLines(userId), isOther))
}

/** Throws a `ConflictError` if a cart with this many other lines has no room for another one. */
export function requireRoom(otherCount: number): void {
  if (otherCount >= MAX_CART_LINES) throw new ConflictError('Your cart is full')
}

/** Adds units to lines, or new lines, all or none. Throws a `ConflictError` if the cart has no room for them. */
export async function fillCart(tx: Tx, userId: string, lines: Omit<NewLine, 'userId'>[]): Promise<void> {
  for (const line of lines) if (!(await addUnits(tx, { userId, ...line }))) throw new ConflictError('Your cart is full')
}

/** The units in a customer's cart, by variant. */
export async function readUnitsInCart(tx: Tx, userId: string): Promise<Map<string, number>> {
  const own = await tx
    .select({ variantId: cartLines.variantId, quantity: cartLines.quantity })
    .from(cartLines)
    .where(ownLines(userId))
  return new Map(own.map(({ variantId, quantity }) => [variantId, quantity]))
}

/** What a cart line stores of its product. */
export function snapshotOf({ product, variant }: Pick<VariantForSale, 'product' | 'variant'>): CartSnapshot {
  const { slug, name, category, brand, sellerId, shopName, pictures } = product
  const picture = (variant.picture && findPicture(variant.picture, pictures)) ?? pictures[0]
  return { slug, name, category, brand, sellerId, shopName, picture, variant: variantSnapshot(variant) }
}
