import { expect, test } from 'vitest'
import { formatPhone } from '#lib/accounts/phone.ts'

test.each([
  ['0700000000', 'KE', '+254 700 000000'],
  ['(202) 555-0143', 'US', '+1 202 555 0143'],
  ['+49 30 901820', 'US', '+49 30 901820'],
  ['12', 'KE', null],
  ['my mother’s', 'KE', null],
  ['0700000000', undefined, null],
])('the number %s in %s is written as %s', (given, country, written) => {
  expect(formatPhone(given, country)).toBe(written)
})
