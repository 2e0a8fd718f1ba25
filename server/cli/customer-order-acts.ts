import type { Order as CustomerOrder, SellerOrder } from '#contract/orders.ts'
import { cancelByOperator, refundOrder } from '#server/services/order-cancelling.ts'
import { deliverOrder, shipOrder } from '#server/services/order-deliveries.ts'
import type { Attempt } from '#server/services/order-attempts.ts'
import { listOrders, readAnyOrder } from '#server/services/orders.ts'
import { listAttempts } from '#server/services/payment-attempts.ts'
import { dollars } from './describe.ts'
import type { OrderOf } from './order.ts'
import type { Premises, Terminal } from './perform.ts'

type About = { id: string }
type Delivery = About & { shop?: string | undefined }

/** Carries out what an operator wants done with customers' orders. */
export const customerOrderActs = {
  async 'order list'({ status, limit }: OrderOf<'order list'>, { database }: Premises, terminal: Terminal) {
    for (const { id, createdAt, status: is, paymentStatus, priceCents, email } of await listOrders(
      database.db,
      status,
      limit,
    ))
      await terminal.out(
        `${id}  ${createdAt.toISOString()}  ${is.padEnd(9)}  ${paymentStatus.padEnd(14)}  $${dollars(priceCents)}  ${email}\n`,
      )
    return 0
  },

  async 'order show'({ id }: About, { database }: Premises, { out }: Terminal) {
    const { order, sellerOrders } = await readAnyOrder(database.db, id)
    const attempts = await listAttempts(database.db, id)
    await out(`${[...describeOrder(order, sellerOrders), ...attempts.map(describeAttempt)].join('\n')}\n`)
    return 0
  },

  async 'order ship'({ id, shop }: Delivery, { database, jobs }: Premises, terminal: Terminal) {
    return sayMoved(terminal, id, await shipOrder(database.db, jobs, id, shop), 'shipped')
  },

  async 'order deliver'({ id, shop }: Delivery, { database }: Premises, terminal: Terminal) {
    return sayMoved(terminal, id, await deliverOrder(database.db, id, shop), 'delivered')
  },

  async 'order cancel'({ id }: About, { database, jobs }: Premises, { out }: Terminal) {
    const paymentStatus = await cancelByOperator(database.db, jobs, id)
    await out(`${id} is cancelled; its payment is ${paymentStatus}\n`)
    return 0
  },

  async 'order refund'({ id }: About, { database, jobs }: Premises, { out }: Terminal) {
    await out(`${id} is ${await refundOrder(database.db, jobs, id)}\n`)
    return 0
  },
}

async function sayMoved({ out }: Terminal, id: string, shopNames: string[], status: string): Promise<number> {
  await out(`${id} is ${status} by ${shopNames.join(', ')}\n`)
  return 0
}

function describeAttempt({ provider, reference, amountCents, status }: Attempt): string {
  const wait = status === 'refund_pending' ? `: given back by a shop with PAYMENT_PROVIDER=${provider}` : ''
  return `Payment ${reference} of $${dollars(amountCents)} by ${provider}: ${status}${wait}`
}

function describeOrder(order: CustomerOrder, sellerOrders: SellerOrder[]): string[] {
  const { name, address, area, city, post, province, country, phone } = order.shippingInfo
  return [
    `${order._id}: ${order.status}, ${order.paymentStatus}, $${dollars(order.priceCents)} with $${dollars(order.shippingCents)} shipping`,
    `To ${[name, address, area, `${post} ${city}`, province, country, phone].join(', ')}`,
    ...sellerOrders.flatMap(({ shopName, deliveryStatus, priceCents, products }) => [
      `${shopName}: ${deliveryStatus}, $${dollars(priceCents)}`,
      ...products.map(({ quantity, productInfo }) => `  ${quantity} × ${productInfo.name}`),
    ]),
    ...order.timeline.map(({ at, text }) => `${at}  ${text}`),
  ]
}
