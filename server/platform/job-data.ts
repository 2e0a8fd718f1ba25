import type { ReturnStatus } from '#contract/returns.ts'
import type { PaymentProviderName } from '#contract/payments.ts'

/** A mail to a customer. `sellerOrderId` and `parcelId` are what was shipped of the order, or is late; `amountCents` of `currency` are refunded. */
export interface OrderMail {
  kind: 'received' | 'paid' | 'shipped' | 'late' | 'cancelled' | 'refunded'
  orderId: string
  sellerOrderId?: string
  parcelId?: string
  amountCents?: number
  currency?: string
}

/** A mail to a shop about its part of a paid order. */
export interface SellerMail {
  sellerOrderId: string
}

/** A mail that asks a customer to review what a shop has delivered. */
interface ReviewMail {
  sellerOrderId: string
}

/** A mail to a shop or the customer about a cancellation or return that has come to `status`. */
export interface ReturnMail {
  to: 'shop' | 'customer'
  returnId: string
  status: ReturnStatus
}

/** A notice about a change of an account, to the address that it had before. */
export interface AccountMail {
  kind: 'emailChangeRequested' | 'emailChanged' | 'passwordChanged' | 'erased'
  email: string
}

/** A mail that says when the account is erased: at `at` (ISO 8601), or once its open orders are shipped. */
interface DeletionMail {
  email: string
  at: string
  waitsForOrders: boolean
}

/** A mail about an alert that came true; `belowCents` is null if it was about a variant that is back. */
export interface AlertMail {
  userId: string
  productId: string
  variantId: string | null
  belowCents: number | null
}

/** An event of a payment provider that is stored but not applied yet. */
export interface PaymentEvent {
  provider: PaymentProviderName
  eventId: string
}

/** The data of each kind of job. It is stored in plain text: ids and email addresses, never a password or a token. */
export interface JobData {
  passwordReset: { email: string }
  emailConfirmation: { userId: string }
  newAddress: { userId: string }
  accountMail: AccountMail
  deletionMail: DeletionMail
  orderMail: OrderMail
  sellerMail: SellerMail
  reviewMail: ReviewMail
  returnMail: ReturnMail
  alertMail: AlertMail
  paymentEvent: PaymentEvent
  refund: { attemptId: string }
  /** A partial refund was paid. */
  refundPaid: { refundId: string }
  /** The deadline of a return's status is over. */
  returnDue: { returnId: string; status: ReturnStatus }
  /** A return is complete, for which there was nothing to refund. */
  returnPaid: { returnId: string }
  /** All of an order is refunded, or is to be. */
  orderRefunded: { orderId: string }
  sandboxWebhook: { reference: string }
  dailyUpkeep: Record<string, never>
}
