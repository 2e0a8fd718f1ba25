import { and, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { NewOrder } from '#contract/orders.ts'
import { HOLD_MINUTES } from '#contract/rules.ts'
import { DatabaseBusyError, isDuplicate } from '../db/errors.ts'
import { isAnyOf, named, prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { cartLines } from '../db/schema.ts'
import { encodeStep } from '../db/schema/steps.ts'
import { ConflictError } from '../platform/errors.ts'
import { recordAudit, type RequestOrigin } from '../platform/audit.ts'
import type { Jobs } from '../platform/jobs.ts'
import { openBoundedQueue, QueueFullError } from '../platform/bounded-queue.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { ownLines } from '../cart/lines.ts'
import { readUnpaidWithinLimit, requireWithinHoldLimits } from './held-units.ts'
import type { HoldLimits } from './hold-limits.ts'
import { chooseVariants } from './choosing.ts'
import { mergeLines, nameOf, type PricedOrder, priceOrder, type WantedLine } from './pricing.ts'
import { markPaid } from './paying.ts'
import { findOrdered, type OrderRequest, requestOf } from './requests.ts'
import { readForSale, takeUnits } from './stock.ts'

interface Options {
  db: Db
  jobs: Jobs
  holdLimits: HoldLimits
}

type PlaceOrder = (userId: string, order: NewOrder, origin?: RequestOrigin) => Promise<string>

/** Orders that this process places at the same time. */
const AT_ONCE = 3
const MAX_WAITING = 1000
const MAX_WAIT_MS = 10_000

/**
 * Returns a `placeOrder` that places a few orders at a time and queues the others. PostgreSQL does not grant row locks
 * on variants fairly: with many waiting transactions, some wait several times as long as others (`npm run test:faults
 * -- order-races`) and use up connections that other requests need. Throws a `DatabaseBusyError` after ten seconds in
 * the queue, or when 1,000 orders are queued already.
 */
export function openOrderPlacing(options: Options): PlaceOrder {
  const inTurn = openBoundedQueue({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS })
  return async (userId, order, origin) => {
    try {
      return await inTurn(() => placeOrder(options, userId, order, origin))
    } catch (error) {
      throw error instanceof QueueFullError ? new DatabaseBusyError() : error
    }
  }
}

/**
 * Places an order at the shop's own prices and returns its id: holds the units, removes the named lines from the cart,
 * and requests a mail. A repeated request (the same key, or soon the same content) returns the same order. Throws a
 * `ConflictError` for products that are out of stock or do not ship to the country, cart lines that no longer exist,
 * unpaid orders beyond the limits; a `ServiceError` for a key that belongs to another request; a `PriceChangedError`
 * when the sum is not the one that the customer saw.
 */
export async function placeOrder(
  options: Options,
  userId: string,
  order: NewOrder,
  origin: RequestOrigin = {},
): Promise<string> {
  const place = () => placeOnce(options, userId, order, origin)
  try {
    return await place()
  } catch (error) {
    // Another order drew the same number at the same moment.
    if (!isDuplicate(error, 'orders_number')) throw error
    return place()
  }
}

async function placeOnce(
  { db, jobs, holdLimits }: Options,
  userId: string,
  order: NewOrder,
  origin: RequestOrigin,
): Promise<string> {
  const request = requestOf({ ...order, userId })
  return jobs.transact(db, async (tx, sendJob) => {
    const customer = await lockCustomer(tx, userId)
    const ordered = await findOrdered(tx, request)
    if (ordered) return ordered
    const cart = await readNamedLines(tx, userId, order)
    const wanted = mergeLines(await chooseVariants(tx, order, cart))
    const unpaid = await readUnpaidWithinLimit(tx, customer)
    const terms = { country: order.shippingInfo.country, seenCents: order.priceCents }
    const sold = await readForSale(tx, wanted)
    const priced = priceOrder(wanted, sold, terms)
    const wantedWithNames = wanted.map(line => ({ ...line, name: nameOf(sold.get(line.variantId)!) }))
    const held = { wanted: wantedWithNames, cents: priced.sums.priceCents, unpaid }
    await requireWithinHoldLimits(tx, customer, held, holdLimits)
    requireUnchangedLines(order, cart)
    const orderId = await storeOrder(tx, request, order, { priced, usedUp: linesUsedUp(cart, wanted) })
    await sendJob('orderMail', { kind: 'received', orderId })
    // A free order needs no payment.
    if (priced.sums.priceCents === 0) await markPaid(tx, sendJob, { id: orderId, status: 'pending' })
    // Other orders wait for these variants, so lock them late. `takeUnits` takes all units or none; pricing what it
    // returns throws when it took none, or when something else has changed meanwhile.
    priceOrder(wanted, await takeUnits(tx, wanted), terms)
    const details = { orderId, priceCents: priced.sums.priceCents }
    await recordAudit(tx, { event: 'order', outcome: 'ok', actorId: userId, details, ...origin })
    return orderId
  })
}

const linesById = prepared(db =>
  db
    .select({
      id: cartLines.id,
      productId: cartLines.productId,
      variantId: cartLines.variantId,
      quantity: cartLines.quantity,
    })
    .from(cartLines)
    .where(and(ownLines(sql.placeholder('userId')), isAnyOf(cartLines.id, 'lineIds')))
    .orderBy(cartLines.id)
    .for('no key update')
    .prepare('cart_lines_by_id'),
)

type CartLine = Awaited<ReturnType<typeof readNamedLines>>[number]

/** The customer's cart lines that the order names, locked: a unit added after this would be removed unbought. */
async function readNamedLines(tx: Tx, userId: string, order: NewOrder) {
  const lineIds = namedLines(order)
  return lineIds.length === 0 ? [] : linesById(tx).execute({ userId, lineIds })
}

/**
 * Another tab or device may have ordered or removed these cart lines, which must not be ordered twice, or chosen
 * another variant or quantity, which this order would take out of the cart unbought.
 */
function requireUnchangedLines(order: NewOrder, cart: CartLine[]): void {
  const lineOf = new Map(cart.map(line => [line.id, line]))
  const isChanged = ({ _id, variantId, quantity }: NewOrder['groups'][number]['products'][number]) => {
    if (_id === undefined) return false
    const line = lineOf.get(_id)
    if (line?.quantity !== quantity) return true
    return !!variantId && line.variantId !== '' && line.variantId !== variantId
  }
  const lines = order.groups.flatMap(({ products }) => products)
  if (lines.some(isChanged)) throw new ConflictError('Your cart has changed in the meantime')
}

function namedLines({ groups }: NewOrder): string[] {
  return groups.flatMap(({ products }) => products.flatMap(({ _id }) => _id ?? []))
}

interface Stored {
  priced: PricedOrder
  /** Ids of the cart lines that the order uses up. */
  usedUp: string[]
}

/** One statement instead of one per table: other orders wait for the connection during each round trip. */
const insertOrder = named(
  'store_order',
  given => sql`
    with new_order as (
      insert into orders (id, user_id, price_cents, shipping_cents, item_count, destination, stock_state, held_until)
      values (
        ${given('orderId')}, ${given('userId')}, ${given('priceCents')}, ${given('shippingCents')}, ${given('itemCount')},
        ${given('destination')}::jsonb, 'held', ${given('heldUntil')}::timestamptz
      )
    ), new_parts as (
      insert into seller_orders (id, order_id, seller_id, shop_name, price_cents, delivery_days, refunds_shipping)
      select id, ${given('orderId')}, "sellerId", "shopName", "priceCents", "deliveryDays", "refundsShipping"
      from jsonb_to_recordset(${given('parts')}::jsonb) as part(
        id text, "sellerId" text, "shopName" text, "priceCents" bigint, "deliveryDays" jsonb, "refundsShipping" boolean
      )
    ), remembered as (
      insert into order_requests (user_id, key, body_hash, order_id)
      values (${given('userId')}, ${given('key')}, ${given('bodyHash')}, ${given('orderId')})
      on conflict (user_id, key) do update set order_id = excluded.order_id, created_at = now()
    ), placed as (
      insert into order_steps (order_id, kind) values (${given('orderId')}, ${given('step')})
    ), deleted as (
      delete from cart_lines where id = any(${given('usedUp')}::text[])
    )
    insert into order_lines
      (id, seller_order_id, product_id, variant_id, quantity, unit_cents, shipping_cents, seen)
    select id, "partId", "productId", "variantId", quantity, "unitCents", "shippingCents", snapshot
    from jsonb_to_recordset(${given('lines')}::jsonb) as line(
      id text, "partId" text, "productId" text, "variantId" text, quantity int, "unitCents" int, "shippingCents" int,
      snapshot jsonb
    )`,
)

/** Stores the order with its first step and deletes its cart lines. */
async function storeOrder(tx: Tx, request: OrderRequest, order: NewOrder, { priced, usedUp }: Stored): Promise<string> {
  const { sums, itemCount, parts } = priced
  const orderId = v7()
  const stored = parts.map(({ lines, ...part }) => ({ lines, part: { ...part, id: v7() } }))
  const lines = stored.flatMap(({ lines: own, part }) => own.map(line => ({ ...line, id: v7(), partId: part.id })))
  await insertOrder(tx, {
    ...request,
    orderId,
    priceCents: sums.priceCents,
    shippingCents: sums.shippingCents,
    itemCount,
    destination: JSON.stringify(order.shippingInfo),
    heldUntil: new Date(Date.now() + HOLD_MINUTES * 60_000),
    parts: JSON.stringify(stored.map(({ part }) => part)),
    step: encodeStep({ kind: 'placed' }),
    usedUp,
    lines: JSON.stringify(lines),
  })
  return orderId
}

/** Ids of the cart lines that the order names, if they are of ordered products. */
function linesUsedUp(cart: CartLine[], wanted: WantedLine[]): string[] {
  const ordered = new Set(wanted.map(({ productId }) => productId))
  return cart.filter(({ productId }) => ordered.has(productId)).map(({ id }) => id)
}
