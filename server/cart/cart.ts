import { and, eq, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import { MAX_CART_LINES } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { cartLines, products, type CartSnapshot } from '../db/schema.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { isVisible } from '../catalogue/products.ts'
import { ConflictError, InvalidInputError, NotFoundError } from '../platform/errors.ts'

type Product = typeof products.$inferSelect

/** The same error for a missing line and for another customer's. */
const notInCart = () => new NotFoundError('This is not in your cart')
const outOfStock = () => new ConflictError('Out of stock')

/**
 * Adds units of a product to the customer's cart, at the current price. Throws a `NotFoundError` for a product that is
 * not on sale, and a `ConflictError` for more units than in stock or more lines than `MAX_CART_LINES`.
 */
export async function addToCart(db: Db, userId: string, productId: string, quantity: number): Promise<void> {
  await db.transaction(async tx => {
    const [product] = await tx
      .select()
      .from(products)
      .where(and(eq(products.id, productId), isVisible))
    if (!product) throw new NotFoundError('Product not found')
    if (product.stock < quantity) throw outOfStock()
    await lockCustomer(tx, userId)
    await refuseAnotherLine(tx, userId, productId)
    const agreed = { agreedCents: product.finalCents, snapshot: snapshotOf(product), removedAt: null }
    // Adding a product again after its removal starts at zero units, as a new line would.
    const total = sql<number>`case when ${cartLines.removedAt} is null then ${cartLines.quantity} else 0 end + ${quantity}`
    const added = await tx
      .insert(cartLines)
      .values({ userId, productId, quantity, ...agreed })
      .onConflictDoUpdate({
        target: [cartLines.userId, cartLines.productId],
        set: {
          ...agreed,
          quantity: total,
          createdAt: sql`case when ${cartLines.removedAt} is null then ${cartLines.createdAt} else now() end`,
        },
        setWhere: lte(total, product.stock),
      })
      .returning({ id: cartLines.id })
    if (added.length === 0) throw outOfStock()
  })
}

async function refuseAnotherLine(tx: Tx, userId: string, productId: string): Promise<void> {
  const [found] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      isThere: sql<boolean>`coalesce(bool_or(${cartLines.productId} = ${productId}), false)`,
    })
    .from(cartLines)
    .where(ownLines(userId))
  if (found && found.count >= MAX_CART_LINES && !found.isThere) throw new ConflictError('Your cart is full')
}

/**
 * Adds one unit. Throws a `ConflictError` when the stock has no more, and a `NotFoundError` for a line that is not in
 * the customer's cart.
 */
export async function increaseQuantity(db: Db, userId: string, lineId: string): Promise<void> {
  const changed = await db
    .update(cartLines)
    .set({ quantity: sql`${cartLines.quantity} + 1` })
    .from(products)
    .where(
      and(
        ownLine(userId, lineId),
        eq(products.id, cartLines.productId),
        isVisible,
        lt(cartLines.quantity, products.stock),
      ),
    )
    .returning({ id: cartLines.id })
  if (changed.length > 0) return
  await refuseMissing(db, userId, lineId)
  throw outOfStock()
}

/**
 * Takes one unit away. Throws a `ConflictError` for the last unit, and a `NotFoundError` for a line that is not in the
 * customer's cart.
 */
export async function decreaseQuantity(db: Db, userId: string, lineId: string): Promise<void> {
  const changed = await db
    .update(cartLines)
    .set({ quantity: sql`${cartLines.quantity} - 1` })
    .where(and(ownLine(userId, lineId), sql`${cartLines.quantity} > 1`))
    .returning({ id: cartLines.id })
  if (changed.length > 0) return
  await refuseMissing(db, userId, lineId)
  throw new InvalidInputError('The quantity cannot go below 1')
}

async function refuseMissing(db: Db, userId: string, lineId: string): Promise<void> {
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
  await db.transaction(async tx => {
    await lockCustomer(tx, userId)
    const own = and(eq(cartLines.id, lineId), eq(cartLines.userId, userId))
    const [line] = await tx.select({ productId: cartLines.productId }).from(cartLines).where(own)
    if (!line) throw notInCart()
    await refuseAnotherLine(tx, userId, line.productId)
    await tx.update(cartLines).set({ removedAt: null }).where(own)
  })
}

/** The customer accepts the current prices of all products in the cart. */
export async function acceptPrices(db: Db, userId: string): Promise<void> {
  await db
    .update(cartLines)
    .set({ agreedCents: products.finalCents })
    .from(products)
    .where(and(ownLines(userId), eq(products.id, cartLines.productId), isVisible))
}

/** Deletes lines that were removed earlier than `before`. */
export async function sweepRemovedLines(db: Db | Tx, before: Date): Promise<void> {
  await db.delete(cartLines).where(and(isNotNull(cartLines.removedAt), lt(cartLines.removedAt, before)))
}

/** Condition for the lines in a customer's cart, without removed ones. */
export function ownLines(userId: string) {
  return and(eq(cartLines.userId, userId), isNull(cartLines.removedAt))
}

function ownLine(userId: string, lineId: string) {
  return and(eq(cartLines.id, lineId), ownLines(userId))
}

function snapshotOf({ slug, name, category, brand, sellerId, shopName, pictures }: Product): CartSnapshot {
  return { slug, name, category, brand, sellerId, shopName, picture: pictures[0] }
}
