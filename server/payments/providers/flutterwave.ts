import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { PaidWith } from '#contract/parcels.ts'
import { MalformedError } from '#server/platform/errors.ts'
import type { FlutterwaveConfig } from './config.ts'
import { openSender } from './http.ts'
import {
  type PaymentProvider,
  PaymentUnavailableError,
  type ProviderPayment,
  type WebhookEvent,
} from './payment-provider.ts'
import { chargeStateOf, refundKey, refundUpTo, type Reversal } from './refunds.ts'
import { forged, isSame, readJson } from './signature.ts'

const Id = z.union([z.string(), z.number()])
const Transaction = z.object({
  id: Id,
  tx_ref: z.string(),
  amount: z.number(),
  currency: z.string(),
  status: z.string(),
  payment_type: z.nullish(z.string()),
  card: z.catch(z.nullish(z.object({ last_4digits: z.nullish(z.string()) })), null),
})
type Transaction = z.output<typeof Transaction>

/** Until somebody has tried to pay, Flutterwave may send this with status 400 or 404. */
const Found = z.object({ status: z.string(), data: z.nullish(Transaction) })

/** The response to a refund names its transaction `tx_id`, the list `transaction_id`, in some lists with capitals. */
const Refund = z
  .object({
    transaction_id: z.nullish(Id),
    TransactionId: z.nullish(Id),
    tx_id: z.nullish(Id),
    amount_refunded: z.nullish(z.number()),
    AmountRefunded: z.nullish(z.number()),
    status: z.string(),
  })
  .check(z.refine(refund => transactionIdOf(refund) !== undefined, 'A refund must name its transaction'))
type Refund = z.output<typeof Refund>

const Refunds = z.object({
  data: z.nullish(z.array(Refund)),
  meta: z.nullish(z.object({ page_info: z.nullish(z.object({ total_pages: z.nullish(z.number()) })) })),
})
const Refunded = z.object({ data: Refund })
const Event = z.object({
  event: z.string(),
  data: z.object({ id: Id, tx_ref: z.optional(z.string()), status: z.optional(z.string()) }),
})

const STATUSES: Record<string, ProviderPayment['status']> = {
  successful: 'succeeded',
  pending: 'processing',
  failed: 'failed',
  cancelled: 'failed',
}
/** How Flutterwave's `payment_type` begins. */
const METHODS: [RegExp, PaidWith['kind']][] = [
  [/^card/, 'card'],
  [/^(mobile_?money|mpesa)/, 'mobile_money'],
  [/^(bank_?transfer|account|ussd)/, 'bank'],
]
/** Flutterwave gives up after 28 s with a 503, and may still make the refund. */
const REFUND_MS = 30_000
/** Version 3 documents no idempotency keys: a repeated request may make another refund. */
const REFUND_LISTED_MINUTES = 15
const REFUNDED = /^(completed|successful)/
const FAILED = /^(failed|cancelled)/

/** Flutterwave's API, version 3: https://developer.flutterwave.com/v3.0/docs */
export function openFlutterwave({
  url,
  scriptUrl,
  publicKey,
  secretKey,
  secretHash,
}: FlutterwaveConfig): PaymentProvider {
  const authorization = `Bearer ${secretKey}`
  const common = { authorization, 'content-type': 'application/json' }
  const send = openSender()

  async function findTransaction(reference: string): Promise<Transaction | null> {
    const address = new URL('/v3/transactions/verify_by_reference', url)
    address.searchParams.set('tx_ref', reference)
    const found = await send(address, { headers: common, schema: Found, accepted: [400, 404] })
    return found.data ?? null
  }

  /** Finds the paid transaction by reference: the attempt's `providerId` may be that of a failed try. */
  async function findCharge(reference: string): Promise<string | null> {
    const transaction = await findTransaction(reference)
    return transaction?.status === 'successful' && transaction.tx_ref === reference ? String(transaction.id) : null
  }

  async function findRefunds(transactionId: string): Promise<Reversal[]> {
    const refunds: Refund[] = []
    let pageCount = 1
    for (let page = 1; page <= pageCount; page += 1) {
      const address = new URL('/v3/refunds', url)
      address.searchParams.set('id', transactionId)
      address.searchParams.set('page', String(page))
      const { data, meta } = await send(address, { headers: common, schema: Refunds })
      refunds.push(...(data ?? []))
      pageCount = meta?.page_info?.total_pages ?? 1
    }
    return refunds.filter(refund => String(transactionIdOf(refund)) === transactionId).map(toReversal)
  }

  return {
    name: 'flutterwave',
    refundListedMinutes: REFUND_LISTED_MINUTES,
    checkoutOptions: attempt => ({
      publicKey,
      scriptUrl,
      payloadHash: payloadHash(attempt, secretKey),
      movesMoney: !publicKey.includes('_TEST'),
    }),
    createPayment: () => Promise.resolve({}),
    async readPayment({ reference }) {
      const transaction = await findTransaction(reference)
      return transaction && toProviderPayment(transaction)
    },
    async refund(request) {
      const { reference } = request
      const id = await findCharge(reference)
      if (id === null) throw new PaymentUnavailableError(`Flutterwave knows no charge of ${reference}`)
      const known = await findRefunds(id)
      return refundUpTo(request, known, missingCents => sendRefund(id, missingCents, refundKey(request, known)))
    },
    async readCharge({ reference, amountCents }) {
      const id = await findCharge(reference)
      return chargeStateOf(amountCents, id === null ? [] : await findRefunds(id))
    },
    readWebhook(headers, body) {
      if (!isSame(headers.get('verif-hash') ?? '', secretHash)) throw forged()
      return readEvent(body)
    },
  }

  async function sendRefund(id: string, amountCents: number, key: string): Promise<Reversal> {
    const { data } = await send(new URL(`/v3/transactions/${encodeURIComponent(id)}/refund`, url), {
      method: 'POST',
      headers: { ...common, 'idempotency-key': key },
      body: JSON.stringify({ amount: amountCents / 100 }),
      schema: Refunded,
      totalMs: REFUND_MS,
    })
    return toReversal(data)
  }
}

function transactionIdOf(refund: Partial<Refund>): string | number | undefined {
  return refund.transaction_id ?? refund.TransactionId ?? refund.tx_id ?? undefined
}

function toReversal({ amount_refunded, AmountRefunded, status }: Refund): Reversal {
  const state = FAILED.test(status) ? 'failed' : REFUNDED.test(status) ? 'refunded' : 'pending'
  // A refund without an amount is a full one.
  return { amountCents: centsOf(amount_refunded ?? AmountRefunded ?? Infinity), state }
}

function centsOf(amount: number): number {
  return Math.round(amount * 100)
}

/** https://developer.flutterwave.com/v3.0/docs/checksum */
function payloadHash(
  attempt: { amountCents: number; currency: string; email: string; reference: string },
  secretKey: string,
): string {
  const { amountCents, currency, email, reference } = attempt
  return sha256(`${amountCents / 100}${currency}${email}${reference}${sha256(secretKey)}`)
}

function toProviderPayment(transaction: Transaction): ProviderPayment {
  const { id, tx_ref, amount, currency, status } = transaction
  return {
    // Unknown statuses may still change.
    status: STATUSES[status] ?? 'processing',
    reference: tx_ref,
    amountCents: centsOf(amount),
    currency,
    providerId: String(id),
    paidWith: paidWithOf(transaction),
  }
}

function paidWithOf({ payment_type: type, card }: Transaction): PaidWith | undefined {
  const [, kind] = METHODS.find(([beginning]) => beginning.test(type ?? '')) ?? []
  const ending = kind === 'card' ? card?.last_4digits : undefined
  return kind && { kind, ...(ending && { ending }) }
}

function readEvent(body: Uint8Array): WebhookEvent | null {
  const read = Event.safeParse(readJson(body))
  if (!read.success) throw new MalformedError('This is not an event of Flutterwave')
  const { event, data } = read.data
  if (!data.tx_ref) return null
  return { eventId: sha256([event, data.id, data.tx_ref, data.status].join(':')), reference: data.tx_ref }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
