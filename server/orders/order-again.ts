import { and, eq } from 'drizzle-orm'
import { nameWithoutSku } from '#contract/variants.ts'
import type { Db } from '../db/types.ts'
import { orders } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { fillCart, readVariantsForSale, readUnitsInCart, snapshotOf, type VariantForSale } from '../cart/lines.ts'
import { ConflictError } from '../platform/errors.ts'
import { noSuchOrder } from './attempt-rows.ts'
import { type OrderPart, readParts } from './parts.ts'

/**
 * Fills the customer's cart up to what an order has, at current prices: doing it again adds nothing more. Returns what
 * could not be added, in words. Throws a `NotFoundError` for an unknown order or another customer's, and a
 * `ConflictError`, adding nothing, for a full cart or when nothing of the order can be bought.
 */
export async function orderAgain(db: Db, userId: string, orderId: string): Promise<string[]> {
  return transact(db, async tx => {
    await lockCustomer(tx, userId)
    const isOwn = and(eq(orders.id, orderId), eq(orders.userId, userId))
    if ((await tx.$count(orders, isOwn)) === 0) throw noSuchOrder()
    const wanted = (await readParts(tx, orderId)).flatMap(({ lines }) => lines)
    const sold = await readVariantsForSale(
      tx,
      wanted.map(({ variantId }) => variantId),
    )
    const inCart = await readUnitsInCart(tx, userId)
    const found = wanted.map(line => compare(line, sold.get(line.variantId), inCart.get(line.variantId) ?? 0))
    const notAdded = found.flatMap(({ lack }) => lack ?? [])
    if (found.every(({ unitCount }) => unitCount === 0))
      throw new ConflictError('Nothing in this order can be bought right now', fieldsOf(notAdded))
    await fillCart(
      tx,
      userId,
      found.flatMap(({ add }) => add ?? []),
    )
    return notAdded
  })
}

function fieldsOf(texts: string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text, at) => [String(at), text]))
}

/** For a line of an order: how many units are available, what to add to the cart, and a message about missing units. */
function compare(line: OrderPart['lines'][number], sold: VariantForSale | undefined, inCart: number) {
  const { productId, variantId, quantity, snapshot } = line
  const name = snapshot ? nameWithoutSku(snapshot) : 'A product'
  if (sold?.product.id !== productId) return { unitCount: 0, lack: `${name} is no longer sold` }
  if (sold.units < 1) return { unitCount: 0, lack: `${name} is sold out` }
  const unitCount = Math.min(quantity, sold.units)
  const missing = unitCount - inCart
  const agreed = { agreedCents: sold.variant.finalCents, snapshot: snapshotOf(sold) }
  return {
    unitCount,
    ...(missing > 0 && { add: { productId, variantId, quantity: missing, ...agreed } }),
    ...(unitCount < quantity && { lack: `Only ${unitCount} left of ${name}` }),
  }
}
