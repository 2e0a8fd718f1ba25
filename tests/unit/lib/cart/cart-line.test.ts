import { describe, expect, test } from 'vitest'
import { hasRisen, isSoldOut, noticesOf, savedCents, shippingTo } from '#lib/cart/cart-line.ts'
import { cartLine } from '#tests/support/catalogue/shopping.ts'

const texts = (...parts: Parameters<typeof cartLine>) => noticesOf(cartLine(...parts)).map(({ text }) => text)

describe('the changes of a cart line', () => {
  test('are empty when nothing has changed', () => {
    expect(texts('train')).toEqual([])
  })

  test('contain its availability', () => {
    expect(texts('train', { isGone: true, stock: 0, priceCents: 900 })).toEqual(['No longer sold'])
    expect(texts('train', { stock: 0 })).toEqual(['Out of Stock'])
    expect(texts('train', { quantity: 6, stock: 5 })).toEqual(['Only 5 left'])
  })

  test('contain a changed price, to the cent', () => {
    expect(texts('train', { agreedCents: 1000, priceCents: 1049 })).toEqual(['The price rose from $10.00 to $10.49'])
    expect(noticesOf(cartLine('train', { agreedCents: 1000, priceCents: 2000, discount: 90 }))).toEqual([
      { isGood: true, text: 'The price fell from $10.00 to $2.00' },
    ])
  })
})

test('only a higher price needs consent', () => {
  expect(hasRisen(cartLine('train', { priceCents: 1001 }))).toBe(true)
  expect(hasRisen(cartLine('train', { priceCents: 999 }))).toBe(false)
  expect(hasRisen(cartLine('train', { priceCents: 1001, isGone: true }))).toBe(false)
})

test('a line is sold out without a unit, but not while its variant has to be chosen', () => {
  expect(isSoldOut(cartLine('train', { stock: 0 }))).toBe(true)
  expect(isSoldOut(cartLine('train', { isGone: true }))).toBe(true)
  expect(isSoldOut(cartLine('train', { quantity: 6, stock: 5 }))).toBe(false)
  expect(isSoldOut(cartLine('train', { stock: 0, variantCount: 2 }))).toBe(false)
})

test('discounts save whole dollars of each unit', () => {
  const lines = [cartLine('train', { quantity: 2, priceCents: 1999, discount: 10 }), cartLine('kite')]
  expect(savedCents(lines)).toBe(200)
})

describe('the shipping badge', () => {
  test('shows whether the product has a shipping price for the country', () => {
    const { product } = cartLine('train', { shippingPrices: { Kenya: 0 } })
    expect(shippingTo('Kenya', product)).toEqual({ ships: true, text: 'Ships to Kenya' })
    expect(shippingTo('Ghana', product)).toEqual({ ships: false, text: 'Does not ship to Ghana' })
  })

  test('ignores names of object properties', () => {
    expect(shippingTo('constructor', cartLine('train').product).ships).toBe(false)
  })
})
