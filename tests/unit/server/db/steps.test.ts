import { expect, test } from 'vitest'
import { decodeStep, encodeStep, type Step } from '#server/db/schema/steps.ts'

test.each<[string, Step]>([
  ['placed', { kind: 'placed' }],
  ['paid_again:0199f3c2', { kind: 'paid_again', attemptId: '0199f3c2' }],
  ['shipped:0199f3c3', { kind: 'shipped', sellerOrderId: '0199f3c3' }],
  ['cancelled:time', { kind: 'cancelled', by: 'time' }],
])('a step is stored as %s', (stored, step) => {
  expect(encodeStep(step)).toBe(stored)
  expect(decodeStep(stored)).toEqual(step)
})
