import { and, desc, eq } from 'drizzle-orm'
import type { UnpaidOrder } from '#contract/unpaid-orders.ts'
import { MAX_UNPAID_ORDERS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { type CartSnapshot, orders } from '../db/schema.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { fillCart } from '../cart/lines.ts'
import { pictureAddress } from '../catalogue/pictures.ts'
import type { Jobs } from '../platform/jobs.ts'
import { lockOrder } from './attempt-rows.ts'
import { cancelForCustomer } from './cancelling.ts'
import { type OrderPart, readParts, readPartsOf } from './parts.ts'
import { secondsLeft } from './view.ts'

const SHOWN_IMAGES = 4

/** The customer's orders that wait for their payment, newest first. */
export async function readUnpaid(db: Db, userId: string, now: number): Promise<UnpaidOrder[]> {
  const unpaid = await db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, 'pending')))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(MAX_UNPAID_ORDERS)
  const parts = await readPartsOf(
    db,
    unpaid.map(({ id }) => id),
  )
  const partsOf = Map.groupBy(parts, ({ orderId }) => orderId)
  return unpaid.map(({ id, number, priceCents, itemCount, paymentStatus, heldUntil }) => ({
    _id: id,
    number,
    priceCents,
    items: itemCount,
    paymentStatus,
    secondsLeft: secondsLeft({ heldUntil }, now),
    images: imagesOf(partsOf.get(id) ?? []).slice(0, SHOWN_IMAGES),
  }))
}

function imagesOf(parts: OrderPart[]): string[] {
  const lines = parts.flatMap(part => part.lines)
  return lines.flatMap(({ snapshot }) => pictureAddress(snapshot?.picture ?? null) ?? [])
}

/**
 * Cancels an unpaid order for its customer and puts its products back into the cart, both or neither. Returns false,
 * and changes nothing, if the order is cancelled already. Throws a `NotFoundError` for an unknown order or another
 * customer's, and a `ConflictError` for an order that is paid or has a payment being processed, or when the cart is
 * full.
 */
export async function putBackOrder(db: Db, jobs: Jobs, userId: string, orderId: string): Promise<boolean> {
  return jobs.transact(db, async (tx, sendJob) => {
    await lockCustomer(tx, userId)
    const order = await lockOrder(tx, orderId, userId)
    if (order.status === 'cancelled') return false
    await fillCart(tx, userId, cartLinesOf(await readParts(tx, orderId)))
    await cancelForCustomer(tx, sendJob, order, userId)
    return true
  })
}

/** The order's lines as lines of a cart, at the prices of the order. */
function cartLinesOf(parts: OrderPart[]) {
  return parts.flatMap(part =>
    part.lines.map(line => {
      const { productId, variantId, quantity, unitCents } = line
      return { productId, variantId, quantity, agreedCents: unitCents, snapshot: snapshotOf(line, part) }
    }),
  )
}

/** The cart shows this once the product is no longer sold. */
function snapshotOf({ snapshot }: OrderPart['lines'][number], { sellerId, shopName }: OrderPart): CartSnapshot {
  const { slug = '', name = '', category = '', brand = '', picture, variant } = snapshot ?? {}
  return { slug, name, category, brand, sellerId, shopName, picture, variant }
}
