import type { PaymentProvider } from '../payment-provider.ts'
import { type Sandbox, SIGNATURE_HEADER } from './sandbox.ts'

type Fetch = (request: Request) => Response | Promise<Response>

/** Whether the shop's provider is the sandbox. */
export function isSandbox(provider: PaymentProvider | null): provider is Sandbox {
  return provider?.name === 'sandbox'
}

/** Sends the sandbox's webhook of a payment to the shop; rejects unless the shop accepts it. */
export async function sendWebhook(provider: PaymentProvider | null, reference: string, fetch: Fetch): Promise<void> {
  // The job may have been queued when the shop still used the sandbox.
  if (!isSandbox(provider)) return
  const { body, signature } = await provider.webhook(reference)
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature }
  const request = new Request('http://sandbox.internal/api/payment/webhook/sandbox', { method: 'POST', headers, body })
  const response = await fetch(request)
  if (!response.ok) throw new Error(`the shop responded to a webhook with ${response.status}`)
}
