import { expect, test } from 'vitest'
import { optionRows } from '#lib/catalogue/option-rows.ts'
import { optionsOf } from '#lib/catalogue/variants.ts'

const sizes = (count: number) =>
  optionsOf(
    Array.from({ length: count }, (_, at) => ({ options: { Size: String(36 + at) }, stock: 1 })),
    { options: {}, stock: 1 },
  )

test.each([
  [0, 0],
  [7, 1],
  [8, 2],
  [12, 2],
  [13, 1],
])('%i sizes take %i rows on a phone: more than twelve are a list', (count, rows) => {
  expect(optionRows(count === 0 ? [] : sizes(count))).toBe(rows)
})

test('colours with a swatch take more room', () => {
  const values = ['Silver', 'Sand', 'Slate'].map(value => ({ value, state: 'buyable' as const, isChosen: false }))

  expect(optionRows([{ name: 'Colour', values }])).toBe(1)
  expect(optionRows([{ name: 'Colour', values }], { Silver: 'silver', Sand: 'tan', Slate: 'gray' })).toBe(1)
  expect(optionRows([{ name: 'Colour', values: [...values, ...values] }])).toBe(2)
})
