import { addressLines, isWritten } from '#contract/address-lines.ts'
import type { OrderedProduct } from '#contract/ordered-product.ts'
import type { Order as CustomerOrder, SellerOrder } from '#contract/orders.ts'
import type { Parcel } from '#contract/parcels.ts'
import { lineName } from '#contract/variants.ts'
import { cancelByOperator, refundOrder } from '#server/orders/cancelling.ts'
import { deliverOrder, packOrder, shipOrder } from '#server/orders/deliveries.ts'
import type { Attempt } from '#server/orders/attempt-rows.ts'
import { findOrderId, readAnyOrder } from '#server/orders/orders.ts'
import { listAttempts } from '#server/payments/attempts.ts'
import { refundPart } from '#server/payments/part-refunds.ts'
import { plainDollars } from '#server/platform/usd.ts'
import { singleLine } from '#server/platform/single-line.ts'
import { sumBy } from '#server/platform/sum.ts'
import { many } from './describe.ts'
import { listForOperator } from './order-list.ts'
import type { Handlers } from './app-context.ts'
import { say } from './say.ts'

/** Handlers of the commands for customers' orders. */
export const customerOrderHandlers = {
  'order list': listForOperator,

  async 'order show'({ id: given }, { database }, terminal) {
    const id = await findOrderId(database.db, given)
    const { order, sellerOrders } = await readAnyOrder(database.db, id)
    const attempts = await listAttempts(database.db, id)
    const lines = [...describeOrder(order, sellerOrders), ...attempts.map(describeAttempt)]
    return say(terminal, lines.map(singleLine).join('\n'))
  },

  async 'order pack'({ id, shop }, { database: { db } }, terminal) {
    const shopNames = await packOrder(db, await findOrderId(db, id), { shop })
    return say(terminal, `${id} is packed by ${shopNames.join(', ')}`)
  },

  async 'order ship'({ id, shop, carrier, trackingNumber, items }, { database: { db }, jobs }, terminal) {
    const orderId = await findOrderId(db, id)
    const shopNames = await shipOrder(db, jobs, orderId, { shop, carrier, trackingNumber, items })
    const { sellerOrders } = await readAnyOrder(db, orderId)
    return say(terminal, `${id} is shipped by ${shopNames.join(', ')}${describeRest(sellerOrders, shopNames)}`)
  },

  async 'order deliver'({ id, shop, parcel }, { database: { db } }, terminal) {
    const orderId = await findOrderId(db, id)
    const shopNames = await deliverOrder(db, orderId, { shop, number: parcel })
    if (parcel !== undefined) return say(terminal, `Parcel ${parcel} of ${id} has arrived`)
    const { sellerOrders } = await readAnyOrder(db, orderId)
    return say(terminal, `${id} is delivered by ${shopNames.join(', ')}${describeRest(sellerOrders, shopNames)}`)
  },

  async 'order cancel'({ id }, { database, jobs }, terminal) {
    const paymentStatus = await cancelByOperator(database.db, jobs, await findOrderId(database.db, id))
    return say(terminal, `${id} is cancelled; its payment is ${paymentStatus}`)
  },

  async 'order refund'({ id, amountCents }, { database: { db }, jobs }, terminal) {
    const orderId = await findOrderId(db, id)
    if (amountCents === undefined) return say(terminal, `${id} is ${await refundOrder(db, jobs, orderId)}`)
    await refundPart(db, jobs, orderId, amountCents)
    return say(terminal, `$${plainDollars(amountCents)} of ${id} go back`)
  },
} satisfies Partial<Handlers>

/** The number of units that these shops have not sent yet, as the end of a line; empty if there are none. */
function describeRest(parts: SellerOrder[], shopNames: string[]): string {
  const unsent = parts.flatMap(part => (shopNames.includes(part.shopName) ? part.unsent : []))
  return unsent.length > 0 ? `; ${many(unitCount(unsent), 'unit')} left to send` : ''
}

type AttemptWithCharge = Awaited<ReturnType<typeof listAttempts>>[number]

function describeAttempt({ attempt, charge }: AttemptWithCharge): string {
  const { provider, reference, amountCents, status, currency } = attempt
  const isOther = charge && (charge.amountCents !== amountCents || charge.currency !== currency)
  const charged = isOther ? `, charged ${plainDollars(charge.amountCents)} ${charge.currency}` : ''
  return `Payment ${reference} of $${plainDollars(amountCents)} by ${provider}${charged}: ${status}${hintAt(status, provider)}`
}

function hintAt(status: Attempt['status'], provider: string): string {
  if (status === 'lapsed') return ': never settled, look it up there'
  return status === 'refund_pending' ? `: given back by a shop with PAYMENT_PROVIDER=${provider}` : ''
}

function describePart({ shopName, deliveryStatus, priceCents, products, parcels, unsent }: SellerOrder): string[] {
  const status = deliveryStatus === 'Processing' && parcels.length > 0 ? 'Partly shipped' : deliveryStatus
  return [
    `${shopName}: ${status}, $${plainDollars(priceCents)}`,
    ...products.map((product, at) => `  ${at + 1}. ${unitsOf(product)}`),
    ...parcels.map(parcel => `  ${describeParcel(parcel)}: ${parcel.products.map(unitsOf).join(', ')}`),
    ...(unsent.length > 0 && unitCount(unsent) < unitCount(products)
      ? [`  Left to send: ${unsent.map(unitsOf).join(', ')}`]
      : []),
  ]
}

function describeParcel({ number, status, sentAt, arrivedAt, carrier, trackingNumber }: Parcel): string {
  const when = status === 'arrived' ? `arrived ${arrivedAt}` : `sent ${sentAt}`
  return [`Parcel ${number}, ${when}`, carrier, trackingNumber].filter(Boolean).join(', ')
}

function unitCount(products: OrderedProduct[]): number {
  return sumBy(products, ({ quantity }) => quantity)
}

function unitsOf({ quantity, productInfo, variant }: OrderedProduct): string {
  return `${quantity} × ${lineName(productInfo.name, variant)}`
}

function describeOrder(order: CustomerOrder, sellerOrders: SellerOrder[]): string[] {
  const refunded = order.refundedCents ? `, $${plainDollars(order.refundedCents)} refunded` : ''
  return [
    `${order.number} (${order._id}): ${order.status}, ${order.paymentStatus}, $${plainDollars(order.priceCents)} with $${plainDollars(order.shippingCents ?? 0)} shipping${refunded}`,
    `To ${[order.shippingInfo.name, ...addressLines(order.shippingInfo)].filter(isWritten).join(', ')}`,
    ...sellerOrders.flatMap(describePart),
    ...order.timeline.map(({ at, text }) => `${at}  ${text}`),
  ]
}
