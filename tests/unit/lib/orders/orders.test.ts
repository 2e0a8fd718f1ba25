import { describe, expect, test } from 'vitest'
import { orderPath } from '#contract/page-urls.ts'
import { addressLines } from '#contract/address-lines.ts'
import { hasRefundsOfWhole, isPayable, orderIdOf, paymentTone, settledText, statusOf } from '#lib/orders/orders.ts'

test.each([
  ['pending', 'unpaid', true],
  ['pending', 'processing', false],
  ['placed', 'paid', false],
  ['cancelled', 'unpaid', false],
  ['cancelled', 'refund_pending', false],
] as const)('an order that is %s and %s is payable: %s', (status, paymentStatus, isIt) => {
  expect(isPayable({ status, paymentStatus })).toBe(isIt)
})

test.each([
  ['pending', 'unpaid', ''],
  ['pending', 'processing', ''],
  ['placed', 'paid', 'Your order is paid by another payment.'],
  ['placed', 'refunded', 'We no longer hold your order. Below you see what became of it.'],
  ['cancelled', 'unpaid', 'We no longer hold your order. Below you see what became of it.'],
] as const)('beside a failed payment, an order that is %s and %s reads: %s', (status, paymentStatus, text) => {
  expect(settledText({ status, paymentStatus })).toBe(text)
})

test.each([
  ['paid', [{ cents: 500 }], true],
  ['paid', [{ cents: 500, shopName: 'Clay' }], false],
  ['paid', [{ cents: 200, shopName: 'Clay' }, { cents: 500 }], true],
  // Each invoice shows its share.
  ['refunded', [{ cents: 2500 }], false],
] as const)('of a %s order with the refunds %o, some are on no invoice: %s', (paymentStatus, refunds, areSome) => {
  expect(hasRefundsOfWhole({ paymentStatus, refunds: [...refunds] })).toBe(areSome)
})

test('only an order that waits for its payment is shown in red', () => {
  expect(paymentTone({ status: 'pending', paymentStatus: 'unpaid' })).toBe('bad')
  expect(paymentTone({ status: 'cancelled', paymentStatus: 'unpaid' })).toBe('plain')
  expect(paymentTone({ status: 'cancelled', paymentStatus: 'refund_pending' })).toBe('busy')
})

describe('order addresses', () => {
  test('contain the order id, with any characters', () => {
    expect(orderIdOf(orderPath('a/b c'))).toBe('a/b c')
    expect(orderIdOf('/dashboard/order/details/0198/')).toBe('0198')
  })

  test.each([
    ['', 'all'],
    ['?status=pending', 'pending'],
    ['?status=everything', 'all'],
  ])('with %s have the filter %s', (search, status) => {
    expect(statusOf(search)).toBe(status)
  })
})

test('a shipping address leaves out empty and repeated lines', () => {
  const form = { name: 'Ada', address: '1 Lane', area: 'Nairobi', city: '', post: '00100', province: 'Nairobi' }

  expect(addressLines({ ...form, country: 'Kenya', phone: '+254' })).toEqual([
    '1 Lane',
    'Nairobi',
    '00100',
    'Kenya',
    '+254',
  ])
  expect(
    addressLines({ ...form, city: 'Nairobi', province: '-', area: '-', post: '-', country: 'Kenya', phone: '' }),
  ).toEqual(['1 Lane', 'Nairobi', 'Kenya'])
})
