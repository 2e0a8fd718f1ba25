import { expect, test } from 'vitest'
import { decodeStep, encodeStep, type Step } from '#server/db/schema/steps.ts'

test.each<[string, Step]>([
  ['placed', { kind: 'placed' }],
  ['paid_again:0199f3c2', { kind: 'paid_again', attemptId: '0199f3c2' }],
  ['shipped:0199f3c3', { kind: 'shipped', sellerOrderId: '0199f3c3' }],
  ['cancelled:time', { kind: 'cancelled', by: 'time' }],
  ['part_refunded:0199f3c4:1250', { kind: 'part_refunded', refundId: '0199f3c4', amountCents: 1250 }],
  [
    'return:sent_back:0199f3c5:0199f3c6',
    { kind: 'return', status: 'sent_back', returnId: '0199f3c5', sellerOrderId: '0199f3c6' },
  ],
  [
    'return:escalated:0199f3c5:0199f3c6:2',
    { kind: 'return', status: 'escalated', returnId: '0199f3c5', sellerOrderId: '0199f3c6', round: 2 },
  ],
])('a step is stored as %s', (stored, step) => {
  expect(encodeStep(step)).toBe(stored)
  expect(decodeStep(stored)).toEqual(step)
})

test('a step of a kind that only a newer version knows can be read', () => {
  expect(decodeStep('gift_wrapped:0199f3c7')).toEqual({ kind: 'gift_wrapped' })
})
