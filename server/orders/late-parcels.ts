import { and, eq, lte, notExists, or, sql } from 'drizzle-orm'
import { daysAfter } from '#contract/delivery.ts'
import { orderPath } from '#contract/page-urls.ts'
import { endOfDay } from '#contract/rules.ts'
import type { Db, Tx } from '../db/types.ts'
import { notifications, orderLines, orders, parcelLines, parcels, sellerOrders, users } from '../db/schema.ts'
import { writeDate } from '../mail/dates.ts'
import { notify } from '../notifications/notifications.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { askMarketplace, nameGoods } from './order-notifications.ts'
import { hasShop } from './parts.ts'
import { countDone } from '../platform/run-all.ts'

/** The key of the notification about a late parcel: this, and the parcel's id. */
const EVENT = 'late:'
const eventKey = sql`${EVENT} || ${parcels.id}`

/**
 * Condition for parcels that are still underway after the day when they should have arrived, of orders that stay paid.
 */
const isLate = (now: number) =>
  and(eq(parcels.status, 'sent'), lte(parcels.expectedAt, endOfYesterday(now)), eq(orders.paymentStatus, 'paid'))

const endOfYesterday = (now: number) => new Date(endOfDay(daysAfter(now, -1)))

interface LateParcel {
  orderNumber: string
  shopName: string
  number: number
  carrier: string | null
  trackingNumber: string | null
  expectedAt: Date
}

/** The parcels that are late, the latest first. */
export function findLateParcels(db: Db): Promise<LateParcel[]> {
  return db
    .select({
      orderNumber: orders.number,
      shopName: sellerOrders.shopName,
      number: parcels.number,
      carrier: parcels.carrier,
      trackingNumber: parcels.trackingNumber,
      expectedAt: parcels.expectedAt,
    })
    .from(parcels)
    .innerJoin(sellerOrders, eq(sellerOrders.id, parcels.sellerOrderId))
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .where(isLate(Date.now()))
    .orderBy(parcels.expectedAt, parcels.id)
}

interface UnsentPart {
  orderNumber: string
  shopName: string
  paidAt: Date | null
  /** Partial refunds have refunded all of the order: a refund of the order cancels the part. */
  isRefunded: boolean
}

/** Unsent parts that the shop should have sent by now, and those of refunded orders, oldest first. */
export function findUnsentParts(db: Db): Promise<UnsentPart[]> {
  const isRefunded = sql<boolean>`${orders.paymentStatus} <> 'paid'`
  const handlingDays = sql`(${sellerOrders.deliveryDays}->'handling'->>1)::int`
  return db
    .select({
      orderNumber: orders.number,
      shopName: sellerOrders.shopName,
      paidAt: orders.paidAt,
      isRefunded,
    })
    .from(sellerOrders)
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .where(
      and(
        eq(sellerOrders.deliveryStatus, 'Processing'),
        or(isRefunded, sql`${orders.paidAt} + ${handlingDays} * interval '1 day' < ${new Date()}`),
      ),
    )
    .orderBy(orders.paidAt, sellerOrders.id)
}

/**
 * Sends customers a notification and a mail about each parcel that is late at `now`, once, even if several processes
 * run this at the same time. Returns for how many parcels. A failure does not stop the rest; all errors are thrown
 * together at the end.
 */
export async function notifyOfLateParcels(db: Db, jobs: Jobs, now = Date.now()): Promise<number> {
  const notified = db.select({ id: notifications.id }).from(notifications).where(eq(notifications.about, eventKey))
  const late = await db
    .select({ id: parcels.id })
    .from(parcels)
    .innerJoin(sellerOrders, eq(sellerOrders.id, parcels.sellerOrderId))
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    // Leaves out the orders of erased customers.
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(isLate(now), notExists(notified)))
    .orderBy(parcels.expectedAt)
  return countDone(late, ({ id }) => jobs.transact(db, (tx, sendJob) => notifyOfParcel(tx, sendJob, id)))
}

/** Returns false if the parcel has arrived in the meantime, or its customer has been notified. */
async function notifyOfParcel(tx: Tx, sendJob: SendJob, parcelId: string): Promise<boolean> {
  const [parcel] = await tx
    .select()
    .from(parcels)
    .where(and(eq(parcels.id, parcelId), eq(parcels.status, 'sent')))
    .for('no key update')
  if (!parcel) return false
  const { sellerOrderId, expectedAt } = parcel
  const [order] = await tx
    .select({ id: orders.id, userId: orders.userId, isDemo: orders.isDemo, shopName: sellerOrders.shopName })
    .from(sellerOrders)
    .innerJoin(orders, eq(orders.id, sellerOrders.orderId))
    .where(eq(sellerOrders.id, sellerOrderId))
  if (!order?.userId) return false
  const inParcel = tx
    .select({ id: parcelLines.orderLineId })
    .from(parcelLines)
    .where(eq(parcelLines.parcelId, parcelId))
  const goods = await nameGoods(tx, sql`${orderLines.id} in ${inParcel}`)
  const whomToAsk = (await hasShop(tx, sellerOrderId)) ? 'ask the shop where it is.' : askMarketplace(order.shopName)
  const isNew = await notify(tx, {
    userId: order.userId,
    title: 'Your parcel is late',
    message: `${goods} from ${order.shopName} should have arrived by ${writeDate(expectedAt)}. If it has not, ${whomToAsk}`,
    priority: 'high',
    link: orderPath(order.id),
    eventKey: EVENT + parcelId,
  })
  // The demo customer's email address does not exist.
  if (isNew && !order.isDemo) await sendJob('orderMail', { kind: 'late', orderId: order.id, sellerOrderId, parcelId })
  return isNew
}
