import { and, desc, eq, ne, or, sql } from 'drizzle-orm'
import type { CartLine } from '#contract/cart.ts'
import { MAX_SAVED_LINES, MAX_STOCK } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { cartLines, savedLines } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import { toLines } from './cart-view.ts'
import { addUnits, notInCart, ownLine, readVariantForSale, readUnitsInCart, snapshotOf, tooFew } from './lines.ts'

/** The same error for a missing line and for another customer's. */
const notSaved = () => new NotFoundError('This is not saved for later')

/** The lines that the customer has saved for later, newest first, with current products, prices and stock. */
export async function readSavedLines(db: Db, userId: string): Promise<CartLine[]> {
  const stored = await db
    .select()
    .from(savedLines)
    .where(eq(savedLines.userId, userId))
    .orderBy(desc(savedLines.createdAt), desc(savedLines.id))
  return toLines(db, stored)
}

/**
 * Moves a line from the cart to the saved ones; the line of its variant, if there is one, gets its units. Throws a
 * `NotFoundError` for a line that is not in the customer's cart, and a `ConflictError` for more than `MAX_SAVED_LINES`.
 */
export async function saveForLater(db: Db, userId: string, lineId: string): Promise<void> {
  await transact(db, async tx => {
    await lockCustomer(tx, userId)
    const [line] = await tx.delete(cartLines).where(ownLine(userId, lineId)).returning()
    if (!line) throw notInCart()
    const { productId, variantId, quantity, agreedCents, snapshot } = line
    const isOther = or(ne(savedLines.productId, productId), ne(savedLines.variantId, variantId))
    const otherCount = await tx.$count(savedLines, and(eq(savedLines.userId, userId), isOther))
    if (otherCount >= MAX_SAVED_LINES) throw new ConflictError('Your list for later is full')
    await tx
      .insert(savedLines)
      .values({ userId, productId, variantId, quantity, agreedCents, snapshot })
      .onConflictDoUpdate({
        target: [savedLines.userId, savedLines.productId, savedLines.variantId],
        set: {
          quantity: sql`least(${savedLines.quantity} + ${quantity}, ${MAX_STOCK})`,
          agreedCents,
          snapshot,
          createdAt: sql`now()`,
        },
      })
  })
}

/**
 * Moves a saved line to the cart at the current price, with as many of its units as the stock allows besides those that
 * are already in the cart. Returns how many units did not fit. Throws a `NotFoundError` for a line that is not saved or
 * no longer sold, and a `ConflictError` when no unit is left for it or the cart is full.
 */
export async function moveToCart(db: Db, userId: string, savedId: string): Promise<number> {
  return transact(db, async tx => {
    await lockCustomer(tx, userId)
    const [saved] = await tx.delete(savedLines).where(ownSavedLine(userId, savedId)).returning()
    if (!saved) throw notSaved()
    const { productId, variantId } = saved
    const sold = await readVariantForSale(tx, productId, variantId)
    if (!sold) throw new NotFoundError('Product not found')
    const inCart = (await readUnitsInCart(tx, userId)).get(variantId) ?? 0
    const quantity = Math.min(saved.quantity, sold.units - inCart)
    if (quantity < 1) throw tooFew(sold)
    const agreed = { agreedCents: sold.variant.finalCents, snapshot: snapshotOf(sold) }
    await addUnits(tx, { userId, productId, variantId, quantity, ...agreed })
    return saved.quantity - quantity
  })
}

/** Throws a `NotFoundError` for a line that the customer has not saved. */
export async function removeSavedLine(db: Db, userId: string, savedId: string): Promise<void> {
  const removed = await db.delete(savedLines).where(ownSavedLine(userId, savedId)).returning({ id: savedLines.id })
  if (removed.length === 0) throw notSaved()
}

function ownSavedLine(userId: string, savedId: string) {
  return and(eq(savedLines.id, savedId), eq(savedLines.userId, userId))
}
