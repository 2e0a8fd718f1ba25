import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { TrackedOrder, TrackedPart, TrackedProduct } from '#contract/parcels.ts'
import { trackingPath } from '#contract/page-urls.ts'
import { lineName } from '#contract/variants.ts'
import type { OrderedProduct } from '#contract/ordered-product.ts'
import type { Db } from '../db/types.ts'
import { orders, orderSteps, users } from '../db/schema.ts'
import { openJwt } from '../accounts/jwt.ts'
import { InvalidInputError } from '../platform/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import { noSuchOrder } from './attempt-rows.ts'
import { type OrderPart, readParts } from './parts.ts'
import { timelineOf, toSellerOrder } from './view.ts'

type RecordedStep = typeof orderSteps.$inferSelect

/** Longer than an order and its returns take. */
const LINK_DAYS = 90

const EXPIRED = 'This link has expired'
const INVALID = 'This link is incomplete or has been revoked'

export interface TrackingLinks {
  /** The path of the page that shows the order's progress without a login, for 90 days. */
  pathTo(order: Pick<typeof orders.$inferSelect, 'id' | 'trackingVersion'>): Promise<string>
  /**
   * The order's progress, without anything that is the customer's own. Throws an `InvalidInputError` for a token that
   * has expired, was changed, was signed with a revoked key or ended by the customer, or whose customer is blocked or
   * erased.
   */
  track(token: string): Promise<TrackedOrder>
}

interface Options {
  db: Db
  secrets: Secrets
  now?: (() => number) | undefined
}

/** The links in mails about orders. They are signed with keys of their own, and not stored. */
export function openTrackingLinks({ db, secrets, now = Date.now }: Options): TrackingLinks {
  const jwt = openJwt({
    secrets,
    purpose: 'order-link',
    audience: 'order',
    lifetimeSeconds: LINK_DAYS * 24 * 3600,
    now,
  })
  return {
    pathTo: async ({ id, trackingVersion }) =>
      trackingPath(await jwt.sign(id, randomUUID(), { version: trackingVersion })),

    async track(token) {
      const found = await jwt.read(token)
      if (!found) throw new InvalidInputError(INVALID)
      if (found.isExpired) throw new InvalidInputError(EXPIRED)
      const { sub = '', version, exp = 0 } = found.claims
      const [row] = await db
        .select({ order: orders })
        .from(orders)
        .innerJoin(users, eq(users.id, orders.userId))
        .where(and(eq(orders.id, sub), isNull(users.blockedAt)))
      if (row?.order.trackingVersion !== version || !row) throw new InvalidInputError(INVALID)
      const { id, number } = row.order
      const parts = await readParts(db, id)
      const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, id)).orderBy(orderSteps.id)
      return {
        orderId: id,
        number,
        parts: parts.map(part => toTracked(part, row.order, steps)),
        until: new Date(exp * 1000).toISOString(),
      }
    },
  }
}

/** Ends all links to a customer's order. Throws a `NotFoundError` for an unknown order or another customer's. */
export async function endTracking(db: Db, userId: string, orderId: string): Promise<void> {
  const ended = await db
    .update(orders)
    .set({ trackingVersion: sql`${orders.trackingVersion} + 1` })
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId)))
    .returning({ id: orders.id })
  if (ended.length === 0) throw noSuchOrder()
}

function toTracked(part: OrderPart, order: typeof orders.$inferSelect, steps: RecordedStep[]): TrackedPart {
  const { shopName, deliveryStatus, parcels, products, unsent, arrival } = toSellerOrder(part, order)
  return {
    shopName,
    deliveryStatus,
    parcels: parcels.map(({ _id, reportedBy, ...parcel }) => ({
      ...parcel,
      reportedBy: reportedBy === 'time' ? reportedBy : undefined,
      products: parcel.products.map(toProduct),
    })),
    // A cancelled part has neither.
    products: (parcels.length === 0 && unsent.length === 0 ? products : unsent).map(toProduct),
    arrival,
    returns: timelineOf(
      steps.filter(({ step }) => 'returnId' in step && step.sellerOrderId === part.id),
      [part],
    ).map(({ at, text }) => ({ at, text })),
  }
}

function toProduct({ quantity, productInfo, variant }: OrderedProduct): TrackedProduct {
  return { name: lineName(productInfo.name, { title: variant?.title }), quantity, image: productInfo.images[0] }
}
