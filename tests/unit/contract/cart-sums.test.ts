import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Cart } from '#contract/cart.ts'
import { cartOf, linesOf } from '#contract/cart-sums.ts'
import { cartLine } from '#tests/support/shopping.ts'

describe('a cart of lines', () => {
  test('groups by seller in the order of their first lines, and keeps apart what cannot be bought', () => {
    const lines = [
      cartLine('train', { quantity: 2, priceCents: 1999, discount: 10 }),
      cartLine('lamp', { sellerId: 'lights', shopName: 'Lights', priceCents: 500 }),
      cartLine('kite', { quantity: 6, stock: 5 }),
      cartLine('ball', { priceCents: 100 }),
    ]

    const cart = cartOf(lines)

    expect(cart.groups.map(({ shopName, products }) => [shopName, products.map(({ _id }) => _id)])).toEqual([
      ['Ada Shop', ['train', 'ball']],
      ['Lights', ['lamp']],
    ])
    expect(cart.outOfStock.map(({ _id }) => _id)).toEqual(['kite'])
    expect(cart).toMatchObject({ count: 10, buyableCount: 4, priceCents: 2 * 1899 + 500 + 100 })
    expect(linesOf(cart).map(({ _id }) => _id)).toEqual(['train', 'ball', 'lamp', 'kite'])
  })

  test('travels with the wire’s names; what cannot be bought carries its product twice', () => {
    const cart = cartOf([cartLine('train', { agreedCents: 950 }), cartLine('kite', { quantity: 9 })])

    const wire = z.encode(Cart, cart)

    expect(wire).toMatchObject({
      card_products: [
        {
          sellerId: 'shop',
          products: [{ _id: 'train', productInfo: { _id: 'train', price: 10 }, priceWhenAdded: 9.5 }],
        },
      ],
      outOfStockProduct: [{ _id: 'kite', productInfo: { _id: 'kite' }, products: [{ _id: 'kite', price: 10 }] }],
      card_product_count: 10,
      buy_product_item: 1,
      price: 10,
    })
    expect(z.decode(Cart, structuredClone(wire))).toEqual(cart)
  })
})
