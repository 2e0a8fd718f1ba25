import { expect, test } from 'vitest'
import type { AvailablePart, Return } from '#contract/returns.ts'
import { describeReturn, POSTAGE, refundPreview } from '#lib/returns/returns.ts'

const GIVEN: Return = {
  id: 'r1',
  sellerOrderId: 's1',
  shopName: 'Toy Town',
  kind: 'return',
  status: 'received',
  reason: 'damaged',
  words: 'The string is torn.',
  answer: '',
  tracking: '',
  refundCents: 1050,
  createdAt: '2025-10-03T10:00:00.000Z',
  pictures: [],
  lines: [{ name: 'Red kite', quantity: 1 }],
}

test('a return that has arrived names the refund', () => {
  expect(describeReturn(GIVEN)).toMatchObject({ label: 'Refund on its way', next: expect.stringMatching(/^\$10\.50/) })
})

test.each([
  ['return', 'received', 'Returned'],
  ['return', 'refunded', 'Returned'],
  ['cancellation', 'refunded', 'Cancelled'],
] as const)('a %s that is %s without a refund is called %s', (kind, status, label) => {
  expect(describeReturn({ ...GIVEN, kind, status, refundCents: 0 })).toMatchObject({
    label,
    next: 'There is nothing to refund for it.',
  })
})

test('a declined return quotes the shop’s reason', () => {
  expect(describeReturn({ ...GIVEN, status: 'declined', answer: 'It was used' }).next).toBe(
    '“It was used” If you disagree, you can ask us to decide.',
  )
})

test('a deadline is written as the other dates of an order', () => {
  const approved = { ...GIVEN, status: 'approved', dueAt: '2025-12-03T10:00:00.000Z' } as const
  expect(describeReturn(approved).next).toContain('by 3 December 2025')
})

test.each([
  ['damaged', 'The shop pays for sending it back.'],
  ['wrong_item', 'The shop pays for sending it back.'],
  ['not_as_described', 'The shop pays for sending it back.'],
  ['changed_mind', 'You pay for sending it back.'],
  ['does_not_fit', 'You pay for sending it back, unless it is faulty, damaged or not what you ordered.'],
  ['other', 'You pay for sending it back, unless it is faulty, damaged or not what you ordered.'],
] as const)('who returns something because of %s reads: %s', (reason, text) => {
  expect(POSTAGE[reason]).toBe(text)
})

test.each([
  [2, {}, 'You get $26.00 back, including $5.00 for shipping.'],
  [1, {}, 'You get $10.50 back. Shipping is refunded when everything from this shop is returned or cancelled.'],
  [0, {}, 'Shipping is refunded when everything from this shop is returned or cancelled.'],
  [
    2,
    { isShippingRefunded: false, shippingCents: undefined },
    'You get $21.00 back. This shop does not refund shipping.',
  ],
  [
    1,
    { kind: 'cancellation' as const, isShippingRefunded: false, shippingCents: undefined },
    'You get $10.50 back. Shipping is not refunded: the shop has sent a part of the order.',
  ],
])('who chooses %i of two kites reads what comes back (%o)', (quantity, more, text) => {
  const kites: AvailablePart = {
    sellerOrderId: 's1',
    shopName: 'Toy Town',
    kind: 'return',
    isImmediate: false,
    isShippingRefunded: true,
    shippingCents: 500,
    lines: [{ lineId: 'l1', name: 'Red kite', quantity: 2, unitCents: 1050 }],
    ...more,
  }
  expect(refundPreview(kites, { l1: quantity })).toBe(text)
})
