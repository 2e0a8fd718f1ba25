import { expect, test } from 'vitest'
import { payWithin } from '#lib/orders/time-left.ts'

const MINUTE_MS = 60_000

test.each([
  [-1, 'The time to pay is over'],
  [0, 'The time to pay is over'],
  [1, 'Pay within a minute'],
  [MINUTE_MS - 1, 'Pay within a minute'],
  [MINUTE_MS, 'Pay within 1 minute'],
  [25 * MINUTE_MS - 1, 'Pay within 24 minutes'],
  [120 * MINUTE_MS - 1, 'Pay within 119 minutes'],
  [120 * MINUTE_MS, 'Pay within 2 hours'],
  [24 * 60 * MINUTE_MS - 1, 'Pay within 23 hours'],
  [48 * 60 * MINUTE_MS - 1, 'Pay within 47 hours'],
  [48 * 60 * MINUTE_MS, 'Pay within 2 days'],
])('%d ms before the deadline: %s', (leftMs, text) => {
  expect(payWithin(leftMs)).toBe(text)
})
