import { expect, test } from 'vitest'
import type { Variant } from '#contract/variants.ts'
import { pathAfterChoice } from '#lib/catalogue/load-product.ts'
import { cartLine } from '#tests/support/catalogue/shopping.ts'

const kind = (size: string, colour: string, stock = 1): Variant => ({
  _id: `${size}-${colour}`,
  title: '',
  options: { Size: size, Colour: colour },
  sku: '',
  barcode: '',
  priceCents: 100,
  discount: 0,
  stock,
})
const [SMALL, LARGE, SOLD_OUT] = [kind('S', 'Sand'), kind('L', 'Ink'), kind('L', 'Moss', 0)]
const SHIRT = { ...cartLine('shirt').product, variants: [SMALL, LARGE, SOLD_OUT] }
const PAGE = '/product/details/shirt?variant='
const login = (path: string) => `/login?next=${encodeURIComponent(path)}`

test.each([
  ['cart', 'L', 'Ink', login(`${PAGE}L-Ink`)],
  ['buy', 'L', 'Ink', login('/shipping?buy=shirt&variant=L-Ink&quantity=1')],
  ['show', 'L', 'Ink', `${PAGE}L-Ink`],
  [undefined, 'L', 'Ink', login(`${PAGE}L-Ink`)],
  ['buy', 'L', 'Moss', `${PAGE}L-Moss`],
  ['cart', 'L', 'Sand', `${PAGE}L-Ink`],
  ['cart', 'XL', undefined, `${PAGE}S-Sand`],
] as const)('the button %s with %s and %s leads to %s', (button, option1, option2, path) => {
  expect(pathAfterChoice(SHIRT, SMALL, { button, option1, option2, option3: undefined })).toBe(path)
})
