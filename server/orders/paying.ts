import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'
import { orders, sellerOrders, sellers } from '../db/schema.ts'
import type { SendJob } from '../platform/jobs.ts'
import type { Order } from './attempt-rows.ts'
import { statusesBefore } from './delivery-states.ts'
import { orderAfter } from './order-states.ts'
import { PAYABLE } from './payment-states.ts'
import { recordStep } from './steps.ts'

/**
 * Marks an order that the caller has locked as paid: counts its units as sold, sets its parts to `Processing`, and
 * requests mails to the customer and to sellers with an address. Throws an Error if it was paid before.
 */
export async function markPaid(
  tx: Tx,
  sendJob: SendJob,
  { id: orderId, status }: Pick<Order, 'id' | 'status'>,
): Promise<void> {
  const paid = tx.$with('paid').as(
    tx
      .update(orders)
      .set({
        ...orderAfter(status, 'pay'),
        paymentStatus: 'paid',
        heldUntil: null,
        cancelledBy: null,
        paidAt: new Date(),
      })
      .where(and(eq(orders.id, orderId), inArray(orders.paymentStatus, PAYABLE)))
      .returning({ id: orders.id }),
  )
  // The shop may have been removed since the order was placed.
  const email = tx.select({ email: sellers.email }).from(sellers).where(eq(sellers.id, sellerOrders.sellerId))
  const parts = await tx
    .with(paid)
    .update(sellerOrders)
    .set({ deliveryStatus: 'Processing' })
    .from(paid)
    .where(and(eq(sellerOrders.orderId, paid.id), inArray(sellerOrders.deliveryStatus, statusesBefore('pay'))))
    .returning({ id: sellerOrders.id, email: sql<string | null>`(${email})` })
  if (parts.length === 0) throw new Error(`order ${orderId} was paid before`)
  await recordStep(tx, orderId, { kind: 'paid' })
  await sendJob('orderMail', { kind: 'paid', orderId })
  for (const part of parts) if (part.email !== null) await sendJob('sellerMail', { sellerOrderId: part.id })
}
