import { describe, expect, test } from 'vitest'
import { cssColour, swatchesOf } from '#lib/catalogue/swatches.ts'

describe('a colour', () => {
  test.each([
    ['Light Blue', 'lightblue'],
    ['navy', 'navy'],
    ['Sand', expect.stringMatching(/^#/) as string],
  ])('%s is shown', (name, colour) => {
    expect(cssColour(name)).toEqual(colour)
  })

  test.each(['constructor', 'toString', '__proto__', 'Sunday', ''])('%s is unknown', name => {
    expect(cssColour(name)).toBeUndefined()
    const variant = {
      _id: 'v',
      title: name,
      sku: '',
      barcode: '',
      priceCents: 100,
      discount: 0,
      stock: 1,
      options: { Colour: name },
    }
    expect(swatchesOf([variant])).toEqual({})
  })
})
