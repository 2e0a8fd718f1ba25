import { expect, test } from 'vitest'
import { arrivalDates, arrivalText, isOver } from '#lib/orders/arrival.ts'

test.each([
  [[3, 6], '4–7 December'],
  [[30, 33], '31 December – 3 January'],
  [[2, 2], '3 December'],
  [[0, 5], '1–6 December'],
] as const)('%j days after 1 December are %s', ([from, until], text) => {
  expect(arrivalDates([from, until], new Date('2026-12-01T23:30:00Z'))).toBe(text)
})

test.each([
  ['2026-12-04T09:00:00Z', '2026-12-10T09:00:00Z', 'Arrives 4–10 December'],
  ['2026-11-28T09:00:00Z', '2026-12-02T09:00:00Z', 'Arrives 28 November – 2 December'],
  ['2026-11-28T09:00:00Z', '2026-12-01T09:00:00Z', 'Arrives 28 November – 1 December'],
  ['2026-11-28T23:00:00Z', '2026-11-30T23:00:00Z', 'It should have arrived by 30 November'],
  ['2026-11-20T09:00:00Z', '2026-11-24T09:00:00Z', 'It should have arrived by 24 November'],
])('on 1 December, the promise from %s until %s reads: %s', (from, until, text) => {
  expect(arrivalText({ from, until }, new Date('2026-12-01T12:00:00Z'))).toBe(text)
})

test.each([
  ['2026-12-03T23:59:59Z', false],
  ['2026-12-04T00:00:00Z', true],
])('whether a parcel that was expected by 3 December is late at %s: %s', (now, isLate) => {
  expect(isOver('2026-12-03T00:30:00Z', Date.parse(now))).toBe(isLate)
})
