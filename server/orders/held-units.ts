import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { EMAIL_NOT_CONFIRMED } from '#contract/account.ts'
import { MAX_UNPAID_ORDERS } from '#contract/rules.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { orderLines, orders, sellerOrders } from '../db/schema.ts'
import type { LockedCustomer } from '../accounts/customers.ts'
import { ConflictError, ServiceError } from '../platform/errors.ts'
import { dollars } from '../platform/usd.ts'
import type { HoldLimits } from './hold-limits.ts'

/** Number and value of a customer's unpaid orders. */
interface Unpaid {
  count: number
  cents: number
}

interface Wanted {
  variantId: string
  name: string
  quantity: number
  /** Path of the product in the request, for the error. */
  path: string
}

const unpaidOrders = prepared(db =>
  db
    .select({ count: count(), cents: sql<number>`coalesce(sum(${orders.priceCents}), 0)::float8` })
    .from(orders)
    .where(and(eq(orders.userId, sql.placeholder('userId')), eq(orders.status, 'pending')))
    .prepare('unpaid_orders'),
)

/**
 * The customer's unpaid orders. Throws a `ConflictError` if there are as many as a customer may have, and a
 * `ServiceError` with `EMAIL_NOT_CONFIRMED` if there is one and the email address is unconfirmed.
 */
export async function readUnpaidWithinLimit(tx: Tx, customer: LockedCustomer): Promise<Unpaid> {
  const [unpaid = { count: 0, cents: 0 }] = await unpaidOrders(tx).execute({ userId: customer.id })
  if (unpaid.count > 0 && !customer.isEmailConfirmed) throw notConfirmed()
  if (unpaid.count >= MAX_UNPAID_ORDERS)
    throw new ConflictError(`You have ${MAX_UNPAID_ORDERS} unpaid orders. Please pay or cancel one of them first`)
  return unpaid
}

/**
 * Throws if a customer's unpaid orders would hold too many units of a variant or too much value: a `ConflictError`, or
 * a `ServiceError` with `EMAIL_NOT_CONFIRMED` if the address is unconfirmed. The caller has locked the customer, so
 * that no other order of theirs is placed meanwhile.
 */
export async function requireWithinHoldLimits(
  tx: Tx,
  customer: LockedCustomer,
  order: { wanted: Wanted[]; cents: number; unpaid: Unpaid },
  limits: HoldLimits,
): Promise<void> {
  const { wanted, cents, unpaid } = order
  const limit = customer.isEmailConfirmed ? limits.confirmed : limits.unconfirmed
  const held = unpaid.count === 0 ? new Map<string, number>() : await readHeld(tx, customer.id, wanted)
  const tooMany = wanted.filter(({ variantId, quantity }) => (held.get(variantId) ?? 0) + quantity > limit.units)
  const reasons = Object.fromEntries(
    tooMany.map(({ path, name }) => [path, `Unpaid orders can have at most ${limit.units} of ${name}`]),
  )
  if (unpaid.cents + cents > limit.cents) reasons.price = `Unpaid orders can come to at most ${dollars(limit.cents)}`
  const [first] = Object.values(reasons)
  if (first === undefined) return
  throw customer.isEmailConfirmed ? new ConflictError(first, reasons) : notConfirmed(reasons)
}

function notConfirmed(reasons?: Record<string, string>): ServiceError {
  return new ServiceError(EMAIL_NOT_CONFIRMED, 'Please confirm your email address', reasons)
}

async function readHeld(tx: Tx, userId: string, wanted: Wanted[]): Promise<Map<string, number>> {
  const variantIds = wanted.map(({ variantId }) => variantId)
  const rows = await tx
    .select({ variantId: orderLines.variantId, units: sql<number>`sum(${orderLines.quantity})::int` })
    .from(orders)
    .innerJoin(sellerOrders, eq(sellerOrders.orderId, orders.id))
    .innerJoin(orderLines, eq(orderLines.sellerOrderId, sellerOrders.id))
    .where(and(eq(orders.userId, userId), eq(orders.stockState, 'held'), inArray(orderLines.variantId, variantIds)))
    .groupBy(orderLines.variantId)
  return new Map(rows.map(({ variantId, units }) => [variantId, units]))
}

export interface LargeHolder {
  email: string
  isEmailConfirmed: boolean
  orderCount: number
  units: number
  cents: number
}

/** Customers whose unpaid orders reach at least half of a limit, those with the most units first. */
export async function findLargeHolders(db: Db, { confirmed, unconfirmed }: HoldLimits): Promise<LargeHolder[]> {
  const { rows } = await db.execute<LargeHolder & Record<string, unknown>>(sql`
    with units as (
      select user_id, sum(units)::int as units, max(units)::int as most
      from (
        select orders.user_id, sum(order_lines.quantity) as units
        from orders
        join seller_orders on seller_orders.order_id = orders.id
        join order_lines on order_lines.seller_order_id = seller_orders.id
        where orders.stock_state = 'held'
        group by orders.user_id, order_lines.variant_id
      ) by_variant
      group by user_id
    ), unpaid as (
      select user_id, count(*)::int as count, sum(price_cents)::float8 as cents
      from orders where stock_state = 'held' group by user_id
    )
    select
      users.email, users.email_confirmed_at is not null as "isEmailConfirmed",
      unpaid.count as "orderCount", units.units, unpaid.cents
    from units
    join unpaid on unpaid.user_id = units.user_id
    join users on users.id = units.user_id
    where case when users.email_confirmed_at is null
      then units.most * 2 >= ${unconfirmed.units} or unpaid.cents * 2 >= ${unconfirmed.cents}
      else units.most * 2 >= ${confirmed.units} or unpaid.cents * 2 >= ${confirmed.cents}
    end
    order by units.units desc, users.email
  `)
  return rows
}
