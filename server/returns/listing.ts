import { and, desc, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import type { AvailablePart, Return } from '#contract/returns.ts'
import { nameWithoutSku, snapshotName } from '#contract/variants.ts'
import { isOneOf } from '../db/one-of.ts'
import type { Db } from '../db/types.ts'
import { orderLines, orders, refunds, returnLines, returns, sellerOrders, sellers } from '../db/schema.ts'
import { noSuchOrder } from '../orders/attempt-rows.ts'
import { isPartOf, isWithin, type Period, requireShop } from '../orders/shipping-list.ts'
import { readAvailable } from './available.ts'
import { type AddressOf, noSuchReturn, readPictures, type ReturnPicture, toAttachment } from './pictures.ts'
import { ENDED } from './transitions.ts'

const MAX_OF_AN_ORDER = 500

/** Names a product and its variant, for shops or for customers. */
type NameOf = typeof snapshotName

/** A cancellation or return with its order; without the addresses of its pictures. */
export type FoundReturn = Omit<Return, 'pictures'> & {
  orderId: string
  orderNumber: string
  pictures: ReturnPicture[]
}

/**
 * A customer's order's cancellations and returns, newest first, and what can be cancelled or returned now. Throws a
 * `NotFoundError` for an unknown order or another customer's.
 */
export async function readReturns(
  db: Db,
  userId: string,
  orderId: string,
): Promise<{ available: AvailablePart[]; returns: FoundReturn[] }> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId)))
  if (!order) throw noSuchOrder()
  return {
    available: await readAvailable(db, order),
    returns: await selectReturns(db, eq(returns.orderId, orderId), { nameOf: nameWithoutSku }),
  }
}

/** The cancellations and returns of several orders, newest first. */
export async function readReturnsOf(db: Db, orderIds: string[]): Promise<FoundReturn[]> {
  if (orderIds.length === 0) return []
  return selectReturns(db, inArray(returns.orderId, orderIds), {
    limit: MAX_OF_AN_ORDER * orderIds.length,
    nameOf: nameWithoutSku,
  })
}

/**
 * Returns and cancellations for the operator or a shop, newest first; without `isAll`, those that wait for somebody:
 * declined ones wait only if the customer brings them to the marketplace. `beforeId`: the last one of the page before.
 * Throws a `NotFoundError` for a shop that neither exists nor has orders, and for an unknown `beforeId`.
 */
export async function listReturns(
  db: Db,
  {
    shop,
    isAll,
    limit,
    beforeId,
    ...period
  }: { shop?: string | undefined; isAll: boolean; limit: number; beforeId?: string | undefined } & Period,
): Promise<FoundReturn[]> {
  await requireShop(db, shop)
  if (beforeId !== undefined && !(await readReturn(db, beforeId, { shop }))) throw noSuchReturn()
  const isOlder =
    beforeId === undefined
      ? undefined
      : sql`(${returns.createdAt}, ${returns.id}) < (select created_at, id from returns as last where id = ${beforeId})`
  const isOpen = isAll ? undefined : notInArray(returns.status, [...ENDED, 'declined'])
  return selectReturns(db, and(isOpen, isPartOf(db, shop), isWithin(returns.createdAt, period), isOlder), { limit })
}

/** How many cancellations and returns wait for the operator's decision. */
export function countEscalated(db: Db): Promise<number> {
  return db.$count(returns, eq(returns.status, 'escalated'))
}

/**
 * A cancellation or return by its id, of `shop` if given; undefined if there is none. `nameOf` names its products, by
 * default with their SKU.
 */
export async function readReturn(
  db: Db,
  returnId: string,
  { shop, nameOf }: { shop?: string | undefined; nameOf?: NameOf } = {},
): Promise<FoundReturn | undefined> {
  const [found] = await selectReturns(db, and(eq(returns.id, returnId), isPartOf(db, shop)), { nameOf })
  return found
}

/** As customers and shops get it. */
export function toReturn(
  { orderId: _orderId, orderNumber: _orderNumber, ...found }: FoundReturn,
  addressOf: AddressOf,
): Return {
  return { ...found, pictures: found.pictures.map(picture => toAttachment(picture, addressOf)) }
}

async function selectReturns(
  db: Db,
  condition: SQL | undefined,
  { limit = MAX_OF_AN_ORDER, nameOf = snapshotName }: { limit?: number; nameOf?: NameOf | undefined } = {},
): Promise<FoundReturn[]> {
  const rows = await db
    .select({
      stored: returns,
      // Less than `returns.refundCents` if less was left of the payment.
      refundCents: refunds.amountCents,
      shopName: sellerOrders.shopName,
      address: sellers.address,
      orderNumber: orders.number,
    })
    .from(returns)
    .innerJoin(orders, eq(orders.id, returns.orderId))
    .innerJoin(sellerOrders, eq(sellerOrders.id, returns.sellerOrderId))
    .leftJoin(sellers, eq(sellers.id, sellerOrders.sellerId))
    .leftJoin(refunds, eq(refunds.id, returns.refundId))
    .where(condition)
    .orderBy(desc(returns.createdAt), desc(returns.id))
    .limit(limit)
  const ids = rows.map(({ stored }) => stored.id)
  const lines = await db
    .select({ returnId: returnLines.returnId, quantity: returnLines.quantity, snapshot: orderLines.snapshot })
    .from(returnLines)
    .innerJoin(orderLines, eq(orderLines.id, returnLines.lineId))
    .where(isOneOf(returnLines.returnId, ids))
    .orderBy(orderLines.id)
  const pictures = await readPictures(db, ids)
  const byReturn = Map.groupBy(lines, ({ returnId }) => returnId)
  return rows.map(({ stored, refundCents, shopName, address, orderNumber }) => {
    const { id, orderId, sellerOrderId, kind, status, reason, words, answer, tracking, ...times } = stored
    return {
      id,
      orderId,
      orderNumber,
      sellerOrderId,
      shopName,
      kind,
      status,
      reason,
      words,
      answer,
      tracking,
      sendTo: status === 'approved' && address?.length ? address : undefined,
      refundCents: refundCents ?? 0,
      createdAt: times.createdAt.toISOString(),
      dueAt: times.dueAt?.toISOString(),
      pictures: pictures.get(id) ?? [],
      lines: (byReturn.get(id) ?? []).map(({ quantity, snapshot }) => ({
        name: snapshot ? nameOf(snapshot) : 'Product',
        quantity,
      })),
    }
  })
}
