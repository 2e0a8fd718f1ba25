import { expect, test } from 'vitest'
import { soldText } from '#lib/catalogue/units-sold.ts'

test.each([
  [0, undefined],
  [9, undefined],
  [10, '10+'],
  [99, '90+'],
  [100, '100+'],
  [1279, '1,200+'],
  [123_456, '120,000+'],
])('%d sales are said as %s', (units, text) => {
  expect(soldText(units)).toBe(text)
})
