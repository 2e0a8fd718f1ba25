import { and, desc, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Priority } from '#contract/notifications.ts'
import { orderPath } from '#contract/page-urls.ts'
import { LATE_PAYMENT, REFUND_TIME } from '#contract/rules.ts'
import { nameWithoutSku } from '#contract/variants.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { orderLines, orders, type OrderSnapshot, parcelLines, parcels, sellerOrders, users } from '../db/schema.ts'
import { type CancelledBy, encodeStep, type Step, type StepKind } from '../db/schema/steps.ts'
import { dollars } from '../platform/usd.ts'
import { notify } from '../notifications/notifications.ts'
import { hasShop } from './parts.ts'
import { isRefunded } from './payment-states.ts'

/** What the texts are made of. */
interface StepFacts {
  status: typeof orders.$inferSelect.status
  paymentStatus: typeof orders.$inferSelect.paymentStatus
  priceCents: number
  shopName: string
  isShopRemoved: boolean
  /** How many parts of the order have arrived, and how many it has without cancelled ones. */
  arrivedCount: number
  partCount: number
  /** The products of the parcel, part or order that the step is about: 'Mug (Blue) and 2 more'. */
  goods: string
  /** The amount of a partial refund. */
  refundCents: number
  /** The parcel that the step is about; of a part, the one that was sent or has arrived last. */
  parcel: Parcel | undefined
}

type Parcel = Pick<typeof parcels.$inferSelect, 'id' | 'carrier' | 'trackingNumber' | 'reportedBy'>

interface Words {
  title: string
  message: string
  priority?: Priority
}

function countParts(db: Db, isCounted: SQL): SQL<number> {
  const parts = db
    .select({ count: sql`count(*)::int` })
    .from(sellerOrders)
    .where(and(eq(sellerOrders.orderId, sql.placeholder('orderId')), isCounted))
  return sql<number>`(${parts})`
}

/** An order with the snapshots of its lines; if a part and a parcel are given, only of the lines in them. */
const orderWithGoods = prepared(db => {
  const [partId, parcelId] = ['partId', 'parcelId'].map(name => sql`${sql.placeholder(name)}::text`) as [SQL, SQL]
  const inParcel = db
    .select({ id: parcelLines.orderLineId })
    .from(parcelLines)
    .where(eq(parcelLines.parcelId, parcelId))
  const goods = selectGoods(
    db,
    and(
      eq(sellerOrders.orderId, sql.placeholder('orderId')),
      or(isNull(partId), eq(sellerOrders.id, partId)),
      or(isNull(parcelId), inArray(orderLines.id, inParcel)),
    ),
  )
  return (
    db
      .select({
        userId: orders.userId,
        status: orders.status,
        paymentStatus: orders.paymentStatus,
        priceCents: orders.priceCents,
        shopName: sellerOrders.shopName,
        arrivedCount: countParts(db, eq(sellerOrders.deliveryStatus, 'Delivered')),
        partCount: countParts(db, ne(sellerOrders.deliveryStatus, 'Cancelled')),
        snapshots: sql<OrderSnapshot[]>`array(${goods})`,
      })
      .from(orders)
      // Sends nothing to customers who have deleted their account.
      .innerJoin(users, eq(users.id, orders.userId))
      .leftJoin(sellerOrders, and(eq(sellerOrders.orderId, orders.id), eq(sellerOrders.id, partId)))
      .where(eq(orders.id, sql.placeholder('orderId')))
      .prepare('order_with_goods')
  )
})

/**
 * Notifies the customer of an order's step, in the transaction that records it. Sends nothing for steps without a text,
 * or for a failed payment when the order is no longer pending.
 */
export async function notifyOfStep(tx: Tx, orderId: string, step: Step): Promise<void> {
  const write = step.kind === 'cancelled' ? CANCELLED[step.by] : WORDS[step.kind]
  if (!write) return
  const parcel = await findParcel(tx, step)
  const partId = ('sellerOrderId' in step ? step.sellerOrderId : parcel?.sellerOrderId) ?? null
  // Names only what is in the parcel. Once a part is delivered, names all of it, unless the arrival is assumed: that
  // parcel may be lost.
  const isAboutParcel = step.kind !== 'delivered' || parcel?.reportedBy === 'time'
  const parcelId = parcel && isAboutParcel ? parcel.id : null
  const [order] = await orderWithGoods(tx).execute({ orderId, partId, parcelId })
  if (!order) return
  const facts = {
    shopName: order.shopName ?? 'The shop',
    isShopRemoved: partId !== null && !(await hasShop(tx, partId)),
    goods: nameAll(order.snapshots),
    refundCents: 'amountCents' in step ? step.amountCents : 0,
    parcel,
  }
  const words = write({ ...order, ...facts })
  if (!words) return
  const eventKey = `order:${orderId}:${encodeStep(step)}`
  await notify(tx, { userId: order.userId, ...words, link: orderPath(orderId), eventKey })
}

async function findParcel(tx: Tx, step: Step): Promise<(Parcel & { sellerOrderId: string }) | undefined> {
  if (!('parcelId' in step || 'sellerOrderId' in step)) return undefined
  const isMatch = 'parcelId' in step ? eq(parcels.id, step.parcelId) : eq(parcels.sellerOrderId, step.sellerOrderId)
  // The parcel that arrived last completed the part.
  const arrivedLast = step.kind === 'delivered' ? [sql`${parcels.arrivedAt} desc nulls last`] : []
  const [parcel] = await tx
    .select()
    .from(parcels)
    .where(isMatch)
    .orderBy(...arrivedLast, desc(parcels.number))
    .limit(1)
  return parcel
}

/** Names the products of these order lines: 'Mug (Blue) and 2 more'. */
export async function nameGoods(tx: Tx, ofParts: SQL): Promise<string> {
  const lines = await selectGoods(tx, ofParts)
  return nameAll(lines.map(({ snapshot }) => snapshot))
}

function selectGoods(db: Db | Tx, ofParts: SQL | undefined) {
  return db
    .select({ snapshot: orderLines.snapshot })
    .from(orderLines)
    .innerJoin(sellerOrders, eq(sellerOrders.id, orderLines.sellerOrderId))
    .where(ofParts)
    .orderBy(orderLines.id)
}

function nameAll([first, ...others]: (OrderSnapshot | null)[]): string {
  const name = first ? nameWithoutSku(first) : 'what you ordered'
  return others.length > 0 ? `${name} and ${others.length} more` : name
}

const WORDS: Record<Exclude<StepKind, 'cancelled'>, ((order: StepFacts) => Words | null) | null> = {
  placed: null,
  processing: null,
  lapsed: null,
  revived: null,
  mismatch: null,
  disputed: null,
  returned: null,
  // The operator tells the customer how the money will be paid instead.
  refund_bounced: null,
  dispute_lost: null,
  refund_pending: null,
  part_refund_pending: null,
  packed: null,
  // server/returns/notifying.ts notifies the customer of these.
  return: null,
  cancellation: null,

  paid: ({ priceCents, goods }) => ({
    title: 'Your order is paid',
    message:
      priceCents === 0
        ? `There is nothing to pay for ${goods}. The shops are preparing your order.`
        : `We have received your payment of ${dollars(priceCents)} for ${goods}. The shops are preparing your order.`,
  }),

  failed: ({ status, priceCents, goods }) =>
    status === 'pending'
      ? {
          title: 'Your payment did not go through',
          message: `Your order of ${goods} for ${dollars(priceCents)} is not paid yet. You can try again while we hold it for you.`,
          priority: 'high',
        }
      : null,

  paid_again: ({ goods }) => ({
    title: 'You have paid twice',
    message: `Your order of ${goods} was already paid. We are refunding the second payment.`,
  }),

  paid_wrong: ({ status, paymentStatus, priceCents, goods }) => ({
    title: 'We are refunding your payment',
    message: `Its amount or currency did not match your order of ${goods} for ${dollars(priceCents)}, which is not paid.${
      status === 'pending' && paymentStatus !== 'processing' ? ' You can pay again while we hold it for you.' : ''
    }`,
    priority: 'high',
  }),

  shipped: facts => ({ title: 'Your order is on its way', message: describeShipment(facts) }),

  parcel_sent: facts => ({
    title: 'Part of your order is on its way',
    message: `${describeShipment(facts)}${isRefunded(facts) ? '' : ' The rest follows in another parcel.'}`,
  }),

  delivered: facts => {
    const { shopName, arrivedCount, partCount } = facts
    if (partCount < 2) return describeArrival(facts, 'your order')
    return describeArrival(facts, `your order from ${shopName}`, ` (${arrivedCount} of ${partCount} shops)`)
  },

  parcel_arrived: facts => describeArrival(facts, 'part of your order'),

  refunded: ({ paymentStatus, goods }) =>
    paymentStatus === 'paid'
      ? {
          title: 'We have refunded one of your payments',
          message: `Your order of ${goods} stays paid by another one. ${REFUND_TIME}`,
        }
      : wholeRefunded(goods),

  part_refunded: partRefunded,
  part_returned: partRefunded,
}

function wholeRefunded(goods: string): Words {
  return { title: 'We have refunded your payment', message: `It was for ${goods}. ${REFUND_TIME}` }
}

function partRefunded({ refundCents, priceCents, goods }: StepFacts): Words {
  if (refundCents === priceCents) return wholeRefunded(goods)
  return {
    title: `We have refunded ${dollars(refundCents)}`,
    message: `It is part of your payment for ${goods}. ${REFUND_TIME}`,
  }
}

function describeShipment({ shopName, goods, parcel }: StepFacts): string {
  const carrier = parcel?.carrier ? ` with ${parcel.carrier}` : ''
  const tracking = parcel?.trackingNumber ? `, tracking number ${parcel.trackingNumber}` : ''
  return `${shopName} has shipped ${goods}${carrier}${tracking}.`
}

/** Whom to ask about a parcel of a removed shop, which has no chat. */
export function askMarketplace(shopName: string): string {
  return `please write to our address at the foot of the page: ${shopName} no longer sells here.`
}

/** Null if the customer has reported the arrival. */
function describeArrival(
  { shopName, isShopRemoved, goods, parcel }: StepFacts,
  what: string,
  progress = '',
): Words | null {
  if (parcel?.reportedBy === 'customer') return null
  if (parcel?.reportedBy === 'time')
    return {
      title: `Has ${what} arrived?`,
      message: `${goods} from ${shopName} should have arrived two weeks ago. If it has not, ${isShopRemoved ? askMarketplace(shopName) : 'please tell the shop.'}`,
    }
  return {
    title: `${what[0]!.toUpperCase()}${what.slice(1)} has arrived${progress}`,
    message: `${shopName} has delivered ${goods}. We hope you like it.`,
  }
}

const CANCELLED: Record<CancelledBy, (order: StepFacts) => Words> = {
  customer: ({ paymentStatus, priceCents, goods }) => ({
    title: 'Your order is cancelled',
    message: `Your order of ${goods} for ${dollars(priceCents)} is cancelled, as you asked. ${refundNote(paymentStatus, priceCents)}`,
    priority: 'low',
  }),

  time: ({ priceCents, goods }) => ({
    title: 'Your order is cancelled',
    message: `Your order of ${goods} for ${dollars(priceCents)} was not paid in time. ${LATE_PAYMENT}`,
  }),

  operator: ({ paymentStatus, priceCents, goods }) => ({
    title: 'Your order is cancelled',
    message: `The marketplace has cancelled your order of ${goods} for ${dollars(priceCents)}. ${refundNote(paymentStatus, priceCents)}`,
    priority: 'high',
  }),
}

function refundNote(paymentStatus: StepFacts['paymentStatus'], priceCents: number): string {
  if (priceCents === 0) return 'Nothing was charged.'
  if (paymentStatus === 'refunded') return 'Your payment is refunded already.'
  if (paymentStatus === 'processing') return 'If your payment still arrives, we will refund it.'
  // The provider may know of a payment that the shop does not know of yet.
  return paymentStatus === 'paid' || paymentStatus === 'refund_pending'
    ? 'We are refunding your payment.'
    : 'Your order was not paid. If a payment still arrives, we will refund it.'
}
