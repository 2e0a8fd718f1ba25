import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { orders, sellerOrders } from '../db/schema.ts'
import type { Jobs } from '../jobs.ts'
import { recordStep } from './order-steps.ts'

/** Makes an order of this transaction paid: its units are sold, its sellers begin, a mail is on its way. */
export async function markPaid(tx: Tx, jobs: Jobs, orderId: string): Promise<void> {
  const [paid] = await tx
    .update(orders)
    .set({
      paymentStatus: 'paid',
      status: 'placed',
      stockState: 'sold',
      heldUntil: null,
      cancelledBy: null,
      paidAt: new Date(),
    })
    .where(and(eq(orders.id, orderId), inArray(orders.paymentStatus, ['unpaid', 'processing'])))
    .returning({ id: orders.id })
  if (!paid) throw new Error(`order ${orderId} was paid before`)
  await tx
    .update(sellerOrders)
    .set({ deliveryStatus: 'Processing' })
    .where(and(eq(sellerOrders.orderId, orderId), inArray(sellerOrders.deliveryStatus, ['Pending', 'Cancelled'])))
  await recordStep(tx, orderId, 'paid')
  await jobs.send('orderMail', { kind: 'paid', orderId }, tx)
}
