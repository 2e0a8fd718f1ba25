import { expect, test } from 'vitest'
import { policyFor } from '#lib/payments/payment-policy.ts'

const POLICY = "default-src 'self';connect-src 'self';frame-src 'none'; script-src 'self' 'sha256-x=';"
const HOSTS = ['https://checkout.example', 'https://*.pay.example']

test.each(['/', '/cart', '/shipping', '/dashboard/order/details/[orderId]'])('%s keeps the default policy', page => {
  expect(policyFor(page, POLICY, HOSTS)).toBe(POLICY)
})

test.each(['/payment', '/order/confirm'])('%s allows frames of our own origin for the sandbox', page => {
  expect(policyFor(page, POLICY, [])).toBe(
    "default-src 'self'; connect-src 'self'; frame-src 'self'; script-src 'self' 'sha256-x='",
  )
})

test('the payment page allows the provider’s hosts, and nothing inline', () => {
  expect(policyFor('/payment', POLICY, HOSTS)).toBe(
    [
      "default-src 'self'",
      "connect-src 'self' https://checkout.example https://*.pay.example",
      "frame-src 'self' https://checkout.example https://*.pay.example",
      "script-src 'self' 'sha256-x=' https://checkout.example https://*.pay.example",
    ].join('; '),
  )
})
