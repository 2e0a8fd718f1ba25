import { and, eq } from 'drizzle-orm'
import { carrierName } from '#contract/parcels.ts'
import type { DeliveryStatus } from '#contract/orders.ts'
import { daysAfter, totalDays, UNPROMISED_DAYS } from '#contract/delivery.ts'
import type { Db, Tx } from '../db/types.ts'
import { parcelLines, parcels, sellerOrders, sellers } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'
import type { Jobs, SendJob } from '../platform/jobs.ts'
import { recordAudit } from '../platform/audit.ts'
import { arrive } from './arrivals.ts'
import { isPartOf } from './shipping-list.ts'
import { lockOrder, type Order } from './attempt-rows.ts'
import { nextStatus, statusesBefore } from './delivery-states.ts'
import { chooseUnits, type ParcelItem } from './parcel-items.ts'
import { countUnits, type OrderPart, readParts, type StoredParcel, unsentUnits } from './parts.ts'
import { recordStep } from './steps.ts'

/** A parcel as its shop describes it; without items, it holds all that is unsent. */
interface ParcelDetails {
  carrier?: string | undefined
  trackingNumber?: string | undefined
  items?: ParcelItem[]
}

/** The shop, by its key, name or id; without one, all shops of the order. */
interface OfShop {
  shop?: string | undefined
}

/**
 * Sends a parcel for each unsent part of an order, and mails the customer about each. Returns the shops' names. Throws
 * a `NotFoundError` for an unknown order, a shop that has no part in it or an unknown item, and a `ConflictError` when
 * the order is not paid, nothing is left to send, or a described parcel could be several shops'.
 */
export async function shipOrder(
  db: Db,
  jobs: Jobs,
  orderId: string,
  { shop, ...details }: OfShop & ParcelDetails = {},
): Promise<string[]> {
  return jobs.transact(db, async (tx, sendJob) => {
    const order = await lockOrder(tx, orderId)
    const sendable = statusesBefore('send')
    const ofShop = await readPartsOfShop(tx, orderId, shop)
    const parts = ofShop.filter(part => sendable.includes(part.deliveryStatus) && unsentUnits(part).size > 0)
    if (parts.length === 0) throw noneWithStatus('Processing', shop, ofShop)
    if (Object.values(details).some(each => each !== undefined)) requireOneShop(parts)
    for (const part of parts) await sendParcel(tx, sendJob, order, { part, details })
    return recordDelivery(tx, orderId, 'Shipped', parts)
  })
}

/**
 * Marks the `Processing` parts of an order as packed: from then on the shop decides about cancellations. Returns the
 * shops' names. Throws a `NotFoundError` for an unknown order or shop, and a `ConflictError` if no part is `Processing`.
 */
export async function packOrder(db: Db, orderId: string, { shop }: OfShop = {}): Promise<string[]> {
  return transact(db, async tx => {
    await lockOrder(tx, orderId)
    const ofShop = await readPartsOfShop(tx, orderId, shop)
    const parts = ofShop.filter(part => part.deliveryStatus === 'Processing')
    if (parts.length === 0) throw noneWithStatus('Processing', shop, ofShop)
    for (const { id, packedAt } of parts) {
      await tx
        .update(sellerOrders)
        .set({ packedAt: packedAt ?? new Date() })
        .where(eq(sellerOrders.id, id))
      await recordStep(tx, orderId, { kind: 'packed', sellerOrderId: id })
    }
    const shopNames = parts.map(part => part.shopName)
    await recordAudit(tx, { event: 'order_packed', outcome: 'ok', details: { orderId, shopNames } })
    return shopNames
  })
}

/** Marks sent parcels as arrived: all, or the one with this number. Returns the shops' names; throws as `shipOrder`. */
export async function deliverOrder(
  db: Db,
  orderId: string,
  { shop, number }: OfShop & { number?: number | undefined } = {},
): Promise<string[]> {
  return transact(db, async tx => {
    const order = await lockOrder(tx, orderId)
    const delivered: OrderPart[] = []
    const ofShop = await readPartsOfShop(tx, orderId, shop)
    for (const stored of ofShop) {
      const part = await withParcels(tx, order, stored)
      const arrived = part.parcels.filter(each => each.status === 'sent' && (number ?? each.number) === each.number)
      if (arrived.length === 0) continue
      delivered.push(part)
      if (number !== undefined) requireOneShop(delivered)
      await arrive(tx, part, arrived, 'seller')
    }
    if (delivered.length === 0 && number !== undefined) throw noneOnItsWay(number, ofShop)
    if (delivered.length === 0) throw noneWithStatus('Shipped', shop, ofShop)
    return recordDelivery(tx, orderId, 'Delivered', delivered)
  })
}

async function readPartsOfShop(tx: Tx, orderId: string, shop: string | undefined): Promise<OrderPart[]> {
  const parts = await readParts(tx, orderId)
  if (shop === undefined) return parts
  const named = await tx
    .select({ id: sellerOrders.id })
    .from(sellerOrders)
    .where(and(eq(sellerOrders.orderId, orderId), isPartOf(tx, shop)))
  if (named.length > 0) return parts.filter(({ id }) => named.some(part => part.id === id))
  const shops = await tx
    .select({ name: sellerOrders.shopName, key: sellers.key })
    .from(sellerOrders)
    .leftJoin(sellers, eq(sellers.id, sellerOrders.sellerId))
    .where(eq(sellerOrders.orderId, orderId))
    .orderBy(sellerOrders.id)
  const known = shops.map(({ name, key }) => (key ? `${name} (${key})` : name))
  throw new NotFoundError(`No part of this order is from a shop called '${shop}', only from ${known.join(' and ')}`)
}

/** Names the shop that was asked for: another shop's part may well have that status. */
function noneWithStatus(status: DeliveryStatus, shop: string | undefined, parts: OrderPart[]): ConflictError {
  if (parts.some(({ deliveryStatus }) => deliveryStatus === 'Pending'))
    return new ConflictError('This order is not paid yet')
  const [part] = parts
  const place = shop !== undefined && part ? ` at ${part.shopName}` : ''
  return new ConflictError(`Nothing of this order is ${status}${place}`)
}

function noneOnItsWay(number: number, parts: OrderPart[]): ConflictError {
  const shopNames = parts.map(({ shopName }) => shopName)
  const have = shopNames.length > 1 ? 'have' : 'has'
  return new ConflictError(`${shopNames.join(' and ')} ${have} no parcel ${number} on its way`)
}

function requireOneShop(parts: OrderPart[]): void {
  const shopNames = parts.map(({ shopName }) => shopName)
  if (parts.length > 1) throw new ConflictError(`Name the shop: the parcel could be of ${shopNames.join(' or ')}`)
}

async function sendParcel(
  tx: Tx,
  sendJob: SendJob,
  order: Order,
  { part, details }: { part: OrderPart; details: ParcelDetails },
): Promise<void> {
  const parcel = await addParcel(tx, order, part, details)
  const status = nextStatus(part.deliveryStatus, 'send', countUnits({ ...part, parcels: [...part.parcels, parcel] }))
  await tx.update(sellerOrders).set({ deliveryStatus: status }).where(eq(sellerOrders.id, part.id))
  const orderId = order.id
  const isAll = status === 'Shipped'
  await recordStep(
    tx,
    orderId,
    isAll ? { kind: 'shipped', sellerOrderId: part.id } : { kind: 'parcel_sent', parcelId: parcel.id },
  )
  await sendJob('orderMail', { kind: 'shipped', orderId, sellerOrderId: part.id, parcelId: parcel.id })
}

/** Versions before parcels mark parts as shipped without one. */
async function withParcels(tx: Tx, order: Order, part: OrderPart): Promise<OrderPart> {
  if (part.deliveryStatus !== 'Shipped' || part.parcels.length > 0) return part
  return { ...part, parcels: [await addParcel(tx, order, { ...part, deliveryStatus: 'Processing' }, {})] }
}

async function addParcel(
  tx: Tx,
  order: Order,
  part: OrderPart,
  { carrier, trackingNumber, items = [] }: ParcelDetails,
): Promise<StoredParcel> {
  const units = chooseUnits(part, items)
  const [parcel] = await tx
    .insert(parcels)
    .values({
      sellerOrderId: part.id,
      number: part.parcels.length + 1,
      carrier: carrier === undefined ? null : carrierName(carrier),
      trackingNumber: trackingNumber ?? null,
      expectedAt: expectedAt(order, part),
    })
    .returning()
  if (!parcel) throw new Error(`no parcel of ${part.id} was stored`)
  await tx
    .insert(parcelLines)
    .values([...units].map(([orderLineId, quantity]) => ({ parcelId: parcel.id, orderLineId, quantity })))
  return { ...parcel, units }
}

/** When a parcel sent now should arrive: on the promised day, or later if its transit time ends later. */
function expectedAt({ paidAt }: Order, { deliveryDays }: OrderPart): Date {
  const now = Date.now()
  if (!deliveryDays) return new Date(daysAfter(now, UNPROMISED_DAYS))
  const promised = daysAfter(paidAt?.getTime() ?? now, totalDays(deliveryDays)[1])
  return new Date(Math.max(promised, daysAfter(now, deliveryDays.transit[1])))
}

/** Records the delivery in the audit; returns the shops' names. */
async function recordDelivery(tx: Tx, orderId: string, to: 'Shipped' | 'Delivered', parts: OrderPart[]) {
  const shopNames = parts.map(part => part.shopName)
  await recordAudit(tx, { event: 'delivery', outcome: 'ok', details: { orderId, to, shopNames } })
  return shopNames
}
