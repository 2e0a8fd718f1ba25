import type { PaidWith } from '#contract/parcels.ts'
import type { PaymentProviderName } from '#contract/payments.ts'

/** A payment as its provider reports it. */
export interface ProviderPayment {
  status: 'succeeded' | 'processing' | 'failed'
  amountCents: number
  currency: string
  reference: string
  /** The provider's id of the payment, once it has one. */
  providerId?: string | undefined
  /** What the customer paid with, if the provider says it. */
  paidWith?: PaidWith | undefined
}

/** What the provider needs to know of an attempt before the customer pays. */
interface NewAttempt {
  /** Our id of the attempt. The provider treats a repeated reference as the same attempt. */
  reference: string
  orderId: string
  amountCents: number
  currency: string
}

/** Identifies an attempt at the provider; `providerId` is the provider's id for it, if it gave one. */
interface KnownAttempt {
  reference: string
  providerId: string | null
}

interface Charge extends KnownAttempt {
  amountCents: number
}

/**
 * The attempt that a webhook is about, by our reference or by the provider's id. Providers may send the same event
 * again, with the same `eventId`.
 */
export type WebhookEvent = { eventId: string } & ({ reference: string } | { providerId: string })

/** A refund of a part of a charge, or of what is left of it. */
export interface RefundRequest extends Charge {
  /** What was refunded before this refund, in cents: the provider's list may lack the latest refunds. */
  refundedCents: number
  /** The sum of all refunds after this one, in cents; at most the charge. */
  upToCents: number
}

export interface ChargeState {
  /**
   * `disputed`: the customer's bank holds the money until it has decided. `returned`: all of the money has gone back.
   */
  status: 'kept' | 'disputed' | 'returned'
  /** What has gone back so far, in cents; at most the charge. */
  returnedCents: number
  /** The part of `returnedCents` that the shop lost in disputes. */
  lostCents: number
  /** Refunds that failed, in cents, such as paid ones that a bank has sent back since. */
  failedCents: number
}

/** Options with which the customer's browser opens the payment. */
interface CheckoutOptions {
  publicKey: string
  /** A full URL, or a path of the shop. */
  scriptUrl: string
  payloadHash?: string
  movesMoney: boolean
  /** The provider's script adds the client secret to the result page's address automatically. */
  addsSecret?: boolean
}

/**
 * A service that takes customers' payments. Its calls reject with `PaymentUnavailableError` when it does not respond in
 * time.
 */
export interface PaymentProvider {
  name: PaymentProviderName
  /** The smallest payment in cents that the provider accepts. */
  minimumCents?: number
  /** How many minutes its list may lack a refund; undefined if it recognises a repeated request as the same refund. */
  refundListedMinutes?: number
  checkoutOptions(attempt: NewAttempt & { email: string }): CheckoutOptions
  /** Registers an attempt with the provider; returns the provider's id and client secret if it issues them. */
  createPayment(attempt: NewAttempt): Promise<{ providerId?: string; clientSecret?: string }>
  /** Looks up an attempt; null while the customer has not tried to pay. */
  readPayment(attempt: KnownAttempt): Promise<ProviderPayment | null>
  /**
   * Refunds the difference between the refunds so far and `upToCents`, if any. Repeated calls refund it only once, if
   * each refund is recorded before the next one is requested.
   */
  refund(request: RefundRequest): Promise<'refunded' | 'pending'>
  /** Whether the money of a charge is still there: an operator or a bank may have returned it outside the shop. */
  readCharge(charge: Charge): Promise<ChargeState>
  /** Throws a `ServiceError` for an invalid signature; returns null for events that are not about a payment. */
  readWebhook(headers: Headers, body: Uint8Array): WebhookEvent | null
}

/** The provider did not respond, or not in the documented form. The same call may succeed later. */
export class PaymentUnavailableError extends Error {}
