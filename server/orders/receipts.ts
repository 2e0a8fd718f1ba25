import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { EMPTY_SHIPPING_FORM } from '#contract/orders.ts'
import type { Receipt, ReceiptLine, ReceiptPart, ReceiptRefund } from '#contract/receipts.ts'
import { variantTitle } from '#contract/variants.ts'
import type { Db } from '../db/types.ts'
import { type orderLines, orders, orderSteps, type payments, returns, sellers } from '../db/schema.ts'
import { sumBy } from '../platform/sum.ts'
import { noSuchOrder } from './attempt-rows.ts'
import { readOwnPayments, readPendingRefunds } from './orders.ts'
import { type OrderPart, readParts } from './parts.ts'

type StoredOrder = typeof orders.$inferSelect & { paidAt: Date }

/** A refund with the seller's part that it is for, if it is for one. */
interface PartRefund {
  at: Date | null
  cents: number
  sellerOrderId: string | null
}

/** The receipt of a customer's paid order. Throws a `NotFoundError` for any other order. */
export async function readReceipt(db: Db, userId: string, orderId: string): Promise<Receipt> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId), isNotNull(orders.paidAt)))
  if (!order?.paidAt) throw noSuchOrder()
  const paid = { ...order, paidAt: order.paidAt }
  const parts = await readParts(db, orderId)
  const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId))
  const { charge, refunds } = await readOwnPayments(db, order, steps)
  return {
    ...toReceipt(paid, parts, await readRefunds(db, orderId, refunds), await readAddresses(db, parts)),
    paidCents: charge && charge.amountCents !== order.priceCents ? charge.amountCents : undefined,
  }
}

/** All refunds of the payment that paid the order, pending ones last. */
async function readRefunds(db: Db, orderId: string, paid: (typeof payments.$inferSelect)[]): Promise<PartRefund[]> {
  const pending = await readPendingRefunds(db, orderId)
  const causes = await db
    .select({ refundId: returns.refundId, sellerOrderId: returns.sellerOrderId })
    .from(returns)
    .where(and(eq(returns.orderId, orderId), isNotNull(returns.refundId)))
  const partOf = new Map(causes.map(({ refundId, sellerOrderId }) => [refundId, sellerOrderId]))
  return [
    ...paid.map(({ createdAt, amountCents, refundId }) => ({
      at: createdAt,
      cents: amountCents,
      sellerOrderId: (refundId && partOf.get(refundId)) || null,
    })),
    ...pending.map(({ id, amountCents }) => ({ at: null, cents: amountCents, sellerOrderId: partOf.get(id) ?? null })),
  ]
}

async function readAddresses(db: Db, parts: OrderPart[]): Promise<Map<string, string[]>> {
  const ids = parts.map(({ sellerId }) => sellerId)
  const shops = await db
    .select({ id: sellers.id, address: sellers.address })
    .from(sellers)
    .where(inArray(sellers.id, ids))
  return new Map(shops.map(({ id, address }) => [id, address]))
}

function toReceipt(
  order: StoredOrder,
  parts: OrderPart[],
  allRefunds: PartRefund[],
  addresses: Map<string, string[]>,
): Receipt {
  const { id, number, createdAt, paidAt, paymentStatus, destination, priceCents, shippingCents } = order
  const shopNames = new Map(parts.map(part => [part.id, part.shopName]))
  return {
    orderId: id,
    number,
    date: createdAt.toISOString(),
    paidAt: paidAt.toISOString(),
    paymentStatus,
    shippingInfo: destination ?? EMPTY_SHIPPING_FORM,
    parts: parts.map((part, at) => ({
      ...toPart(part, addresses.get(part.sellerId) ?? []),
      number: `${number}-${at + 1}`,
      refunds: refundsOf(part, allRefunds, order),
    })),
    itemsCents: priceCents - shippingCents,
    shippingCents,
    priceCents,
    refunds: allRefunds.map(refund => toRefund(refund, shopNames.get(refund.sellerOrderId ?? ''))),
    refundedCents: centsOf(allRefunds.filter(({ at }) => at)),
  }
}

function toPart(part: OrderPart, address: string[]): Omit<ReceiptPart, 'number' | 'refunds'> {
  const { id, shopName, deliveryStatus, priceCents, lines } = part
  const shippingCents = sumBy(lines, line => line.shippingCents)
  return {
    sellerOrderId: id,
    shopName,
    address,
    deliveryStatus,
    lines: lines.map(toLine),
    itemsCents: priceCents - shippingCents,
    shippingCents,
    priceCents,
  }
}

function toLine({ quantity, unitCents, snapshot }: typeof orderLines.$inferSelect): ReceiptLine {
  return {
    name: snapshot?.name ?? 'Product',
    options: variantTitle(snapshot?.variant?.options ?? []),
    sku: snapshot?.variant?.sku ?? '',
    quantity,
    unitCents,
    cents: quantity * unitCents,
  }
}

/** The refunds of one part. If the whole order was refunded, includes the rest of this part's price. */
function refundsOf({ id, priceCents }: OrderPart, allRefunds: PartRefund[], order: StoredOrder): ReceiptRefund[] {
  const paid = allRefunds.filter(({ at }) => at)
  const own = allRefunds.filter(({ sellerOrderId }) => sellerOrderId === id)
  const restCents = order.paymentStatus === 'refunded' ? priceCents - centsOf(own) : 0
  const last = paid.findLast(({ sellerOrderId }) => sellerOrderId === null)
  const rest = restCents > 0 && last ? [{ ...last, cents: restCents }] : []
  return [...own, ...rest].map(refund => toRefund(refund))
}

function toRefund({ at, cents }: PartRefund, shopName?: string): ReceiptRefund {
  return { at: at?.toISOString(), cents, shopName }
}

function centsOf(partRefunds: PartRefund[]): number {
  return sumBy(partRefunds, ({ cents }) => cents)
}
