import { Agent, fetch } from 'undici'
import * as z from 'zod/mini'
import { PaymentUnavailable } from './provider.ts'

interface Question<Answer extends z.ZodMiniType> {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /** What the answer looks like; anything else counts as none. */
  answer: Answer
  /** Statuses beside 2xx that are answers too. */
  taken?: number[]
}

const CONNECT_MS = 1000
const TOTAL_MS = 5000

const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: TOTAL_MS, bodyTimeout: TOTAL_MS })

/** Asks a provider, within five seconds; rejects with `PaymentUnavailable` unless the answer is one. */
export async function ask<Answer extends z.ZodMiniType>(
  url: string | URL,
  { method = 'GET', headers, body, answer, taken = [] }: Question<Answer>,
): Promise<z.output<Answer>> {
  const { pathname } = new URL(url)
  try {
    const signal = AbortSignal.timeout(TOTAL_MS)
    const response = await fetch(url, { method, headers, body, signal, dispatcher: agent, redirect: 'error' })
    if (!response.ok && !taken.includes(response.status)) throw new Error(`it answered ${response.status}`)
    return z.parse(answer, await response.json())
  } catch (error) {
    throw new PaymentUnavailable(`${method} ${pathname}: ${(error as Error).message}`, { cause: error })
  }
}
