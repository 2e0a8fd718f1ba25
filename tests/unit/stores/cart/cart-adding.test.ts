import { beforeEach, expect, test, vi } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import { ApiError } from '#lib/api.ts'
import { $cartCount, addToCart, loadCart } from '#stores/cart/cart.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $toasts } from '#stores/ui/toasts.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'

const REFUSED = new ApiError(422, 'Out of stock')
const stored = [cartLine('train', { quantity: 2 })]
const said = () => $toasts.get().map(({ kind, text }) => `${kind}: ${text}`)

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  client.api = fakeApi({ getCart: () => Promise.resolve(cartOf(stored)) })
  $customerToken.set(tokenOf('ada'))
  await loadCart()
  $toasts.set([])
})

test('raises the count at the click, and then shows a message and the server’s count', async () => {
  const added = Promise.withResolvers<{ message: string }>()
  client.api = fakeApi({
    addToCart: () => added.promise,
    getCart: () => Promise.resolve(cartOf([...stored, cartLine('kite', { quantity: 4 })])),
  })

  const adding = addToCart('kite', 3)
  expect($cartCount.get()).toBe(5)
  added.resolve({ message: 'Added to cart' })
  await adding

  expect(said()).toEqual(['success: Added to cart'])
  expect($toasts.get()[0]?.link).toEqual({ text: 'View cart', href: '/cart' })
  await loadCart()
  expect($cartCount.get()).toBe(6)
})

test('keeps its count when a cart arrives that does not contain it yet', async () => {
  const added = Promise.withResolvers<{ message: string }>()
  client.api = fakeApi({ addToCart: () => added.promise, getCart: () => Promise.resolve(cartOf(stored)) })

  const adding = addToCart('kite')
  await loadCart()
  expect($cartCount.get()).toBe(3)

  added.reject(REFUSED)
  await adding
  expect($cartCount.get()).toBe(2)
})

test('is not counted for the next customer when it is rejected after a logout', async () => {
  const added = Promise.withResolvers<{ message: string }>()
  client.api = fakeApi({ addToCart: () => added.promise, getCart: () => Promise.resolve(cartOf(stored)) })

  const adding = addToCart('kite')
  $customerToken.set(tokenOf('grace'))
  await loadCart()
  added.reject(REFUSED)
  await adding

  expect($cartCount.get()).toBe(2)
})

test('shows the error and keeps the count when it is rejected', async () => {
  client.api = fakeApi({
    addToCart: () => Promise.reject(REFUSED),
    getCart: () => Promise.resolve(cartOf(stored)),
  })

  await addToCart('kite')

  expect(said()).toEqual(['error: Out of stock'])
  await loadCart()
  expect($cartCount.get()).toBe(2)
})

test('sends nothing for a visitor', async () => {
  $customerToken.set(undefined)
  client.api = fakeApi({})

  await addToCart('kite')

  expect(said()).toEqual([])
})
