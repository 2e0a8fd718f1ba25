import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { PaymentConfig } from '#server/payments/providers/config.ts'
import { listen } from './http.ts'

/** The identifiers of an attempt, known to shop and provider. */
export interface Payable {
  reference: string
  clientSecret: string
  amountCents: number
}

/** What the provider reports about a payment. A faulty provider may even report another reference. */
export interface ReportedPayment {
  status: 'succeeded' | 'processing' | 'failed'
  amountCents: number
  currency: string
  reference: string
  /** Absent: a card ending in 4242. `mpesa` is mobile money, `us_bank_account` a bank account. */
  method?: string
}

/** How the provider's response about a payment fails. */
export type Misbehaviour = 'silence' | 'reset' | 'error' | 'page' | 'missing' | 'garbage'

export interface Delivery {
  headers: Record<string, string>
  body: string
}

/** A payment provider on its own port that implements the real provider's API. No money moves. */
export interface FakePayments {
  config: PaymentConfig
  /** The customer pays an attempt. By default the payment succeeds with exactly its amount. */
  pay(attempt: Payable, said?: Partial<ReportedPayment>): void
  /** A correctly signed webhook about an attempt. `event` is the event's name. */
  webhook(attempt: Payable, event?: string): Delivery
  /** Makes all further responses about this attempt fail; null ends that. */
  misbehave(attempt: Payable, how: Misbehaviour | null): void
  /** Refunded cents by reference. */
  refunds: Map<string, number[]>
  /** Makes the next refund of this attempt fail, as if at the provider or the bank. */
  failRefund(attempt: Payable): void
  /** The customer's bank sends the refunds of an attempt back, which were reported as paid. */
  bounceRefunds(attempt: Payable): void
  /** Number of requests about a payment. */
  askedCount: () => number
  close(): Promise<void>
}

export interface FakeOptions {
  /** Its list of refunds lacks the shop's own: only the Idempotency-Key prevents a second refund. */
  isSlowToList?: boolean
  /** Repeats a refund that is requested again with the same key. Flutterwave documents no such keys. */
  forgetsKeys?: boolean
  /** Milliseconds until it responds to a refund that it has made. */
  refundMs?: number
}

export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

interface Reply {
  status?: number
  body: unknown
}

interface Options {
  /** Returns the response to a call, or null for an unknown path. */
  answer: (call: Call) => Reply | null | Promise<Reply | null>
  /** The reference that the call is about. */
  referenceOf: (call: Call) => string | undefined
  misbehaviours: Map<string, Misbehaviour>
}

/** Serves an HTTP API whose responses can be made to fail. */
export async function serveFake({ answer, referenceOf, misbehaviours }: Options) {
  const { url, close } = await listen((req, res) => void serve(req, res))

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(req.url ?? '/', 'http://fake')
    const call = { method: req.method ?? '', path, query, headers: req.headers, body: await text(req) }
    const how = misbehaviours.get(referenceOf(call) ?? '')
    if (how) misbehave(how, res)
    else {
      const reply = await answer(call)
      send(res, reply?.status ?? (reply ? 200 : 404), JSON.stringify(reply?.body ?? { error: 'no such address' }))
    }
  }

  function misbehave(how: Misbehaviour, res: ServerResponse): void {
    // Never responds; `close` ends the connection.
    if (how === 'silence') return
    if (how === 'reset') res.destroy()
    else if (how === 'error') send(res, 500, '{"status":"error","message":"Something went wrong"}')
    else if (how === 'page') send(res, 200, '<!doctype html><title>Maintenance</title>', 'text/html')
    else if (how === 'missing') send(res, 404, '{"status":"error","message":"Not found","data":null}')
    else send(res, 200, '{"status":"success","data":{"status":"successful","amount":"all of it"}}')
  }

  return { url, close }
}

function send(res: ServerResponse, status: number, body: string, type = 'application/json'): void {
  res.writeHead(status, { 'content-type': type })
  res.end(body)
}
