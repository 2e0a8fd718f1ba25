import type { PaymentProviderName } from '#contract/payments.ts'

/** What a mail about an order is about; `sellerOrderId` is the part that is shipped, `amountCents` of `currency` what is refunded. */
export interface OrderMail {
  kind: 'received' | 'paid' | 'shipped' | 'cancelled' | 'refunded'
  orderId: string
  sellerOrderId?: string
  amountCents?: number
  currency?: string
}

/** A mail to a shop about its part of a paid order. */
export interface SellerMail {
  sellerOrderId: string
}

/** An event of a payment provider that has been stored and not been applied yet. */
export interface PaymentEvent {
  provider: PaymentProviderName
  eventId: string
}

/** What each kind of job is told. It is stored as it is: ids and addresses, never a password or a token. */
export interface JobData {
  passwordReset: { email: string }
  emailConfirmation: { userId: string }
  orderMail: OrderMail
  sellerMail: SellerMail
  paymentEvent: PaymentEvent
  refund: { attemptId: string }
  sandboxWebhook: { reference: string }
}
