import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'
import { orders, sellerOrders } from '../db/schema.ts'
import type { SendJob } from '../platform/jobs.ts'
import type { Order } from './attempt-rows.ts'
import { statusesBefore } from './delivery-states.ts'
import { orderAfter } from './order-states.ts'
import { PAYABLE } from './payment-states.ts'
import { requestSellerMails } from './seller-mail.ts'
import { recordStep } from './steps.ts'

/**
 * Marks an order that the caller has locked as paid: counts its units as sold, sets its parts to `Processing`, and
 * requests mails to the customer and the sellers. Throws an Error if it was paid before.
 */
export async function markPaid(
  tx: Tx,
  sendJob: SendJob,
  { id: orderId, status }: Pick<Order, 'id' | 'status'>,
): Promise<void> {
  const [paid] = await tx
    .update(orders)
    .set({
      ...orderAfter(status, 'pay'),
      paymentStatus: 'paid',
      heldUntil: null,
      cancelledBy: null,
      paidAt: new Date(),
    })
    .where(and(eq(orders.id, orderId), inArray(orders.paymentStatus, PAYABLE)))
    .returning({ id: orders.id })
  if (!paid) throw new Error(`order ${orderId} was paid before`)
  const parts = await tx
    .update(sellerOrders)
    .set({ deliveryStatus: 'Processing' })
    .where(and(eq(sellerOrders.orderId, orderId), inArray(sellerOrders.deliveryStatus, statusesBefore('pay'))))
    .returning({ id: sellerOrders.id })
  await recordStep(tx, orderId, { kind: 'paid' })
  await sendJob('orderMail', { kind: 'paid', orderId })
  await requestSellerMails(
    tx,
    sendJob,
    parts.map(({ id }) => id),
  )
}
