import type { Order, OrderSummary } from '#contract/orders.ts'
import type { PaymentAttempt } from '#contract/payments.ts'

/** A payment attempt for the order 'o1'. */
export const ATTEMPT: PaymentAttempt = {
  provider: 'sandbox',
  publicKey: 'pk',
  scriptUrl: '/api/payment/sandbox/checkout.js',
  reference: 'ref',
  clientSecret: 'secret',
  amountCents: 2345,
  currency: 'USD',
  options: 'card, mobilemoney, ussd',
  customer: { email: 'ada@customers.test', phone_number: '+254', name: 'Ada' },
  title: 'Payment for Order',
  redirectUrl: '/order/confirm?payment_intent_client_secret=secret',
  movesMoney: false,
}

export function orderSummary(change: Partial<OrderSummary> = {}): OrderSummary {
  const date = '2025-10-03T14:05:00.000Z'
  const number = 'PZ-4F7K2M'
  const shown = { _id: 'o1', number, priceCents: 2345, date, items: 1, parts: [] }
  return { ...shown, paymentStatus: 'unpaid', status: 'pending', ...change }
}

/** An unpaid order of one kite. */
export function unpaidOrder(change: Partial<Order> = {}): Order {
  const nowhere = { address: '', phone: '', post: '', province: '', city: '', area: '', country: 'Kenya' }
  return {
    ...orderSummary(),
    userId: 'ada',
    shippingCents: 500,
    refundedCents: 0,
    shippingInfo: { name: 'Ada', ...nowhere },
    groups: [],
    timeline: [],
    refunds: [],
    ...change,
  }
}
