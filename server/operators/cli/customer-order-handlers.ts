import type { Order as CustomerOrder, SellerOrder } from '#contract/orders.ts'
import { lineName } from '#contract/variants.ts'
import { cancelByOperator, refundOrder } from '#server/orders/cancelling.ts'
import { deliverOrder, shipOrder } from '#server/orders/deliveries.ts'
import type { Attempt } from '#server/orders/attempt-rows.ts'
import { findOrderId, readAnyOrder } from '#server/orders/orders.ts'
import { listAttempts } from '#server/payments/attempts.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { plainDollars } from '#server/platform/usd.ts'
import { singleLine } from '../../platform/single-line.ts'
import { listForOperator } from './order-list.ts'
import type { AppContext, Terminal } from './app-context.ts'
import { say } from './say.ts'

type About = { id: string }
type Refund = About & { amountCents?: number | undefined }
type Delivery = About & { shop?: string | undefined }

/** Handlers of the commands for customers' orders. */
export const customerOrderHandlers = {
  'order list': listForOperator,

  async 'order show'({ id: given }: About, { database }: AppContext, terminal: Terminal) {
    const id = await findOrderId(database.db, given)
    const { order, sellerOrders } = await readAnyOrder(database.db, id)
    const attempts = await listAttempts(database.db, id)
    const lines = [...describeOrder(order, sellerOrders), ...attempts.map(describeAttempt)]
    return say(terminal, lines.map(singleLine).join('\n'))
  },

  async 'order ship'({ id, shop }: Delivery, { database, jobs }: AppContext, terminal: Terminal) {
    return sayMoved(
      terminal,
      id,
      await shipOrder(database.db, jobs, await findOrderId(database.db, id), shop),
      'shipped',
    )
  },

  async 'order deliver'({ id, shop }: Delivery, { database }: AppContext, terminal: Terminal) {
    return sayMoved(
      terminal,
      id,
      await deliverOrder(database.db, await findOrderId(database.db, id), shop),
      'delivered',
    )
  },

  async 'order cancel'({ id }: About, { database, jobs }: AppContext, terminal: Terminal) {
    const paymentStatus = await cancelByOperator(database.db, jobs, await findOrderId(database.db, id))
    return say(terminal, `${id} is cancelled; its payment is ${paymentStatus}`)
  },

  async 'order refund'({ id, amountCents }: Refund, { database: { db }, jobs }: AppContext, terminal: Terminal) {
    const orderId = await findOrderId(db, id)
    if (amountCents === undefined) return say(terminal, `${id} is ${await refundOrder(db, jobs, orderId)}`)
    await refundPart(db, jobs, orderId, amountCents)
    return say(terminal, `$${plainDollars(amountCents)} of ${id} go back`)
  },
}

function sayMoved(terminal: Terminal, id: string, shopNames: string[], status: string): Promise<number> {
  return say(terminal, `${id} is ${status} by ${shopNames.join(', ')}`)
}

function describeAttempt({ provider, reference, amountCents, status }: Attempt): string {
  return `Payment ${reference} of $${plainDollars(amountCents)} by ${provider}: ${status}${hintAt(status, provider)}`
}

function hintAt(status: Attempt['status'], provider: string): string {
  if (status === 'lapsed') return ': never settled, look it up there'
  return status === 'refund_pending' ? `: given back by a shop with PAYMENT_PROVIDER=${provider}` : ''
}

function describeOrder(order: CustomerOrder, sellerOrders: SellerOrder[]): string[] {
  const { name, address, area, city, post, province, country, phone } = order.shippingInfo
  return [
    `${order.number} (${order._id}): ${order.status}, ${order.paymentStatus}, $${plainDollars(order.priceCents)} with $${plainDollars(order.shippingCents ?? 0)} shipping`,
    `To ${[name, address, area, `${post} ${city}`, province, country, phone].join(', ')}`,
    ...sellerOrders.flatMap(({ shopName, deliveryStatus, priceCents, products }) => [
      `${shopName}: ${deliveryStatus}, $${plainDollars(priceCents)}`,
      ...products.map(({ quantity, productInfo, variant }) => `  ${quantity} × ${lineName(productInfo.name, variant)}`),
    ]),
    ...order.timeline.map(({ at, text }) => `${at}  ${text}`),
  ]
}
