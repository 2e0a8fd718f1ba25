import type {
  DeliveryStatus,
  Order,
  OrderStatus,
  OrderSummary,
  PartSummary,
  PaymentStatus,
  SellerOrder,
} from '#contract/orders.ts'
import type { OrderRefund, PaidWith } from '#contract/parcels.ts'
import type { Receipt } from '#contract/receipts.ts'
import { ORDER_STATUSES } from '#contract/orders.ts'
import { lazily } from '#lib/lazily.ts'

export const PAYMENT_TEXTS: Record<PaymentStatus, string> = {
  unpaid: 'Not paid',
  processing: 'Processing',
  paid: 'Paid',
  refund_pending: 'Refund on its way',
  refunded: 'Refunded',
}

export const STATUS_TEXTS: Record<OrderStatus | 'all', string> = {
  all: 'All',
  placed: 'Placed',
  pending: 'Pending',
  cancelled: 'Cancelled',
}

/** The texts that customers see for the status of a seller's part. */
export const DELIVERY_TEXTS: Record<DeliveryStatus, string> = {
  Pending: 'Begins once the order is paid',
  Processing: 'The shop is preparing it',
  Shipped: 'It has left the shop',
  Delivered: 'It has arrived',
  Cancelled: 'It is not sent',
}

type Tone = 'good' | 'busy' | 'bad' | 'plain'

export const DELIVERY_TONES: Record<DeliveryStatus, Tone> = {
  Pending: 'plain',
  Processing: 'busy',
  Shipped: 'plain',
  Delivered: 'good',
  Cancelled: 'plain',
}

const PAYMENT_TONES: Record<PaymentStatus, Tone> = {
  unpaid: 'bad',
  processing: 'busy',
  paid: 'good',
  refund_pending: 'busy',
  refunded: 'plain',
}

const PAID_WITH: Record<PaidWith['kind'], string> = {
  card: 'card',
  mobile_money: 'mobile money wallet',
  bank: 'bank account',
}

/** Where a refund went, such as 'back to your card ending in 4242'. */
export function refundDestination({ to, paidWith }: Pick<OrderRefund, 'to' | 'paidWith'>): string {
  if (to === 'by_hand') return 'refunded directly through the payment provider'
  if (!paidWith) return to === 'card' ? 'back to your card' : 'back to what you paid with'
  const ending = paidWith.ending ? ` ending in ${paidWith.ending}` : ''
  return `back to your ${PAID_WITH[paidWith.kind]}${ending}`
}

type Delivery = Pick<SellerOrder, 'deliveryStatus'> & { parcels: unknown[] }

/** The status of a seller's part, as customers read it. */
export function deliveryText({ deliveryStatus, parcels }: Delivery): string {
  return partText({ deliveryStatus, isPartlySent: deliveryStatus === 'Processing' && parcels.length > 0 })
}

/** The status of a seller's part in a list of orders. */
export function partText({
  deliveryStatus,
  isPartlySent,
}: Pick<PartSummary, 'deliveryStatus' | 'isPartlySent'>): string {
  return isPartlySent ? 'Partly shipped' : deliveryStatus
}

type State = Pick<OrderSummary, 'status' | 'paymentStatus'>

/** Red only while the customer still has to pay: an unpaid order that was cancelled is neutral. */
export function paymentTone({ status, paymentStatus }: State): Tone {
  return status === 'cancelled' && paymentStatus === 'unpaid' ? 'plain' : PAYMENT_TONES[paymentStatus]
}

/** Whether the customer can pay or cancel an order: not if it is cancelled or a payment is in progress. */
export function isPayable({ status, paymentStatus }: State): boolean {
  return status === 'pending' && paymentStatus === 'unpaid'
}

/** What to say after a failed payment if the order no longer needs one; '' while it still does. */
export function settledText({ status, paymentStatus }: State): string {
  if (status === 'pending') return ''
  return paymentStatus === 'paid'
    ? 'Your order is paid by another payment.'
    : 'We no longer hold your order. Below you see what became of it.'
}

/** Whether an order has a receipt: it was paid, even if it has been refunded since. */
export function hasReceipt({ paidAt }: Pick<Order, 'paidAt'>): boolean {
  return paidAt !== undefined
}

/**
 * Whether there are refunds that no invoice shows, because they are for the order as a whole. Once all of the payment
 * is refunded, each invoice shows its share.
 */
export function hasRefundsOfWhole({ paymentStatus, refunds }: Pick<Receipt, 'paymentStatus' | 'refunds'>): boolean {
  return paymentStatus !== 'refunded' && refunds.some(({ shopName }) => shopName === undefined)
}

/** The order id in the path of its page. */
export function orderIdOf(pathname: string): string {
  return decodeURIComponent(pathname.replace(/\/+$/, '').split('/').at(-1) ?? '')
}

/** The ids in the path of the page of an invoice. */
export function invoiceIdsOf(pathname: string): { orderId: string; sellerOrderId: string } {
  const [orderId = '', sellerOrderId = ''] = pathname.split('/').filter(Boolean).slice(-2).map(decodeURIComponent)
  return { orderId, sellerOrderId }
}

/** The status filter in the query of the orders page. */
export function statusOf(search: string): OrderStatus | 'all' {
  const asked = new URLSearchParams(search).get('status')
  return ORDER_STATUSES.find(status => status === asked) ?? 'all'
}

const days = lazily(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }))
const promisedDays = lazily(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }))
const times = lazily(() => new Intl.DateTimeFormat('en', { timeStyle: 'short' }))

/** '3 October 2025', in the customer's time zone. */
export function formatDay(iso: string): string {
  return days().format(new Date(iso))
}

/** The day by which something should arrive or be done: '3 October 2025', in UTC, as in mails. */
export function formatPromisedDay(iso: string): string {
  return promisedDays().format(new Date(iso))
}

/** '3 October 2025 at 2:05 PM', in the customer's time zone. */
export function formatMoment(iso: string): string {
  return `${formatDay(iso)} at ${times().format(new Date(iso))}`
}
