import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type Call,
  type FakeOptions,
  type FakePayments,
  type Misbehaviour,
  type Payable,
  serveFake,
} from './fake-payments.ts'

const SECRET_KEY = 'sk_fake'
const WEBHOOK_SECRET = 'whsec_fake'
const SLOW_MS = 500

interface Intent {
  id: string
  client_secret: string
  amount: number
  amount_received: number
  currency: string
  status: string
  metadata: Record<string, string>
  last_payment_error: { code: string } | null
  latest_charge: { payment_method_details: { type: string } } | string | null
}

interface Dispute {
  amount: number
  status: 'needs_response' | 'under_review' | 'won' | 'lost'
}

export interface FakeStripe extends FakePayments {
  /**
   * The customer's bank disputes `amountCents` of the payment or decides about them. While it holds the money, refunds
   * are impossible.
   */
  dispute(attempt: Pick<Payable, 'reference' | 'amountCents'>, status: Dispute['status']): void
  /** The next request to create an intent ends with an error, which is repeated for its idempotency key. */
  failIntent(): void
  /** The next request to create an intent takes half a second. */
  slowIntent(): void
  /** Finds an attempt by the secret that the browser knows. */
  attemptOf(clientSecret: string): Payable | undefined
}

/** The part of Stripe's payment intents and refunds that Piazza uses. */
export async function startStripe({ isSlowToList = false }: FakeOptions = {}): Promise<FakeStripe> {
  const intents = new Map<string, Intent>()
  const known = new Map<string, { status?: number; body: unknown }>()
  const misbehaviours = new Map<string, Misbehaviour>()
  const refunds = new Map<string, number[]>()
  const disputes = new Map<string, Dispute>()
  const unlisted = new Map<string, number>()
  const failing = new Set<string>()
  const failed = new Map<string, number[]>()
  /** The shop's reference by intent id, whatever the intent's metadata says. */
  const referenceById = new Map<string, string>()
  let askedCount = 0
  let [isIntentFailing, isIntentSlow] = [false, false]
  /** The idempotency keys of requests that are not answered yet. */
  const running = new Set<string>()

  function answer(call: Call) {
    if (call.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return { status: 401, body: { error: { message: 'Invalid API Key provided' } } }
    const [, id] = /^\/v1\/payment_intents\/(\w+)$/.exec(call.path) ?? []
    if (id) return read(id, call.query.getAll('expand[]').includes('latest_charge'))
    if (call.path === '/v1/refunds' && call.method === 'GET')
      return pageOf(list(call.query.get('payment_intent') ?? ''), call.query)
    if (call.path === '/v1/disputes') return pageOf(listDisputes(call.query.get('payment_intent') ?? ''), call.query)
    if (isChargedBack(call)) return { status: 400, body: { error: { code: 'charge_disputed' } } }
    if (isTooMuch(call)) return { status: 400, body: { error: { type: 'invalid_request_error', param: 'amount' } } }
    const write = { '/v1/payment_intents': create, '/v1/refunds': refund }[call.path]
    return write && call.method === 'POST' ? once(call, write) : null
  }

  /** Returns the same response for the same idempotency key: https://docs.stripe.com/api/idempotent_requests */
  async function once({ headers, body, path }: Call, write: (form: URLSearchParams) => unknown) {
    const key = String(headers['idempotency-key'])
    if (running.has(key)) return { status: 409, body: { error: { code: 'idempotency_key_in_use' } } }
    if (isIntentSlow && path === '/v1/payment_intents') {
      isIntentSlow = false
      running.add(key)
      await setTimeout(SLOW_MS)
      running.delete(key)
    }
    const isFailing = isIntentFailing && path === '/v1/payment_intents' && !known.has(key)
    if (isFailing) {
      isIntentFailing = false
      known.set(key, { status: 500, body: { error: { type: 'api_error' } } })
    }
    if (!known.has(key)) known.set(key, { body: write(new URLSearchParams(body)) })
    return known.get(key)!
  }

  function create(form: URLSearchParams): Intent {
    const id = `pi_${randomUUID().replaceAll('-', '')}`
    const reference = form.get('metadata[reference]') ?? ''
    const intent = {
      id,
      client_secret: `${id}_secret_fake`,
      amount: Number(form.get('amount')),
      amount_received: 0,
      currency: form.get('currency') ?? '',
      status: 'requires_payment_method',
      metadata: { reference },
      last_payment_error: null,
      latest_charge: null,
    }
    intents.set(reference, intent)
    referenceById.set(id, reference)
    return { ...intent }
  }

  /** A charge that is not expanded is only its id. */
  function read(id: string, isExpanded: boolean) {
    askedCount += 1
    const intent = intents.get(referenceById.get(id) ?? '')
    return intent
      ? { body: isExpanded ? intent : { ...intent, latest_charge: 'ch_fake' } }
      : { status: 404, body: { error: { code: 'resource_missing' } } }
  }

  function list(id: string) {
    const reference = referenceById.get(id) ?? ''
    const all = refunds.get(reference) ?? []
    const given = all.slice(0, all.length - (unlisted.get(reference) ?? 0))
    const failures = (failed.get(reference) ?? []).map(cents => [cents, 'failed'] as const)
    return [...failures, ...given.map(cents => [cents, 'succeeded'] as const)].map(([amount, status], at) => ({
      id: `re_fake${at}`,
      amount,
      status,
    }))
  }

  function listDisputes(id: string) {
    const dispute = disputes.get(referenceById.get(id) ?? '')
    return dispute ? [{ id: 'du_fake', ...dispute }] : []
  }

  function isChargedBack({ path, body }: Call): boolean {
    const id = new URLSearchParams(body).get('payment_intent') ?? ''
    const dispute = disputes.get(referenceById.get(id) ?? '')
    const isDecided = dispute?.status === 'won' || dispute?.status === 'lost'
    return path === '/v1/refunds' && dispute !== undefined && !isDecided
  }

  /** Whether it asks for more than is left of the charge. A known request gets its response again. */
  function isTooMuch({ path, body, headers }: Call): boolean {
    if (path !== '/v1/refunds' || known.has(String(headers['idempotency-key']))) return false
    const form = new URLSearchParams(body)
    const reference = referenceById.get(form.get('payment_intent') ?? '') ?? ''
    const refunded = (refunds.get(reference) ?? []).reduce((sum, cents) => sum + cents, 0)
    const dispute = disputes.get(reference)
    const lost = dispute?.status === 'lost' ? dispute.amount : 0
    return refunded + lost + Number(form.get('amount')) > (intents.get(reference)?.amount_received ?? 0)
  }

  function refund(form: URLSearchParams) {
    const reference = referenceById.get(form.get('payment_intent') ?? '') ?? ''
    const amount = Number(form.get('amount'))
    if (failing.delete(reference)) {
      failed.set(reference, [...(failed.get(reference) ?? []), amount])
      return { id: 're_fake', amount, status: 'failed' }
    }
    refunds.set(reference, [...(refunds.get(reference) ?? []), amount])
    if (isSlowToList) unlisted.set(reference, (unlisted.get(reference) ?? 0) + 1)
    return { id: 're_fake', amount, status: 'succeeded' }
  }

  const { url, close } = await serveFake({
    answer,
    misbehaviours,
    referenceOf: ({ path, query }) => referenceById.get(query.get('payment_intent') ?? path.split('/').at(-1) ?? ''),
  })
  return {
    config: {
      provider: 'stripe',
      url,
      scriptUrl: `${url}/v3/`,
      publicKey: 'pk_fake',
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
    },
    pay(
      attempt,
      { status = 'succeeded', amountCents = attempt.amountCents, currency = 'USD', reference, method = 'card' } = {},
    ) {
      const intent = intents.get(attempt.reference)!
      const isPaid = status === 'succeeded'
      Object.assign(intent, {
        amount: amountCents,
        amount_received: isPaid ? amountCents : 0,
        currency: currency.toLowerCase(),
        status: status === 'failed' ? 'requires_payment_method' : status,
        metadata: { reference: reference ?? attempt.reference },
        last_payment_error: status === 'failed' ? { code: 'card_declined' } : null,
        latest_charge: { payment_method_details: { type: method, [method]: { last4: '4242' } } },
      })
    },
    webhook({ reference }, event = 'payment_intent.updated') {
      const intent = intents.get(reference)
      // A dispute refers to its payment intent, maybe of another shop, and has its own metadata.
      const object = event.startsWith('charge.dispute.')
        ? { metadata: {}, payment_intent: intent?.id ?? 'pi_elsewhere' }
        : intent
      const body = JSON.stringify({ id: `evt_${event}_${reference}`, type: event, data: { object } })
      return { headers: { 'stripe-signature': signed(body) }, body }
    },
    misbehave({ reference }, how) {
      if (how) misbehaviours.set(reference, how)
      else misbehaviours.delete(reference)
    },
    refunds,
    dispute: ({ reference, amountCents: amount }, status) => void disputes.set(reference, { amount, status }),
    bounceRefunds({ reference }) {
      failed.set(reference, [...(failed.get(reference) ?? []), ...(refunds.get(reference) ?? [])])
      refunds.delete(reference)
    },
    attemptOf(clientSecret) {
      const [reference, intent] = [...intents].find(([, each]) => each.client_secret === clientSecret) ?? []
      return reference && intent ? { reference, clientSecret, amountCents: intent.amount } : undefined
    },
    failIntent: () => void (isIntentFailing = true),
    slowIntent: () => void (isIntentSlow = true),
    failRefund: ({ reference }) => void failing.add(reference),
    askedCount: () => askedCount,
    close,
  }
}

/** https://docs.stripe.com/api/pagination */
function pageOf(all: { id: string }[], query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 10)
  if (limit > 100) return { status: 400, body: { error: { code: 'parameter_invalid_integer' } } }
  const start = all.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const data = all.slice(start, start + limit)
  return { body: { object: 'list', data, has_more: start + limit < all.length } }
}

function signed(body: string): string {
  const seconds = Math.floor(Date.now() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', WEBHOOK_SECRET).update(`${seconds}.${body}`).digest('hex')}`
}
