import { and, eq, inArray, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import type { Tx } from '../db/types.ts'
import { orders, sellerOrders, sellers } from '../db/schema.ts'
import type { SendJob } from '../platform/jobs.ts'
import type { Order } from './attempt-rows.ts'
import { statusesBefore } from './delivery-states.ts'
import { orderAfter } from './order-states.ts'
import { PAYABLE } from './payment-states.ts'
import { recordStep } from './steps.ts'

const orderPaid = prepared(db => {
  const paid = db.$with('paid').as(
    db
      .update(orders)
      .set({
        status: sql`${sql.placeholder('status')}`,
        stockState: sql`${sql.placeholder('stockState')}`,
        paymentStatus: 'paid',
        heldUntil: null,
        cancelledBy: null,
        paidAt: sql`${sql.placeholder('paidAt')}`,
      })
      .where(and(eq(orders.id, sql.placeholder('orderId')), inArray(orders.paymentStatus, PAYABLE)))
      .returning({ id: orders.id }),
  )
  // The shop may have been removed since the order was placed.
  const email = db.select({ email: sellers.email }).from(sellers).where(eq(sellers.id, sellerOrders.sellerId))
  return db
    .with(paid)
    .update(sellerOrders)
    .set({ deliveryStatus: 'Processing' })
    .from(paid)
    .where(and(eq(sellerOrders.orderId, paid.id), inArray(sellerOrders.deliveryStatus, statusesBefore('pay'))))
    .returning({ id: sellerOrders.id, email: sql<string | null>`(${email})` })
    .prepare('order_paid')
})

/**
 * Marks an order that the caller has locked as paid: counts its units as sold, sets its parts to `Processing`, and
 * requests mails to the customer and to sellers with an address. Throws an Error if it was paid before.
 */
export async function markPaid(
  tx: Tx,
  sendJob: SendJob,
  { id: orderId, status }: Pick<Order, 'id' | 'status'>,
): Promise<void> {
  const parts = await orderPaid(tx).execute({ orderId, ...orderAfter(status, 'pay'), paidAt: new Date() })
  if (parts.length === 0) throw new Error(`order ${orderId} was paid before`)
  await recordStep(tx, orderId, { kind: 'paid' })
  await sendJob('orderMail', { kind: 'paid', orderId })
  for (const part of parts) if (part.email !== null) await sendJob('sellerMail', { sellerOrderId: part.id })
}
