import { and, eq } from 'drizzle-orm'
import type { Priority } from '#contract/notifications.ts'
import { orderPath } from '#contract/paths.ts'
import type { Tx } from '../db/types.ts'
import { orders, sellerOrders, users } from '../db/schema.ts'
import { dollars } from '../platform/usd.ts'
import { notify } from '../notifications/notifications.ts'

interface Known {
  status: typeof orders.$inferSelect.status
  paymentStatus: typeof orders.$inferSelect.paymentStatus
  priceCents: number
  shopName: string
}

interface Words {
  title: string
  message: string
  priority?: Priority
}

/**
 * Notifies the customer of an order's step, in the transaction that records it. Steps without an entry in `WORDS` send
 * nothing, nor does a failed payment when the order is no longer pending.
 */
export async function notifyOfStep(tx: Tx, orderId: string, kind: string, sellerOrderId?: string): Promise<void> {
  const [what = kind] = kind.split(':')
  const say = Object.hasOwn(WORDS, kind) ? WORDS[kind] : Object.hasOwn(WORDS, what) ? WORDS[what] : undefined
  if (!say) return
  const [order] = await tx
    .select({
      userId: orders.userId,
      status: orders.status,
      paymentStatus: orders.paymentStatus,
      priceCents: orders.priceCents,
      shopName: sellerOrders.shopName,
    })
    .from(orders)
    // Sends nothing to customers who have deleted their account.
    .innerJoin(users, eq(users.id, orders.userId))
    .leftJoin(sellerOrders, and(eq(sellerOrders.orderId, orders.id), eq(sellerOrders.id, sellerOrderId ?? '')))
    .where(eq(orders.id, orderId))
  if (!order) return
  const words = say({ ...order, shopName: order.shopName ?? 'The shop' })
  if (!words) return
  await notify(tx, { userId: order.userId, ...words, link: orderPath(orderId), about: `order:${orderId}:${kind}` })
}

const WORDS: Record<string, (order: Known) => Words | null> = {
  paid: ({ priceCents }) => ({
    title: 'Your order is paid',
    message:
      priceCents === 0
        ? 'There is nothing to pay. The shops prepare your order now.'
        : `We have received your payment of ${dollars(priceCents)}. The shops prepare your order now.`,
  }),

  failed: ({ status, priceCents }) =>
    status === 'pending'
      ? {
          title: 'Your payment did not go through',
          message: `Your order of ${dollars(priceCents)} is not paid yet. You can try again while we keep it for you.`,
          priority: 'high',
        }
      : null,

  paid_again: () => ({
    title: 'You have paid twice',
    message: 'Your order was paid already. The second payment goes back to you.',
  }),

  paid_wrong: ({ status, paymentStatus, priceCents }) => ({
    title: 'Your payment goes back to you',
    message: `It was of another amount or currency than your order of ${dollars(priceCents)}, which is not paid.${
      status === 'pending' && paymentStatus !== 'processing'
        ? ' You can pay it once more while we keep it for you.'
        : ''
    }`,
    priority: 'high',
  }),

  shipped: ({ shopName }) => ({
    title: 'Your order is on its way',
    message: `${shopName} has sent off what you ordered.`,
  }),

  delivered: ({ shopName }) => ({
    title: 'Your order has arrived',
    message: `What you ordered from ${shopName} is delivered. We hope that you like it.`,
    priority: 'low',
  }),

  'cancelled:customer': ({ priceCents }) => ({
    title: 'Your order is cancelled',
    message: `Your order of ${dollars(priceCents)} is cancelled, as you wished. ${backOf('unpaid', priceCents)}`,
    priority: 'low',
  }),

  'cancelled:time': ({ priceCents }) => ({
    title: 'Your order is cancelled',
    message: `Your order of ${dollars(priceCents)} was not paid in time. Should a payment still arrive, you get it back.`,
  }),

  'cancelled:operator': ({ paymentStatus, priceCents }) => ({
    title: 'Your order is cancelled',
    message: `The marketplace has cancelled your order of ${dollars(priceCents)}. ${backOf(paymentStatus, priceCents)}`,
    priority: 'high',
  }),

  refunded: () => ({
    title: 'We have refunded your payment',
    message: 'Your bank may take 5 to 7 business days to show it.',
  }),
}

function backOf(paymentStatus: Known['paymentStatus'], priceCents: number): string {
  if (priceCents === 0) return 'Nothing was charged.'
  if (paymentStatus === 'processing') return 'Should your payment still arrive, you get it back.'
  // The provider may know of a payment that the shop does not know of yet.
  return paymentStatus === 'paid'
    ? 'You get your payment back.'
    : 'Your order was not paid. Should a payment still arrive, you get it back.'
}
