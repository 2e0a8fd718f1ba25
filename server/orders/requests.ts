import { createHash } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { NewOrder } from '#contract/orders.ts'
import { SAME_REQUEST_SECONDS } from '#contract/rules.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { orderRequests } from '../db/schema.ts'
import { ServiceError } from '../platform/errors.ts'
import { singleFlight } from '../platform/single-flight.ts'

/** Identifies a request, so that a repeated one is recognised. */
export interface OrderRequest {
  userId: string
  key: string
  bodyHash: string
  /** The client sent an `Idempotency-Key`; without one, the same body is a new order after a short time. */
  hasKey: boolean
}

/** How long a key is remembered: longer than any client repeats a request. */
const KEPT_DAYS = 7

/** Identifies a request by the client's key or, without one, by its content. */
export function requestOf({ userId, key, priceCents, groups, shippingInfo }: NewOrder): OrderRequest {
  const lines = groups.map(({ products }) =>
    products.map(({ _id, productInfo, quantity, variantId }) => [
      _id,
      productInfo._id,
      quantity,
      // Without a variant, nothing is added to the hash, so that repeats of requests from before variants existed
      // match.
      ...(variantId ? [variantId] : []),
    ]),
  )
  const { name, address, phone, post, province, city, area, country } = shippingInfo
  const destination = [name, address, phone, post, province, city, area, country]
  const body = JSON.stringify([priceCents, lines, destination])
  const bodyHash = createHash('sha256').update(body).digest('hex')
  // Without the prefixes, a client could choose a key that equals the hash of a body.
  return { userId, key: key ? `key:${key}` : `body:${bodyHash}`, bodyHash, hasKey: Boolean(key) }
}

const orderOfRequest = prepared(db =>
  db
    .select({
      orderId: orderRequests.orderId,
      bodyHash: orderRequests.bodyHash,
      isRecent: sql<boolean>`${orderRequests.createdAt} > now() - make_interval(secs => ${sql.raw(String(SAME_REQUEST_SECONDS))})`,
    })
    .from(orderRequests)
    .where(and(eq(orderRequests.userId, sql.placeholder('userId')), eq(orderRequests.key, sql.placeholder('key'))))
    .prepare('order_of_request'),
)

/**
 * The order that this request has placed, or null. Throws a `ServiceError` (IDEMPOTENCY_KEY_REUSED) for a key that
 * belongs to another request.
 */
export async function findOrdered(
  db: Db | Tx,
  { userId, key, bodyHash, hasKey }: OrderRequest,
): Promise<string | null> {
  const [found] = await orderOfRequest(db).execute({ userId, key })
  if (!found || (!hasKey && !found.isRecent)) return null
  if (found.bodyHash !== bodyHash)
    throw new ServiceError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key belongs to another order')
  return found.orderId
}

/** Deletes keys that are too old for a client to repeat. */
export async function sweepRequests(db: Db): Promise<void> {
  await db.delete(orderRequests).where(lt(orderRequests.createdAt, sql`now() - make_interval(days => ${KEPT_DAYS})`))
}

/**
 * Returns a function that returns the order of a request. It calls `place` only for a new request, and once for
 * simultaneous repeats, so that repeats do not count against the limit for new orders.
 */
export function openDeduplication(db: Db) {
  const placing = singleFlight<string>()
  return (request: OrderRequest, place: () => Promise<string>): Promise<string> => {
    const name = JSON.stringify([request.userId, request.key, request.bodyHash])
    return placing.share(name, async () => (await findOrdered(db, request)) ?? place())
  }
}
