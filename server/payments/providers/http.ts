import { setTimeout as sleep } from 'node:timers/promises'
import { circuitBreaker, ConsecutiveBreaker, handleType } from 'cockatiel'
import type { Agent, Response } from 'undici'
import * as z from 'zod/mini'
import { breakerCooldown } from '#server/platform/breaker-cooldown.ts'
import { PaymentUnavailableError } from './payment-provider.ts'

interface RequestOptions<Schema extends z.ZodMiniType> {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /** The form of the response body; a response that does not match it counts as an error. */
  schema: Schema
  /** Statuses besides 2xx whose bodies are read, too. */
  accepted?: number[]
  /** The status that says that the same request is still running elsewhere: it is sent again until the time is over. */
  busyStatus?: number
  /** Milliseconds until it rejects. */
  totalMs?: number
}

type Send = <Schema extends z.ZodMiniType>(
  url: string | URL,
  options: RequestOptions<Schema>,
) => Promise<z.output<Schema>>

const CONNECT_MS = 1000
const TOTAL_MS = 5000
const LONGEST_MS = 30_000
const MAX_FAILURES = 5
const COOLDOWN_MS = 10_000
const BUSY_PAUSE_MS = 250

let agent: Agent | undefined

/** The provider did not respond, or responded with a 5xx. Several in a row open the circuit breaker. */
class NoResponseError extends Error {}

/**
 * Returns a function that sends requests to one provider. It rejects with `PaymentUnavailableError` after `totalMs`, or
 * when the response is not the expected one. After five `NoResponseError`s in a row, it rejects all requests for
 * `cooldownMs`, so that customers do not wait for a provider that is down, then lets one through to see whether the
 * provider is back.
 */
export function openSender({ cooldownMs = COOLDOWN_MS } = {}): Send {
  const breaker = circuitBreaker(handleType(NoResponseError), {
    halfOpenAfter: breakerCooldown(cooldownMs),
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  })
  return async (url, { method = 'GET', headers, body, schema, accepted = [], busyStatus, totalMs = TOTAL_MS }) => {
    // Started here, so that the limit includes waiting for the breaker's trial request.
    const signal = AbortSignal.timeout(totalMs)
    try {
      const sendOnce = () => breaker.execute(() => sendRequest(url, { method, headers, body, signal }))
      let received = await sendOnce()
      while (received.response.status === busyStatus) {
        await sleep(BUSY_PAUSE_MS, undefined, { signal })
        received = await sendOnce()
      }
      const { response, text } = received
      if (!response.ok && !accepted.includes(response.status)) throw new Error(`it responded with ${response.status}`)
      return z.parse(schema, JSON.parse(text))
    } catch (error) {
      throw new PaymentUnavailableError(`${method} ${new URL(url).pathname}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
}

async function sendRequest(
  url: string | URL,
  request: { method: string; headers: Record<string, string>; body: string | undefined; signal: AbortSignal },
): Promise<{ response: Response; text: string }> {
  const { Agent, fetch } = await import('undici')
  agent ??= new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: LONGEST_MS, bodyTimeout: LONGEST_MS })
  try {
    const response = await fetch(url, { ...request, dispatcher: agent, redirect: 'error' })
    if (response.status >= 500) throw new Error(`it responded with ${response.status}`)
    return { response, text: await response.text() }
  } catch (error) {
    throw new NoResponseError((error as Error).message, { cause: error })
  }
}
