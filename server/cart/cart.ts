import { and, eq, isNotNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/types.ts'
import { cartLines, products, variants } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { isVisible } from '../catalogue/products.ts'
import { orderableUnits } from '../catalogue/variants.ts'
import { InvalidInputError, NotFoundError } from '../platform/errors.ts'
import {
  addUnits,
  countOtherLines,
  notInCart,
  outOfStock,
  ownLine,
  ownLines,
  readChosen,
  readVariantForSale,
  requireRoom,
  snapshotOf,
  tooFew,
} from './lines.ts'

/** What a customer puts into the cart. Without `variantId`, the product's only variant. */
interface Addition {
  productId: string
  variantId?: string | undefined
  quantity: number
}

/**
 * Adds units of a variant to the customer's cart, at the current price. Throws a `NotFoundError` for a product or
 * variant that is not for sale, a `ConflictError` for more units than in stock or more lines than `MAX_CART_LINES`, and
 * a `ChooseOptionsError` for a product with several variants when none is given.
 */
export async function addToCart(db: Db, userId: string, { productId, variantId, quantity }: Addition): Promise<void> {
  await transact(db, async tx => {
    const sold = await readChosen(tx, productId, variantId)
    if (!sold) throw new NotFoundError('Product not found')
    if (sold.units < quantity) throw outOfStock()
    await lockCustomer(tx, userId)
    const agreed = { agreedCents: sold.variant.finalCents, snapshot: snapshotOf(sold) }
    const line = { userId, productId, variantId: sold.variant.id, quantity, ...agreed }
    if (!(await addUnits(tx, line, sold.units))) throw outOfStock()
  })
}

/**
 * Adds one unit. A single statement that reads the newest quantity, so that simultaneous calls need no lock. Throws a
 * `ConflictError` when the stock has no more, and a `NotFoundError` for a line that is not in the customer's cart.
 */
export async function increaseQuantity(db: Db, userId: string, lineId: string): Promise<void> {
  const changed = await db
    .update(cartLines)
    .set({ quantity: sql`${cartLines.quantity} + 1` })
    .from(variants)
    .innerJoin(products, eq(products.id, variants.productId))
    .where(and(soldLine(userId, lineId), lt(cartLines.quantity, orderableUnits)))
    .returning({ id: cartLines.id })
  if (changed.length > 0) return
  await requireLine(db, userId, lineId)
  throw outOfStock()
}

/**
 * Sets the units of a line. Throws a `ConflictError` that says how many are left for more units than in stock, and a
 * `NotFoundError` for a line that is not in the customer's cart.
 */
export async function setQuantity(db: Db, userId: string, lineId: string, quantity: number): Promise<void> {
  await transact(db, async tx => {
    const changed = await tx
      .update(cartLines)
      .set({ quantity })
      .from(variants)
      .innerJoin(products, eq(products.id, variants.productId))
      .where(and(soldLine(userId, lineId), lte(sql`${quantity}::int`, orderableUnits)))
      .returning({ id: cartLines.id })
    if (changed.length > 0) return
    const [line] = await tx.select().from(cartLines).where(ownLine(userId, lineId))
    if (!line) throw notInCart()
    const sold = await readVariantForSale(tx, line.productId, line.variantId)
    throw sold ? tooFew(sold) : outOfStock()
  })
}

/** Condition for a line of a customer's cart, joined with its variant and product, that is for sale. */
function soldLine(userId: string, lineId: string) {
  return and(ownLine(userId, lineId), eq(variants.id, cartLines.variantId), isVisible)
}

/**
 * Takes one unit away. Throws an `InvalidInputError` for the last unit, and a `NotFoundError` for a line that is not in
 * the customer's cart.
 */
export async function decreaseQuantity(db: Db, userId: string, lineId: string): Promise<void> {
  const changed = await db
    .update(cartLines)
    .set({ quantity: sql`${cartLines.quantity} - 1` })
    .where(and(ownLine(userId, lineId), sql`${cartLines.quantity} > 1`))
    .returning({ id: cartLines.id })
  if (changed.length > 0) return
  await requireLine(db, userId, lineId)
  throw new InvalidInputError('The quantity cannot go below 1')
}

/**
 * Changes the variant of a line, at its current price. An existing line of that variant is merged into this one. Throws
 * a `ConflictError` for more units than in stock, and a `NotFoundError` for a line that is not in the customer's cart
 * or a variant that its product is not sold as.
 */
export async function changeVariant(db: Db, userId: string, lineId: string, variantId: string): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    const own = await tx
      .select()
      .from(cartLines)
      .where(and(eq(cartLines.userId, userId), or(eq(cartLines.id, lineId), eq(cartLines.variantId, variantId))))
      .orderBy(cartLines.id)
      .for('update')
    const line = own.find(({ id, removedAt }) => id === lineId && !removedAt)
    if (!line) throw notInCart()
    if (line.variantId === variantId) return
    const sold = await readVariantForSale(tx, line.productId, variantId)
    if (!sold) throw new NotFoundError('Product not found')
    const other = own.find(({ id, productId }) => id !== lineId && productId === line.productId)
    const quantity = line.quantity + (other && !other.removedAt ? other.quantity : 0)
    if (sold.units < quantity) throw tooFew(sold)
    if (other) await tx.delete(cartLines).where(eq(cartLines.id, other.id))
    const agreed = { agreedCents: sold.variant.finalCents, snapshot: snapshotOf(sold) }
    await tx
      .update(cartLines)
      .set({ variantId, quantity, ...agreed })
      .where(eq(cartLines.id, lineId))
  })
}

async function requireLine(db: Db, userId: string, lineId: string): Promise<void> {
  const [line] = await db.select({ id: cartLines.id }).from(cartLines).where(ownLine(userId, lineId))
  if (!line) throw notInCart()
}

/**
 * Removes a line; `restoreLine` can undo it. Throws a `NotFoundError` for a line that is not in the customer's cart.
 */
export async function removeLine(db: Db, userId: string, lineId: string): Promise<void> {
  const removed = await db
    .update(cartLines)
    .set({ removedAt: new Date() })
    .where(ownLine(userId, lineId))
    .returning({ id: cartLines.id })
  if (removed.length === 0) throw notInCart()
}

/**
 * Puts a removed line back; changes nothing if it is in the cart. Throws a `NotFoundError` for an unknown or swept
 * line, and a `ConflictError` when the cart is full.
 */
export async function restoreLine(db: Db, userId: string, lineId: string): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    const own = and(eq(cartLines.id, lineId), eq(cartLines.userId, userId))
    const [line] = await tx.select().from(cartLines).where(own)
    if (!line) throw notInCart()
    requireRoom(await countOtherLines(tx, line))
    await tx.update(cartLines).set({ removedAt: null }).where(own)
  })
}

/** The customer accepts the current prices of everything in the cart. */
export async function acceptPrices(db: Db, userId: string): Promise<void> {
  await transact(db, async tx => {
    // Placing an order locks the same lines, perhaps in another sequence.
    await lockCustomer(tx, userId)
    await tx
      .update(cartLines)
      .set({ agreedCents: variants.finalCents })
      .from(variants)
      .innerJoin(products, eq(products.id, variants.productId))
      .where(and(ownLines(userId), eq(variants.id, cartLines.variantId), isVisible))
  })
}

/** Deletes lines that were removed earlier than `before`. */
export async function sweepRemovedLines(db: Db | Tx, before: Date): Promise<void> {
  await db.delete(cartLines).where(and(isNotNull(cartLines.removedAt), lt(cartLines.removedAt, before)))
}
