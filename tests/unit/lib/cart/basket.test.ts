import { describe, expect, test } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import type { Variant } from '#contract/variants.ts'
import {
  basketOf,
  boughtAtOnce,
  bySeller,
  destinations,
  itemCount,
  itemsText,
  purchasedLine,
  unshippableLines,
  wantedGroups,
  whyNotOrderable,
} from '#lib/cart/basket.ts'
import { hasRisen } from '#lib/cart/cart-line.ts'
import { cartLine } from '#tests/support/catalogue/shopping.ts'

const LINES = basketOf(
  cartOf([
    cartLine('kite', { quantity: 2, shippingPrices: { Kenya: 500 } }),
    cartLine('lamp', { sellerId: 'lights', shopName: 'Bright Lights', shippingPrices: { Ghana: 0 } }),
    cartLine('ball', { quantity: 6, stock: 5 }),
    cartLine('train'),
  ]),
)

describe('a basket', () => {
  test('contains the buyable cart lines by shop', () => {
    const shown = bySeller(LINES).map(({ shopName, lines }) => [shopName, ...lines.map(({ lineId }) => lineId)])

    expect(shown).toEqual([
      ['Ada Shop', 'kite', 'train'],
      ['Bright Lights', 'lamp'],
    ])
  })

  test('remembers the prices that the customer agreed to, so that the checkout can ask about a higher one', () => {
    const lines = basketOf(cartOf([cartLine('kite', { agreedCents: 900, priceCents: 1000 }), cartLine('train')]))

    expect(lines.map(hasRisen)).toEqual([true, false])
  })

  test('lists the products that do not ship to a country, and all destinations', () => {
    const names = (country: string) => unshippableLines(LINES, country).map(({ product }) => product.name)

    expect(names('Kenya')).toEqual(['train', 'lamp'])
    expect(names('Ghana')).toEqual(['kite', 'train'])
    expect(names('constructor')).toHaveLength(3)
    expect(destinations(LINES)).toEqual(new Set(['Kenya', 'Ghana']))
  })

  test('is ordered by its cart line ids, which a Buy Now product does not have', () => {
    const bought = { quantity: 3, product: LINES[0]!.product }

    expect(wantedGroups(LINES)[1]).toMatchObject({
      products: [{ _id: 'lamp', quantity: 1, productInfo: { _id: 'lamp' } }],
    })
    const [group] = wantedGroups([bought])
    expect(group).toMatchObject({ products: [{ quantity: 3, productInfo: { _id: 'kite' } }] })
    expect(group!.products[0]).not.toHaveProperty('_id')
  })
})

test('a summary counts the units of a cart, but one item for Buy Now', () => {
  const units = LINES.reduce((sum, { quantity }) => sum + quantity, 0)

  expect(itemCount(LINES)).toBe(units)
  expect(itemsText(LINES)).toBe('4 items')
  const { product } = LINES[0]!
  expect(itemCount([{ quantity: 3, product }])).toBe(1)
  expect(itemsText([{ quantity: 3, product }])).toBe('1 item × 3')
  expect(itemsText([{ quantity: 1, product }])).toBe('1 item')
})

test.each([
  [1, 0, 'Out of Stock'],
  [3, 2, 'Only 2 left'],
  [2, 2, null],
])('%i wanted and %i in stock shows: %s', (quantity, stock, said) => {
  expect(whyNotOrderable({ quantity, product: { ...LINES[0]!.product, stock } })).toBe(said)
})

test.each([
  ['', null],
  ['?quantity=2', null],
  ['?buy=kite', { slug: 'kite', quantity: 1 }],
  ['?buy=kite&quantity=4', { slug: 'kite', quantity: 4 }],
  ['?buy=kite&variant=v1&quantity=4', { slug: 'kite', variantId: 'v1', quantity: 4 }],
  ['?buy=kite&variant=', { slug: 'kite', quantity: 1 }],
  ['?buy=kite&quantity=0', { slug: 'kite', quantity: 1 }],
  ['?buy=kite&quantity=-2', { slug: 'kite', quantity: 1 }],
  ['?buy=kite&quantity=2.5', { slug: 'kite', quantity: 1 }],
  ['?buy=kite&quantity=many', { slug: 'kite', quantity: 1 }],
])('the address %s buys %j', (search, wanted) => {
  expect(boughtAtOnce(search)).toEqual(wanted)
})

describe('a variant bought at once', () => {
  const variant = (size: string, more: Partial<Variant> = {}): Variant => ({
    _id: `v${size}`,
    title: `Size ${size}`,
    options: { Size: size },
    sku: '',
    barcode: '',
    priceCents: 3000,
    discount: 10,
    stock: 2,
    ...more,
  })
  const shoe = { ...LINES[0]!.product, images: ['a', 'b'], variants: [variant('42'), variant('43', { image: 'b' })] }

  test('has its own price, stock and picture, and is ordered by its id', () => {
    const line = purchasedLine(shoe, { slug: 'kite', variantId: 'v43', quantity: 1 })!

    expect(line).toMatchObject({
      product: { priceCents: 3000, discount: 10, stock: 2, images: ['b', 'a'] },
      variant: { _id: 'v43', title: 'Size 43' },
    })
    expect(wantedGroups([line])[0]!.products[0]).toMatchObject({ variantId: 'v43', quantity: 1 })
  })

  test('must exist, and must be chosen if there are several', () => {
    const line = purchasedLine(shoe, { slug: 'kite', quantity: 1 })!

    expect(whyNotOrderable(line)).toBe('Please choose Size')
    expect(purchasedLine(shoe, { slug: 'kite', variantId: 'other', quantity: 1 })).toBeNull()
    const [only] = shoe.variants
    expect(purchasedLine({ ...shoe, variants: [only!] }, { slug: 'kite', quantity: 1 })).toMatchObject({
      variant: only,
    })
  })
})
