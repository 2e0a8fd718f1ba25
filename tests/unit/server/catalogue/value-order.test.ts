import { expect, test } from 'vitest'
import { inNaturalOrder } from '#server/catalogue/value-order.ts'

test.each([
  ['letter sizes', 'XXS, XS, S, M, L, XL, XXL, 3XL'],
  ['words for sizes', 'Extra small, Small, Medium, Large, X-Large, XX-Large'],
  ['shoe sizes', '9, 36.5, 37, 38, 43'],
  ['ranges', '36-38, 39-41, 42-45'],
  ['fractions', '1/4, 1/2, 3/4, 4/4'],
  ['weights', '250 g, 500 g, 1 kg, 1,5 kg'],
  ['volumes', '75 cl, 1 l'],
  ['lengths', '90 cm, 1 m, 140 cm, 2 m'],
  ['measures', '30 × 30 cm, 50 × 50 cm, 100 × 30 cm'],
  ['strengths', '+1.0, +1.5, +2.5'],
  ['memory', '256 GB, 512 GB, 1 TB'],
  ['letters before numbers before texts', 'S, XL, 40, 42, One size'],
])('%s are listed from small to large', (_, ordered) => {
  const values = ordered.split(', ').map((value, at) => ({ value, count: at * 7 }))

  expect(inNaturalOrder(values.toReversed(), true).map(({ value }) => value)).toEqual(ordered.split(', '))
})

test('other values are listed by their number of products, then by name', () => {
  const values = [
    { value: 'Teal', count: 1 },
    { value: 'Red', count: 1 },
    { value: 'Blue', count: 9 },
  ]

  expect(inNaturalOrder(values, true).map(({ value }) => value)).toEqual(['Blue', 'Red', 'Teal'])
})

test('brands are no sizes', () => {
  const brands = [
    { value: '3M', count: 1 },
    { value: 'Ada', count: 2 },
  ]

  expect(inNaturalOrder(brands, false).map(({ value }) => value)).toEqual(['Ada', '3M'])
})
