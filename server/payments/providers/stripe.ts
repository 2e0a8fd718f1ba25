import * as z from 'zod/mini'
import type { PaidWith } from '#contract/parcels.ts'
import { MalformedError } from '#server/platform/errors.ts'
import type { StripeConfig } from './config.ts'
import { openSender } from './http.ts'
import {
  type PaymentProvider,
  PaymentUnavailableError,
  type ProviderPayment,
  type WebhookEvent,
} from './payment-provider.ts'
import { chargeStateOf, refundKey, refundUpTo, type Reversal } from './refunds.ts'
import { readJson, verify } from './signature.ts'

const Account = z.object({ last4: z.nullish(z.string()) })
const BANK_ACCOUNTS = ['us_bank_account', 'sepa_debit', 'bacs_debit', 'au_becs_debit', 'acss_debit']
/** https://docs.stripe.com/api/charges/object#charge_object-payment_method_details */
const Charge = z.object({ payment_method_details: z.looseObject({ type: z.string() }) })

const Intent = z.object({
  id: z.string(),
  client_secret: z.nullish(z.string()),
  amount: z.int(),
  amount_received: z._default(z.int(), 0),
  currency: z.string(),
  status: z.string(),
  metadata: z._default(z.record(z.string(), z.string()), {}),
  last_payment_error: z.optional(z.unknown()),
  latest_charge: z.optional(z.unknown()),
})
type Intent = z.output<typeof Intent>

const Refund = z.object({ id: z.string(), amount: z.int(), status: z.nullish(z.string()) })
const Dispute = z.object({ id: z.string(), amount: z.int(), status: z.string() })
const Event = z.object({
  id: z.string(),
  data: z.object({
    object: z.object({
      metadata: z.nullish(z.record(z.string(), z.unknown())),
      payment_intent: z.optional(z.unknown()),
    }),
  }),
})

/** Pins the API version, so that Stripe's later changes do not affect the shop before somebody has read about them. */
const VERSION = '2024-06-20'

/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const MINIMUM_CENTS = 50

/** https://docs.stripe.com/api/disputes/object#dispute_object-status; other statuses hold no money. */
const DISPUTES: Record<string, Reversal['state']> = {
  needs_response: 'disputed',
  under_review: 'disputed',
  lost: 'refunded',
}

/** Stripe's payment intents: https://docs.stripe.com/api/payment_intents */
export function openStripe({ url, scriptUrl, publicKey, secretKey, webhookSecret }: StripeConfig): PaymentProvider {
  const authorization = { authorization: `Bearer ${secretKey}`, 'stripe-version': VERSION }
  const send = openSender()

  const post = <Schema extends z.ZodMiniType>(
    path: string,
    form: Record<string, string>,
    key: string,
    schema: Schema,
  ) =>
    send(new URL(path, url), {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': key },
      body: new URLSearchParams(form).toString(),
      schema,
      // https://docs.stripe.com/error-low-level#idempotency
      busyStatus: 409,
    })

  /** Lists all objects of a payment intent: https://docs.stripe.com/api/pagination */
  async function list<Item extends z.ZodMiniType<{ id: string }>>(path: string, providerId: string, item: Item) {
    const schema = z.object({ data: z.array(item), has_more: z._default(z.boolean(), false) })
    const items: z.output<Item>[] = []
    let isMore = true
    while (isMore) {
      const address = new URL(path, url)
      address.searchParams.set('payment_intent', providerId)
      address.searchParams.set('limit', '100')
      const last = items.at(-1)
      if (last) address.searchParams.set('starting_after', last.id)
      const page = await send(address, { headers: authorization, schema })
      items.push(...page.data)
      isMore = page.has_more && page.data.length > 0
    }
    return items
  }

  /** Refunds and disputes of an intent. */
  async function readReversals(providerId: string): Promise<{ refunds: Reversal[]; disputes: Reversal[] }> {
    const refunds = await list('/v1/refunds', providerId, Refund)
    const disputes = await list('/v1/disputes', providerId, Dispute)
    return { refunds: refunds.map(refundToReversal), disputes: disputes.map(disputeToReversal) }
  }

  return {
    name: 'stripe',
    minimumCents: MINIMUM_CENTS,
    checkoutOptions: () => ({ publicKey, scriptUrl, movesMoney: !publicKey.startsWith('pk_test_'), addsSecret: true }),
    async createPayment({ reference, orderId, amountCents, currency }) {
      const form = {
        amount: String(amountCents),
        currency: currency.toLowerCase(),
        // Includes wallets. Bank debits take up to four business days, but an order is held for one day only.
        'payment_method_types[0]': 'card',
        description: 'Payment for Order',
        'metadata[reference]': reference,
        'metadata[order_id]': orderId,
      }
      const { id, client_secret: clientSecret } = await post('/v1/payment_intents', form, reference, Intent)
      if (!clientSecret) throw new PaymentUnavailableError(`Stripe sent no client secret for ${id}`)
      return { providerId: id, clientSecret }
    },
    async readPayment({ providerId }) {
      // Without an intent there is no client secret to pay with.
      if (!providerId) return null
      const address = new URL(`/v1/payment_intents/${encodeURIComponent(providerId)}`, url)
      address.searchParams.set('expand[]', 'latest_charge')
      return toProviderPayment(await send(address, { headers: authorization, schema: Intent }))
    },
    async refund(request) {
      const { reference, providerId } = request
      if (!providerId) throw new PaymentUnavailableError(`Stripe has no charge of ${reference}`)
      const { refunds, disputes } = await readReversals(providerId)
      return refundUpTo(request, [...refunds, ...disputes], async missingCents => {
        const form = { payment_intent: providerId, amount: String(missingCents) }
        return refundToReversal(await post('/v1/refunds', form, refundKey(request, refunds), Refund))
      })
    },
    async readCharge({ providerId, amountCents }) {
      if (!providerId) return { status: 'kept', returnedCents: 0, lostCents: 0, failedCents: 0 }
      const { refunds, disputes } = await readReversals(providerId)
      return chargeStateOf(amountCents, refunds, disputes)
    },
    readWebhook(headers, body) {
      verify(headers.get('stripe-signature'), body, [webhookSecret])
      return readEvent(body)
    },
  }
}

function refundToReversal({ amount, status }: z.output<typeof Refund>): Reversal {
  const isFailed = status === 'failed' || status === 'canceled'
  return { amountCents: amount, state: isFailed ? 'failed' : status === 'succeeded' ? 'refunded' : 'pending' }
}

function disputeToReversal({ amount, status }: z.output<typeof Dispute>): Reversal {
  return { amountCents: amount, state: DISPUTES[status] ?? 'failed' }
}

function toProviderPayment(intent: Intent): ProviderPayment | null {
  const { id, amount, amount_received: received, currency, metadata } = intent
  const status = statusOf(intent)
  const amountCents = status === 'succeeded' ? received : amount
  const reference = metadata.reference ?? ''
  const paidWith = paidWithOf(intent)
  return status && { status, reference, amountCents, currency: currency.toUpperCase(), providerId: id, paidWith }
}

/** Undefined for methods that are neither a card nor a bank account, such as wallets. */
function paidWithOf({ latest_charge: charge }: Intent): PaidWith | undefined {
  const { success, data } = Charge.safeParse(charge)
  if (!success) return undefined
  const { type } = data.payment_method_details
  const kind = type === 'card' ? 'card' : BANK_ACCOUNTS.includes(type) ? 'bank' : undefined
  const ending = Account.safeParse(data.payment_method_details[type]).data?.last4
  return kind && { kind, ...(ending && { ending }) }
}

/** Null while the customer has not tried to pay, or has a further step to complete. */
function statusOf({ status, last_payment_error: failure }: Intent): ProviderPayment['status'] | null {
  if (status === 'succeeded' || status === 'processing') return status
  if (status === 'canceled') return 'failed'
  return status === 'requires_payment_method' && failure ? 'failed' : null
}

/**
 * Refund and dispute events have no reference, like events of payments made outside this shop. Those that name a
 * payment intent may still be about one of ours.
 */
function readEvent(body: Uint8Array): WebhookEvent | null {
  const read = Event.safeParse(readJson(body))
  if (!read.success) throw new MalformedError('This is not an event of Stripe')
  const { id, data } = read.data
  const reference = data.object.metadata?.reference
  if (typeof reference === 'string') return { eventId: id, reference }
  const providerId = data.object.payment_intent
  return typeof providerId === 'string' ? { eventId: id, providerId } : null
}
