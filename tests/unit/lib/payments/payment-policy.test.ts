import { expect, test } from 'vitest'
import { policyFor } from '#lib/payments/payment-policy.ts'

const POLICY = "default-src 'self';connect-src 'self';frame-src 'none'; script-src 'self' 'sha256-x=';"
const HOSTS = ['https://checkout.example', 'https://*.pay.example']

test.each(['/', '/cart', '/shipping', '/dashboard/order/details/[orderId]'])('%s keeps its policy', page => {
  expect(policyFor(page, POLICY, HOSTS)).toBe(POLICY)
})

test.each(['/payment', '/order/confirm'])('%s shows the sandbox’s frame, which is of our own origin', page => {
  expect(policyFor(page, POLICY, [])).toBe(
    "default-src 'self'; connect-src 'self'; frame-src 'self'; script-src 'self' 'sha256-x='",
  )
})

test('the payment admits the hosts of its provider, and nothing inline', () => {
  expect(policyFor('/payment', POLICY, HOSTS)).toBe(
    [
      "default-src 'self'",
      "connect-src 'self' https://checkout.example https://*.pay.example",
      "frame-src 'self' https://checkout.example https://*.pay.example",
      "script-src 'self' 'sha256-x=' https://checkout.example https://*.pay.example",
    ].join('; '),
  )
})
