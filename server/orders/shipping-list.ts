import { and, asc, desc, eq, gte, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import type { OrderStatus } from '#contract/orders.ts'
import { shopSlug } from '#contract/rules.ts'
import { isOneOf } from '../db/one-of.ts'
import type { Db, Tx } from '../db/types.ts'
import { orderLines, orders, type returns, sellerOrders, sellers, users } from '../db/schema.ts'
import { storedStep } from '../db/schema/steps.ts'
import { NotFoundError } from '../platform/errors.ts'
import { linesWith, readParcels, unsentUnits } from './parts.ts'

type Order = typeof orders.$inferSelect

/** A seller's part of a paid order that is still to be shipped. */
export interface PartToShip {
  order: Order
  part: typeof sellerOrders.$inferSelect
  /** With the units that are still to be sent. */
  lines: (typeof orderLines.$inferSelect)[]
  /** Whether `lines` are all of the part. Otherwise its sums are not theirs. */
  isWhole: boolean
  email: string | null
}

export interface ListedOrder extends Order {
  /** Null when the customer's account has been deleted. */
  email: string | null
  /** Recorded refunds of the payment that paid the order, as `readOwnPayments` counts them. */
  refundedCents: number
}

interface PartFilter {
  /** The key, name or id of a shop; the former name of a deleted one. */
  shop?: string | undefined
  limit: number
}

interface OrderFilter extends PartFilter, Period {
  status: OrderStatus | 'all'
}

/** From `since` on, and before `before`. */
export interface Period {
  since?: Date | undefined
  before?: Date | undefined
}

/** Customers' newest orders. Throws a `NotFoundError` for a shop that neither exists nor has orders. */
export async function listOrders(db: Db, { status, shop, limit, ...period }: OrderFilter): Promise<ListedOrder[]> {
  await requireShop(db, shop)
  const ofShop = isPartOf(db, shop)
  const parts = db.select({ id: sellerOrders.orderId }).from(sellerOrders).where(ofShop)
  const rows = await db
    .select({ order: orders, email: users.email, refundedCents })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(
      and(
        isOfCustomer,
        status === 'all' ? undefined : eq(orders.status, status),
        isWithin(orders.createdAt, period),
        ofShop && inArray(orders.id, parts),
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit)
  return rows.map(({ order, ...rest }) => ({ ...order, ...rest }))
}

const isOfOtherPayment = sql`exists (select from order_steps step where step.order_id = refund.order_id and step.kind in
  (${storedStep('paid_again', sql`refund.attempt_id`)}, ${storedStep('paid_wrong', sql`refund.attempt_id`)}))`

const refundedCents = sql<number>`case when ${orders.paidAt} is null then 0 else (
  select coalesce(sum(refund.amount_cents), 0) from payments refund
  where refund.order_id = ${orders.id} and refund.kind = 'refund' and not ${isOfOtherPayment}
) end`.mapWith(Number)

/**
 * Parts that are still to be shipped, those paid first at the top; none of orders that are refunded in full. Throws a
 * `NotFoundError` as `listOrders` does.
 */
export async function listToShip(db: Db, { shop, limit }: PartFilter): Promise<PartToShip[]> {
  await requireShop(db, shop)
  const rows = await db
    .select({ order: orders, part: sellerOrders, email: users.email })
    .from(sellerOrders)
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .leftJoin(users, eq(users.id, orders.userId))
    .where(
      and(
        isOfCustomer,
        eq(orders.paymentStatus, 'paid'),
        eq(sellerOrders.deliveryStatus, 'Processing'),
        isPartOf(db, shop),
      ),
    )
    .orderBy(asc(orders.paidAt), asc(sellerOrders.id))
    .limit(limit)
  const partIds = rows.map(({ part }) => part.id)
  const lines = await db
    .select()
    .from(orderLines)
    .where(isOneOf(orderLines.sellerOrderId, partIds))
    .orderBy(orderLines.id)
  const linesByPart = Map.groupBy(lines, ({ sellerOrderId }) => sellerOrderId)
  const parcelsByPart = await readParcels(db, partIds)
  return rows.map(row => {
    const own = linesByPart.get(row.part.id) ?? []
    const unsent = unsentUnits({ ...row.part, lines: own, parcels: parcelsByPart.get(row.part.id) ?? [] })
    const isWhole = own.every(({ id, quantity }) => unsent.get(id) === quantity)
    return { ...row, lines: linesWith(own, unsent), isWhole }
  })
}

/**
 * Condition for the order parts of a shop, given by its key, name or id; a deleted shop by its former name. Undefined
 * without a shop.
 */
export function isPartOf(db: Db | Tx, shop: string | undefined) {
  if (shop === undefined) return undefined
  const named = db.select({ id: sellers.id }).from(sellers).where(isCalled(shop))
  return or(inArray(sellerOrders.sellerId, named), eq(sellerOrders.sellerId, shop), eq(sellerOrders.shopName, shop))
}

/** Condition for what was created within a period. */
export function isWithin(createdAt: typeof orders.createdAt | typeof returns.createdAt, { since, before }: Period) {
  return and(since && gte(createdAt, since), before && lt(createdAt, before))
}

/** Condition for the shop with this key or name. */
function isCalled(shop: string) {
  return or(inArray(sellers.key, [shop, shopSlug(shop)]), eq(sellers.shopName, shop))
}

/** The demo's sales have no customer and are left out. */
const isOfCustomer = isNotNull(orders.userId)

/** Throws a `NotFoundError` for a shop that neither exists nor has orders. */
export async function requireShop(db: Db, shop: string | undefined): Promise<void> {
  if (shop === undefined) return
  if ((await db.$count(sellers, or(isCalled(shop), eq(sellers.id, shop)))) > 0) return
  if ((await db.$count(sellerOrders, eq(sellerOrders.shopName, shop))) > 0) return
  throw new NotFoundError(`No shop is called '${shop}'`)
}
