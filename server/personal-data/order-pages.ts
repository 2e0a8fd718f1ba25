import { asc, eq, inArray } from 'drizzle-orm'
import { snapshotName } from '#contract/variants.ts'
import type { Db } from '../db/types.ts'
import { orders, payments } from '../db/schema.ts'
import { readPartsOf } from '../orders/parts.ts'
import { readReturnsOf } from '../returns/listing.ts'
import { fileName, inPages } from './pages.ts'

type Part = Awaited<ReturnType<typeof readPartsOf>>[number]

/** The customer's orders with their lines, parcels and returns, oldest first. */
export async function* orderPages(db: Db, userId: string): AsyncGenerator<object[]> {
  const pages = inPages(orders.id, eq(orders.userId, userId), () => db.select().from(orders))
  for await (const page of pages) {
    const ids = page.map(({ id }) => id)
    const partsByOrder = Map.groupBy(await readPartsOf(db, ids), ({ orderId }) => orderId)
    const paymentsByOrder = Map.groupBy(await readPayments(db, ids), ({ orderId }) => orderId)
    const returnsByOrder = Map.groupBy(await readReturnsOf(db, ids), ({ orderId }) => orderId)
    yield page.map(order => ({
      number: order.number,
      placedAt: order.createdAt,
      paidAt: order.paidAt,
      status: order.status,
      paymentStatus: order.paymentStatus,
      ...describePayments(paymentsByOrder.get(order.id) ?? []),
      priceCents: order.priceCents,
      shippingCents: order.shippingCents,
      address: order.destination,
      parts: (partsByOrder.get(order.id) ?? []).map(describePart),
      returns: (returnsByOrder.get(order.id) ?? []).map(
        ({ id: _id, orderId: _order, orderNumber: _number, sellerOrderId: _part, ...rest }) => ({
          ...rest,
          pictures: rest.pictures.map(picture => `return-pictures/${fileName(picture)}`),
        }),
      ),
    }))
  }
}

async function readPayments(db: Db, orderIds: string[]) {
  return db.select().from(payments).where(inArray(payments.orderId, orderIds)).orderBy(asc(payments.id))
}

function describePayments(entries: (typeof payments.$inferSelect)[]): object {
  return {
    paidWith: entries.flatMap(({ paidWith }) => paidWith ?? []),
    refunds: entries
      .filter(({ kind }) => kind === 'refund')
      .map(({ amountCents, currency, createdAt }) => ({ amountCents, currency, refundedAt: createdAt })),
  }
}

function describePart({ shopName, priceCents, deliveryStatus, deliveredAt, lines, parcels }: Part): object {
  const names = new Map(lines.map(({ id, snapshot }) => [id, snapshot ? snapshotName(snapshot) : 'Product']))
  return {
    shop: shopName,
    priceCents,
    deliveryStatus,
    deliveredAt,
    lines: lines.map(({ id, productId, quantity, unitCents, shippingCents }) => ({
      product: names.get(id),
      productId,
      quantity,
      unitCents,
      shippingCents,
    })),
    parcels: parcels.map(({ number, status, carrier, trackingNumber, sentAt, arrivedAt, units }) => ({
      number,
      status,
      carrier,
      trackingNumber,
      sentAt,
      arrivedAt,
      contents: [...units].map(([lineId, quantity]) => ({ product: names.get(lineId), quantity })),
    })),
  }
}
