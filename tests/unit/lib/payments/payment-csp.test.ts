import { expect, test, vi } from 'vitest'
import { allowPayments } from '#lib/payments/payment-csp.ts'

function policyWith(paymentSources: string[]) {
  const [insertDirective, insertScriptResource] = [vi.fn<(text: string) => void>(), vi.fn<(source: string) => void>()]
  const page = { csp: { insertDirective, insertScriptResource }, locals: { settings: { paymentSources } } }
  allowPayments(page as unknown as Parameters<typeof allowPayments>[0])
  const [directives, scripts] = [insertDirective, insertScriptResource].map(({ mock }) => mock.calls.flat())
  return { directives, scripts }
}

test('a payment page allows frames of our own origin for the sandbox', () => {
  expect(policyWith([])).toEqual({
    directives: ["frame-src 'self'", "connect-src 'self'"],
    scripts: ["'self'"],
  })
})

test('a payment page allows the provider’s hosts, and nothing inline', () => {
  const HOSTS = 'https://checkout.example https://*.pay.example'
  expect(policyWith(HOSTS.split(' '))).toEqual({
    directives: [`frame-src 'self' ${HOSTS}`, `connect-src 'self' ${HOSTS}`],
    scripts: ["'self'", 'https://checkout.example', 'https://*.pay.example'],
  })
})
