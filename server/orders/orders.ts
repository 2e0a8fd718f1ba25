import { and, asc, count, desc, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Order, OrderFilter, OrderStatus, OrderSummary, SellerOrder } from '#contract/orders.ts'
import { isAnyOf, prepared } from '../db/prepared.ts'
import type { Db } from '../db/types.ts'
import { orderLines, orders, orderSteps, parcels, payments, refunds, sellerOrders } from '../db/schema.ts'
import { sumBy } from '../platform/sum.ts'
import { noSuchOrder } from './attempt-rows.ts'
import { readParts } from './parts.ts'
import { describeRefunds } from './refunds-view.ts'
import { TO_CUSTOMER, TO_OPERATOR } from './return-texts.ts'
import { toOrder, toSellerOrder, toSummary } from './view.ts'

/** More orders than a customer looks through. */
const MAX_LISTED = 500
/** After this many lines, no more orders are listed: 500 orders of 100 lines would block the process for a second. */
const MAX_LISTED_LINES = 5000
/** Orders whose lines are read at once. */
const BATCH = 50
const RECENT = 5

type Paid = Pick<typeof orders.$inferSelect, 'id' | 'paidAt'>
type RecordedStep = typeof orderSteps.$inferSelect

/** The customer's orders, newest first, filtered by status. */
export async function readOrders(db: Db, userId: string, status: OrderFilter): Promise<OrderSummary[]> {
  if (status === 'none') return []
  return selectSummaries(db, userId, MAX_LISTED, status === 'all' ? undefined : status)
}

/** A customer's order with its sellers' parts. Throws a `NotFoundError` for an unknown order or another customer's. */
export async function readOrder(
  db: Db,
  userId: string,
  orderId: string,
): Promise<{ order: Order; sellerOrders: SellerOrder[] }> {
  return readOrderWhere(db, and(eq(orders.id, orderId), eq(orders.userId, userId)))
}

/** Like `readOrder`, for operators: any customer's order. Throws a `NotFoundError` if there is none. */
export async function readAnyOrder(db: Db, orderId: string): Promise<{ order: Order; sellerOrders: SellerOrder[] }> {
  return readOrderWhere(db, and(eq(orders.id, orderId), isNotNull(orders.userId)), TO_OPERATOR)
}

/**
 * The id of any customer's order, given by its id or number; case does not matter in a number. Throws a `NotFoundError`
 * if there is none.
 */
export async function findOrderId(db: Db, idOrNumber: string): Promise<string> {
  const isMatch = or(eq(orders.id, idOrNumber), eq(orders.number, idOrNumber.trim().toUpperCase()))
  const [found] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(isMatch, isNotNull(orders.userId)))
  if (!found) throw noSuchOrder()
  return found.id
}

async function readOrderWhere(db: Db, isMatch: SQL | undefined, wording = TO_CUSTOMER) {
  const [order] = await db.select().from(orders).where(isMatch)
  if (!order) throw noSuchOrder()
  const orderId = order.id
  const parts = await readParts(db, orderId)
  const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId)).orderBy(orderSteps.id)
  const { refunds: paid } = await readOwnPayments(db, order, steps)
  const pending = await readPendingRefunds(db, orderId)
  const view = {
    parts,
    steps,
    refunds: await describeRefunds(db, orderId, { paid, pending, steps }),
    refundedCents: sumBy(paid, ({ amountCents }) => amountCents),
    wording,
  }
  return { order: toOrder(order, view), sellerOrders: parts.map(part => toSellerOrder(part, order)) }
}

type Payment = typeof payments.$inferSelect

/** The charge that paid the order, and its refunds; not those of others, such as a second payment. */
export async function readOwnPayments(
  db: Db,
  { id, paidAt }: Paid,
  steps: RecordedStep[],
): Promise<{ charge: Payment | undefined; refunds: Payment[] }> {
  if (!paidAt) return { charge: undefined, refunds: [] }
  const others = new Set(
    steps.flatMap(({ step }) => (step.kind === 'paid_again' || step.kind === 'paid_wrong' ? [step.attemptId] : [])),
  )
  const all = await db.select().from(payments).where(eq(payments.orderId, id)).orderBy(payments.createdAt, payments.id)
  const own = all.filter(({ attemptId }) => !others.has(attemptId))
  return { charge: own.find(({ kind }) => kind === 'charge'), refunds: own.filter(({ kind }) => kind === 'refund') }
}

/** Partial refunds of an order that are requested and not paid, oldest first. */
export function readPendingRefunds(db: Db, orderId: string): Promise<(typeof refunds.$inferSelect)[]> {
  return db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), isNull(refunds.paidAt)))
    .orderBy(asc(refunds.seq))
}

/** The customer's order counts and five newest orders. */
export async function readDashboard(db: Db, userId: string) {
  const having = (status: OrderStatus) => sql<number>`count(*) filter (where ${orders.status} = ${status})::int`
  const [counts] = await db
    .select({ orderCount: count(), pendingCount: having('pending'), cancelledCount: having('cancelled') })
    .from(orders)
    .where(eq(orders.userId, userId))
  const none = { orderCount: 0, pendingCount: 0, cancelledCount: 0 }
  return { ...(counts ?? none), recentOrders: await selectSummaries(db, userId, RECENT) }
}

const linesOfOrders = prepared(db => {
  const { id, orderId, sellerId, shopName, deliveryStatus } = sellerOrders
  const isPartlySent = sql<boolean>`(${deliveryStatus} = 'Processing'
    and exists (select from ${parcels} where ${parcels.sellerOrderId} = ${id}))`
  return db
    .select({ part: { id, orderId, sellerId, shopName, deliveryStatus, isPartlySent }, snapshot: orderLines.snapshot })
    .from(sellerOrders)
    .innerJoin(orderLines, eq(orderLines.sellerOrderId, id))
    .where(isAnyOf(orderId, 'orderIds'))
    .orderBy(id, orderLines.id)
    .prepare('lines_of_orders')
})

/** The newest orders: at most `limit`, and fewer if they have many lines. */
async function selectSummaries(db: Db, userId: string, limit: number, status?: OrderStatus): Promise<OrderSummary[]> {
  const rows = await db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), status && eq(orders.status, status)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit)
  const listed: OrderSummary[] = []
  let lineCount = 0
  for (let at = 0; at < rows.length && lineCount < MAX_LISTED_LINES; at += BATCH) {
    const some = rows.slice(at, at + BATCH)
    const lines = await linesOfOrders(db).execute({ orderIds: some.map(({ id }) => id) })
    const linesOf = Map.groupBy(lines, ({ part }) => part.orderId)
    listed.push(...some.map(order => toSummary(order, linesOf.get(order.id) ?? [])))
    lineCount += lines.length
  }
  return listed
}
