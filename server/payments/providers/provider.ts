import type { PaymentProviderName } from '#contract/payments.ts'

/** A payment as its provider reports it, asked by us or in a message that it has signed. */
export interface ProviderPayment {
  status: 'succeeded' | 'processing' | 'failed'
  amountCents: number
  currency: string
  reference: string
  /** The provider's own name for the payment, once it has one. */
  providerId?: string | undefined
}

/** What the provider is told of an attempt before the customer pays it. */
interface NewAttempt {
  /** Ours: the same one again is the same attempt. */
  reference: string
  orderId: string
  amountCents: number
  currency: string
}

/** An attempt as the provider is asked about it; `providerId` is the provider's own name for it, if it gave one. */
interface KnownAttempt {
  reference: string
  providerId: string | null
}

interface Charge extends KnownAttempt {
  amountCents: number
}

/**
 * What a genuine webhook is about: an attempt, by our name or only by the provider's own. The provider may send the same
 * event again, with the same id.
 */
export type Notice = { eventId: string } & ({ reference: string } | { providerId: string })

/** `disputed` is money that the customer's bank holds until it has decided; `returned` is gone, all of it. */
export type ChargeStatus = 'kept' | 'disputed' | 'returned'

/** What the customer's browser opens the payment with. */
interface Opening {
  publicKey: string
  /** An address, or a path of the shop. */
  scriptUrl: string
  payloadHash?: string
  movesMoney: boolean
  /** The provider's script puts the client secret into the result page's address by itself. */
  addsSecret?: boolean
}

/** A partner who takes the customers' money. What it cannot answer in time rejects with `PaymentUnavailable`. */
export interface PaymentProvider {
  name: PaymentProviderName
  /** It takes no payment of fewer cents. */
  leastCents?: number
  opening(attempt: NewAttempt & { email: string }): Opening
  /** Tells the provider of an attempt, and answers its own names where it gives some. */
  begin(attempt: NewAttempt): Promise<{ providerId?: string; clientSecret?: string }>
  /** What the provider says of an attempt; null while nobody has tried to pay it. */
  ask(attempt: KnownAttempt): Promise<ProviderPayment | null>
  /** Gives back what is left of a charge, once, however often it is asked to. */
  refund(charge: Charge): Promise<'refunded' | 'pending'>
  /** Where the money of a charge is, which somebody may have given back by hand. */
  readChargeStatus(charge: Charge): Promise<ChargeStatus>
  /** Throws a refusal (401) for what the provider has not signed; null for events that are about no payment. */
  readWebhook(headers: Headers, body: Uint8Array): Notice | null
}

/** The provider did not answer, or not as it says it does: the same question may be answered later. */
export class PaymentUnavailableError extends Error {}
