import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Cart } from '#contract/cart.ts'
import { cartOf, cartLinesOf } from '#contract/cart-sums.ts'
import { doesNotShip, shippingCents, sumsOf } from '#contract/order-sums.ts'
import { wishFor } from '#contract/wishlist.ts'
import { cartLine } from '#tests/support/catalogue/shopping.ts'

describe('a cart of lines', () => {
  test('groups lines by seller in order, and separates lines that cannot be bought', () => {
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
    expect(cartLinesOf(cart).map(({ _id }) => _id)).toEqual(['train', 'ball', 'lamp', 'kite'])
  })

  test('is encoded with the wire’s names; a line that cannot be bought contains its product twice', () => {
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

test('a cart line can be bought up to the stock, and not beyond', () => {
  const cart = cartOf([cartLine('train', { quantity: 5, stock: 5 }), cartLine('kite', { quantity: 6, stock: 5 })])

  expect(cart.groups[0]?.products.map(({ _id }) => _id)).toEqual(['train'])
  expect(cart.outOfStock.map(({ _id }) => _id)).toEqual(['kite'])
})

describe('an order', () => {
  const lines = [
    cartLine('train', { quantity: 2, priceCents: 1999, discount: 10, shippingPrices: { Kenya: 450, Chad: 0 } }),
    cartLine('kite', { quantity: 3, priceCents: 500, shippingPrices: { Kenya: 250 } }),
  ]

  test('costs its items, plus the shipping of each line once', () => {
    expect(sumsOf(lines, 'Kenya')).toEqual({ itemsCents: 5298, shippingCents: 700, priceCents: 5998 })
    expect(sumsOf(lines, 'Chad')).toEqual({ itemsCents: 5298, shippingCents: 0, priceCents: 5298 })
    expect(sumsOf([], 'Kenya')).toEqual({ itemsCents: 0, shippingCents: 0, priceCents: 0 })
  })

  test('has a shipping price only for countries that its products ship to', () => {
    const { product } = cartLine('train', { shippingPrices: { Kenya: 450, Chad: 0 } })

    expect(['Kenya', 'Chad', 'France', 'toString'].map(country => shippingCents(product, country))).toEqual([
      450,
      0,
      undefined,
      undefined,
    ])
    expect(doesNotShip('France')).toBe(
      'This product does not ship to France. Please remove it from your cart to continue.',
    )
  })
})

test('a wish for a product without pictures has an empty image', () => {
  expect(wishFor(cartLine('kite', { images: [] }).product)).toMatchObject({ productId: 'kite', image: '' })
})
