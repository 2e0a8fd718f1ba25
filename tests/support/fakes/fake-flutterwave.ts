import { setTimeout } from 'node:timers/promises'
import {
  type Call,
  type FakeOptions,
  type FakePayments,
  type Misbehaviour,
  type ReportedPayment,
  serveFake,
} from './fake-payments.ts'

const SECRET_KEY = 'FLWSECK-fake'
const SECRET_HASH = 'a hash that only Flutterwave and we know'
const PAGE_SIZE = 20
const STATUSES = { succeeded: 'successful', processing: 'pending', failed: 'failed' }

interface Transaction extends ReportedPayment {
  id: number
}

/** The part of Flutterwave's API version 3 that Piazza uses. */
export async function startFlutterwave(options: FakeOptions = {}): Promise<FakePayments> {
  const { isSlowToList = false, forgetsKeys = false } = options
  const transactions = new Map<string, Transaction>()
  const misbehaviours = new Map<string, Misbehaviour>()
  const refunds = new Map<string, number[]>()
  const unlisted = new Map<string, number>()
  const failing = new Set<string>()
  const failed = new Map<string, number[]>()
  /** Responses by idempotency key. */
  const answers = new Map<string, { body: unknown }>()
  let [askedCount, nextId] = [0, 1000]
  const byId = (id: string) => [...transactions].find(([, transaction]) => String(transaction.id) === id)

  function answer(call: Call) {
    if (call.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return { status: 401, body: { status: 'error', message: 'Invalid authorization key', data: null } }
    if (call.path === '/v3/transactions/verify_by_reference') return verify(call.query.get('tx_ref') ?? '')
    if (call.path === '/v3/refunds') return listRefunds(call.query)
    const [, id] = /^\/v3\/transactions\/(\d+)\/refund$/.exec(call.path) ?? []
    return id && call.method === 'POST' ? once(call, () => refund(id, call.body)) : null
  }

  async function once({ headers }: Call, write: () => { body: unknown }) {
    const key = String(headers['idempotency-key'])
    const given = (forgetsKeys ? undefined : answers.get(key)) ?? write()
    answers.set(key, given)
    if (options.refundMs) await setTimeout(options.refundMs)
    return given
  }

  function verify(reference: string) {
    askedCount += 1
    const transaction = transactions.get(reference)
    if (!transaction)
      return { status: 400, body: { status: 'error', message: 'No transaction was found for this id', data: null } }
    const { id, amountCents, currency, status, method = 'card' } = transaction
    const data = {
      id,
      tx_ref: transaction.reference,
      amount: amountCents / 100,
      currency,
      status: STATUSES[status],
      payment_type: method,
      ...(method === 'card' && { card: { first_6digits: '424242', last_4digits: '4242', type: 'VISA' } }),
    }
    return { body: { status: 'success', message: 'Transaction fetched successfully', data } }
  }

  /** Calls the transaction `transaction_id`, where the response to a refund says `tx_id`. */
  function listRefunds(query: URLSearchParams) {
    const id = query.get('id') ?? ''
    const [reference = ''] = byId(id) ?? []
    const all = refunds.get(reference) ?? []
    const given = all.slice(0, all.length - (unlisted.get(reference) ?? 0))
    const failures = (failed.get(reference) ?? []).map(cents => [cents, 'failed'] as const)
    const data = [...failures, ...given.map(cents => [cents, 'completed'] as const)].map(([cents, status]) => ({
      id: 1,
      transaction_id: Number(id),
      amount_refunded: cents / 100,
      status,
    }))
    return { body: { status: 'success', message: 'Refunds fetched', ...pageOf(data, Number(query.get('page') ?? 1)) } }
  }

  function refund(id: string, body: string) {
    const [reference = ''] = byId(id) ?? []
    const { amount } = JSON.parse(body) as { amount: number }
    const refunded = (refunds.get(reference) ?? []).reduce((sum, cents) => sum + cents, 0)
    if (refunded + Math.round(amount * 100) > (transactions.get(reference)?.amountCents ?? 0))
      return { status: 400, body: { status: 'error', message: 'Refund amount is more than what is left', data: null } }
    if (failing.delete(reference)) {
      failed.set(reference, [...(failed.get(reference) ?? []), 0])
      return { body: { status: 'success', data: { id: 1, tx_id: Number(id), amount_refunded: 0, status: 'failed' } } }
    }
    refunds.set(reference, [...(refunds.get(reference) ?? []), Math.round(amount * 100)])
    if (isSlowToList) unlisted.set(reference, (unlisted.get(reference) ?? 0) + 1)
    const data = { id: 1, tx_id: Number(id), amount_refunded: amount, status: 'completed' }
    return { body: { status: 'success', message: 'Transaction refund initiated', data } }
  }

  const { url, close } = await serveFake({
    answer,
    misbehaviours,
    referenceOf: ({ query }) => query.get('tx_ref') ?? undefined,
  })
  return {
    config: {
      provider: 'flutterwave',
      url,
      scriptUrl: `${url}/v3.js`,
      publicKey: 'FLWPUBK-fake',
      secretKey: SECRET_KEY,
      secretHash: SECRET_HASH,
    },
    pay({ reference, amountCents }, said = {}) {
      const id = (nextId += 1)
      transactions.set(reference, { id, status: 'succeeded', amountCents, currency: 'USD', reference, ...said })
    },
    webhook({ reference }, event = 'charge.completed') {
      const { id = 0, status = 'processing' } = transactions.get(reference) ?? {}
      const data = { id, tx_ref: reference, status: STATUSES[status] }
      return { headers: { 'verif-hash': SECRET_HASH }, body: JSON.stringify({ event, data }) }
    },
    misbehave({ reference }, how) {
      if (how) misbehaviours.set(reference, how)
      else misbehaviours.delete(reference)
    },
    refunds,
    failRefund: ({ reference }) => void failing.add(reference),
    bounceRefunds({ reference }) {
      failed.set(reference, [...(failed.get(reference) ?? []), ...(refunds.get(reference) ?? [])])
      refunds.delete(reference)
    },
    askedCount: () => askedCount,
    close,
  }
}

function pageOf(all: object[], page: number) {
  const page_info = {
    total: all.length,
    current_page: page,
    total_pages: Math.ceil(all.length / PAGE_SIZE),
    page_size: PAGE_SIZE,
  }
  return { meta: { page_info }, data: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) }
}
