import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { PaymentConfig } from '#server/payments/providers/config.ts'
import { listen } from './http.ts'

/** What an attempt is called on both sides. */
export interface Payable {
  reference: string
  clientSecret: string
  amountCents: number
}

/** What the provider says of a payment; the reference too, which a confused one may get wrong. */
export interface Said {
  status: 'succeeded' | 'processing' | 'failed'
  amountCents: number
  currency: string
  reference: string
}

/** How the provider answers when it is asked about a payment, instead of as it should. */
export type Misbehaviour = 'silence' | 'reset' | 'error' | 'page' | 'missing' | 'garbage'

export interface Delivery {
  headers: Record<string, string>
  body: string
}

/** A payment provider on a port of its own that speaks its real interface; no money moves. */
export interface FakePayments {
  config: PaymentConfig
  /** The customer tries to pay an attempt; by default it succeeds, with exactly what it costs. */
  pay(attempt: Payable, said?: Partial<Said>): void
  /** A genuine webhook about an attempt; another `event` is another event. */
  webhook(attempt: Payable, event?: string): Delivery
  /** From now on, for everything that is about this attempt. */
  misbehave(attempt: Payable, how: Misbehaviour | null): void
  /** Cents that went back to the customer, by reference. */
  refunds: Map<string, number[]>
  /** The next refund of this attempt fails, at the provider or at its bank. */
  failRefund(attempt: Payable): void
  /** How often it was asked about a payment. */
  askedCount: () => number
  close(): Promise<void>
}

export interface FakeOptions {
  /** Its list of refunds lacks those that the shop asked for: only the Idempotency-Key keeps one from being made twice. */
  isSlowToList?: boolean
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
  /** Answers a call, or null for an address that there is not. */
  answer: (call: Call) => Reply | null
  /** The reference that a call is about. */
  referenceOf: (call: Call) => string | undefined
  misbehaviours: Map<string, Misbehaviour>
}

/** An HTTP interface whose answers can be made to fail in every way. */
export async function serveFake({ answer, referenceOf, misbehaviours }: Options) {
  const silent = new Set<ServerResponse>()
  const { url, close } = await listen((req, res) => void serve(req, res))

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(req.url ?? '/', 'http://fake')
    const call = { method: req.method ?? '', path, query, headers: req.headers, body: await text(req) }
    const how = misbehaviours.get(referenceOf(call) ?? '')
    if (how) misbehave(how, res)
    else {
      const reply = answer(call)
      send(res, reply?.status ?? (reply ? 200 : 404), JSON.stringify(reply?.body ?? { error: 'no such address' }))
    }
  }

  function misbehave(how: Misbehaviour, res: ServerResponse): void {
    if (how === 'silence') silent.add(res)
    else if (how === 'reset') res.destroy()
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
