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

test('Buy Now shows that its product is loading, never the one before', async () => {
  await openBasket('?buy=ball')

  const opening = openBasket('?buy=dodo')

  expect($basket.get()).toEqual({ state: 'loading' })
  await opening
})

test('reloading updates the prices of the products to buy', async () => {
  await openBasket('?buy=ball')
  const cheaper = { ...product, priceCents: 1 }
  client.api = fakeApi({ getProduct: () => Promise.resolve({ product: cheaper, related: [], fromSameShop: [] }) })
  await reloadBasket()
  expect($basket.get()).toMatchObject({ lines: [{ product: { priceCents: 1 } }] })

  client.api = fakeApi({ getCart: () => Promise.resolve(cartOf([cartLine('car', { quantity: 4 })])) })
  await openBasket('')
  await reloadBasket()
  expect($basket.get()).toMatchObject({ lines: [{ lineId: 'car', quantity: 4 }] })
})

test('a product that is taken off the shop while it is being bought is gone', async () => {
  await openBasket('?buy=ball')
  client.api = fakeApi({ getProduct: () => Promise.reject(new ApiError(404, 'There is no such product')) })

  await reloadBasket()

  expect($basket.get()).toEqual({ state: 'gone' })
})

test.each([
  ['a response', () => Promise.resolve({ product, related: [], fromSameShop: [] })],
  ['an error', () => Promise.reject(new ApiError(503, 'Away'))],
])('%s for a product that the customer has left changes nothing', async (_name, respond) => {
  const waiting = Promise.withResolvers<undefined>()
  client.api = fakeApi({ getProduct: () => waiting.promise.then(respond) })
  const first = openBasket('?buy=ball')
  client.api = fakeApi({ getProduct })
  await openBasket('?buy=dodo')

  waiting.resolve(undefined)
  await first

  expect($basket.get()).toEqual({ state: 'gone' })
})

test.each([{ state: 'loading' }, { state: 'failed', message: 'Away' }] as const)(
  'the checkout of a cart that is not loaded is %j',
  load => {
    $cart.set(load)

    expect($basket.get()).toEqual(load)
  },
)
