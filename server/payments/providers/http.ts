import { circuitBreaker, ConsecutiveBreaker, handleType } from 'cockatiel'
import type { Agent, Response } from 'undici'
import * as z from 'zod/mini'
import { breakerRest } from '../../platform/breaker-rest.ts'
import { PaymentUnavailableError } from './provider.ts'

interface Question<Answer extends z.ZodMiniType> {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /** What the answer looks like; anything else counts as none. */
  answer: Answer
  /** Statuses beside 2xx that are answers too. */
  taken?: number[]
}

type Ask = <Answer extends z.ZodMiniType>(url: string | URL, question: Question<Answer>) => Promise<z.output<Answer>>

const CONNECT_MS = 1000
const TOTAL_MS = 5000
const MOST_FAILURES = 5
const REST_MS = 10_000

let agent: Agent | undefined

/** Nobody is there, or not well: asking more would only keep more customers waiting. */
class NoResponseError extends Error {}

/**
 * Asks a provider, within five seconds; rejects with `PaymentUnavailable` unless the answer is one. After five times in
 * a row without any it is left alone for `restMs`, and then asked once to see whether it is back.
 */
export function openAsk({ restMs = REST_MS } = {}): Ask {
  const breaker = circuitBreaker(handleType(NoResponseError), {
    halfOpenAfter: breakerRest(restMs),
    breaker: new ConsecutiveBreaker(MOST_FAILURES),
  })
  return async (url, { method = 'GET', headers, body, answer, taken = [] }) => {
    // Also of those who wait for whether the provider is back.
    const signal = AbortSignal.timeout(TOTAL_MS)
    try {
      const { response, text } = await breaker.execute(() => send(url, { method, headers, body, signal }))
      if (!response.ok && !taken.includes(response.status)) throw new Error(`it answered ${response.status}`)
      return z.parse(answer, JSON.parse(text))
    } catch (error) {
      throw new PaymentUnavailableError(`${method} ${new URL(url).pathname}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
}

async function send(
  url: string | URL,
  request: { method: string; headers: Record<string, string>; body: string | undefined; signal: AbortSignal },
): Promise<{ response: Response; text: string }> {
  const { Agent, fetch } = await import('undici')
  agent ??= new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: TOTAL_MS, bodyTimeout: TOTAL_MS })
  try {
    const response = await fetch(url, { ...request, dispatcher: agent, redirect: 'error' })
    if (response.status >= 500) throw new Error(`it answered ${response.status}`)
    return { response, text: await response.text() }
  } catch (error) {
    throw new NoResponseError((error as Error).message, { cause: error })
  }
}
