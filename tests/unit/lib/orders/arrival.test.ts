import { expect, test } from 'vitest'
import { arrivalDates } from '#lib/orders/arrival.ts'

test.each([
  [[3, 6], '4–7 December'],
  [[30, 33], '31 December – 3 January'],
  [[2, 2], '3 December'],
  [[0, 5], '1–6 December'],
] as const)('%j days after 1 December are %s', ([from, until], text) => {
  expect(arrivalDates([from, until], new Date(2026, 11, 1, 23, 30))).toBe(text)
})
