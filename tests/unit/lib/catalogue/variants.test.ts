import { expect, test } from 'vitest'
import { choicesOf } from '#lib/catalogue/variants.ts'

const variant = (options: Record<string, string>, stock = 1) => ({
  _id: '',
  title: '',
  sku: '',
  barcode: '',
  priceCents: 100,
  discount: 0,
  options,
  stock,
})

test('variants are grouped by option, each value once and in order', () => {
  const variants = [
    variant({ Size: 'M', Colour: 'Sand' }),
    variant({ Size: 'S', Colour: 'Sand' }),
    variant({ Size: 'M', Colour: 'Ink' }),
  ]

  expect(choicesOf(variants)).toEqual([
    {
      name: 'Size',
      choices: [
        { value: 'M', isInStock: true },
        { value: 'S', isInStock: true },
      ],
    },
    {
      name: 'Colour',
      choices: [
        { value: 'Sand', isInStock: true },
        { value: 'Ink', isInStock: true },
      ],
    },
  ])
})

test('a value is out of stock when all its variants are', () => {
  const variants = [variant({ Size: 'M', Colour: 'Sand' }, 0), variant({ Size: 'M', Colour: 'Ink' }, 2)]

  expect(choicesOf(variants).map(option => option.choices.map(choice => choice.isInStock))).toEqual([
    [true],
    [false, true],
  ])
})

test('no variants give no options, and an option can have any name', () => {
  expect(choicesOf([])).toEqual([])
  expect(choicesOf([variant({ ['__proto__']: 'x', constructor: 'y' })]).map(option => option.name)).toContain(
    'constructor',
  )
})
