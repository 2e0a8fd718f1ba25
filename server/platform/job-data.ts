import type { ReturnStatus } from '#contract/returns.ts'
import type { PaymentProviderName } from '#contract/payments.ts'

/**
 * A mail to a customer about an order. `sellerOrderId` and `parcelId` are the part and parcel that were shipped or are
 * late; `amountCents` is the refunded amount in `currency`, `refundId` the partial refund that the shop has paid.
 */
export interface OrderMail {
  kind: 'received' | 'paid' | 'shipped' | 'late' | 'cancelled' | 'refunded'
  orderId: string
  sellerOrderId?: string
  parcelId?: string
  amountCents?: number
  currency?: string
  refundId?: string
  /** The refunded payment is not the one that has paid the order. */
  isOtherPayment?: boolean
}

/** A mail to a shop about its part of a paid order. */
export interface SellerMail {
  sellerOrderId: string
  /** What is not sent yet was cancelled; absent for a part that is to be sent. */
  kind?: 'cancelled'
}

/** A mail that asks a customer to review what a shop has delivered. */
interface ReviewMail {
  sellerOrderId: string
}

/** A mail to a shop or the customer about a cancellation or return that has changed to `status`. */
export interface ReturnMail {
  to: 'shop' | 'customer'
  returnId: string
  status: ReturnStatus
}

/** A mail about a change of an account, to its address before the change. */
export interface AccountMail {
  kind: 'emailChangeRequested' | 'emailChanged' | 'passwordChanged' | 'erased'
  email: string
}

/** A mail with the date of the account's deletion: `at` (ISO 8601), or later if orders or returns are open. */
export interface DeletionMail {
  email: string
  at: string
  waitsForOrders: boolean
}

/** A mail for an alert whose condition is met; `belowCents` is null if a variant can be bought again. */
export interface AlertMail {
  userId: string
  productId: string
  variantId: string | null
  belowCents: number | null
  /** When the condition was met, in ms since 1970. Absent in jobs of earlier versions. */
  dueAt?: number
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
  /** A return is complete without a refund, because nothing was left to refund. */
  returnPaid: { returnId: string }
  /** The refund of a whole order was requested or paid. */
  orderRefunded: { orderId: string }
  sandboxWebhook: { reference: string }
  // Those below run on a schedule (jobs.ts).
  releaseUnpaid: Record<string, never>
  payRefunds: Record<string, never>
  deliverAlerts: Record<string, never>
  reconcile: Record<string, never>
  moveDueReturns: Record<string, never>
  dailyUpkeep: Record<string, never>
}
