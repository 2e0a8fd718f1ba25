import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $basket, openBasket, reloadBasket } from '#stores/cart/basket.ts'
import { $cart, loadCart } from '#stores/cart/cart.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'

const CART = cartOf([cartLine('kite', { quantity: 2 }), cartLine('lamp', { stock: 0 })])
const { product } = cartLine('ball')
const getProduct: Api['getProduct'] = ({ id }) =>
  id === 'ball'
    ? Promise.resolve({ product, related: [], fromSameShop: [] })
    : Promise.reject(new ApiError(404, 'There is no such product'))

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  $customerToken.set(tokenOf('ada'))
  client.api = fakeApi({ getCart: () => Promise.resolve(CART), getProduct })
  await loadCart()
  await openBasket('')
})
afterEach(() => vi.unstubAllGlobals())

test('the checkout contains the buyable cart lines and leaves out the others', () => {
  expect($basket.get()).toMatchObject({
    state: 'ready',
    lines: [{ lineId: 'kite', quantity: 2 }],
    leftOut: [{ _id: 'lamp' }],
  })
})

test('Buy Now contains one product and leaves the cart alone', async () => {
  await openBasket('?buy=ball&quantity=3')

  expect($basket.get()).toEqual({ state: 'ready', lines: [{ quantity: 3, product }], leftOut: [] })
  expect($cart.get()).toMatchObject({ cart: { count: 3 } })
})

test('Buy Now of a product that is no longer sold is in the state "gone"', async () => {
  await openBasket('?buy=dodo')

  expect($basket.get()).toEqual({ state: 'gone' })
})

test('the shown basket stays when a reload fails', async () => {
  await openBasket('?buy=ball')
  client.api = fakeApi({ getProduct: () => Promise.reject(new ApiError(503, 'Away')) })

  await reloadBasket()
  expect($basket.get()).toMatchObject({ state: 'ready' })

  await openBasket('?buy=kite')
  expect($basket.get()).toEqual({ state: 'failed', message: 'Away' })
})

test('a response for a basket that the customer has left is dropped', async () => {
  const first = openBasket('?buy=ball')
  await openBasket('?buy=dodo')
  await first

  expect($basket.get()).toEqual({ state: 'gone' })
})
