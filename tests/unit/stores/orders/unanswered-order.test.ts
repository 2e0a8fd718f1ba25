import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CartLine } from '#contract/cart.ts'
import { cartOf } from '#contract/cart-sums.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { confirmAddress, editAddress } from '#stores/accounts/address.ts'
import { client } from '#stores/client.ts'
import { $cart } from '#stores/cart/cart.ts'
import { $placing, askAgain, dropOrder, placeOrder, resumeOrder } from '#stores/orders/checkout.ts'
import { forgetOrder } from '#stores/orders/forget-order.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const LINE = cartLine('kite', { quantity: 2, shippingPrices: { Kenya: 500 } })
const { product } = LINE
const FORM = { name: 'Ada', address: '1', phone: '2', post: '3', province: '4', city: '5', area: '6', country: 'Kenya' }
const RED_KITES = '?buy=kite&variant=red&quantity=2'

const sendOrder = vi.fn<Api['placeOrder']>()
/** The lines of the cart as the shop has it; the order consumes 'kite'. */
let inCart: CartLine[]

const away = () => Promise.reject(new ApiError(503, 'Away', { isSilent: true }))

/** Loads the checkout of the cart (''), or of a product that is bought at once (`?buy=`). */
function load(search: string): void {
  vi.stubGlobal('location', { search })
  $placing.set({ state: 'idle' })
  $cart.set({ state: 'loading' })
}

/** Places an order to which the shop does not respond; the next response is that it is placed. */
async function placeUnanswered(search: string): Promise<void> {
  load(search)
  sendOrder.mockRejectedValueOnce(new ApiError(503, 'Away', { isSilent: true }))
  await placeOrder([{ ...(!search && { lineId: 'kite' }), quantity: 2, product }], FORM, 2500)
  expect($placing.get()).toEqual({ state: 'unknown' })
}

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', () => true)
  stubStorage('sessionStorage')
  sendOrder.mockReset().mockResolvedValue({ orderId: 'o1' })
  inCart = [LINE]
  client.api = fakeApi({ placeOrder: sendOrder, getCart: () => Promise.resolve(cartOf(inCart)) })
  $customerToken.set(tokenOf('ada'))
  confirmAddress(FORM)
})
afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['of the cart', '', '?utm_source=mail'],
  ['of a product that is bought at once', RED_KITES, RED_KITES],
])('an unanswered order %s is sent again when the customer comes back to its checkout', async (_, search, next) => {
  await placeUnanswered(search)
  load(next)

  await resumeOrder()

  expect(sendOrder.mock.calls[1]).toEqual(sendOrder.mock.calls[0])
  expect($placing.get()).toEqual({ state: 'placed', orderId: 'o1' })
})

test.each([
  ['of the cart', 'buys a product at once', '', '?buy=other'],
  ['of a product', 'checks out the cart', RED_KITES, ''],
  ['of a product', 'buys another product', RED_KITES, '?buy=ball'],
  ['of a product', 'buys another variant of it', RED_KITES, '?buy=kite&variant=blue&quantity=2'],
  ['of a product', 'buys another quantity of it', RED_KITES, '?buy=kite&variant=red&quantity=3'],
])('an unanswered order %s is not sent again when the customer %s', async (_kind, _next, search, next) => {
  await placeUnanswered(search)
  load(next)

  await resumeOrder()

  expect(sendOrder).toHaveBeenCalledOnce()
  expect($placing.get()).toEqual({ state: 'idle' })
})

test('an unanswered order is not sent again after the customer has paid, cancelled or put back an order', async () => {
  await placeUnanswered('')
  forgetOrder('o1')
  load('')

  await resumeOrder()

  expect(sendOrder).toHaveBeenCalledOnce()
  expect($placing.get()).toEqual({ state: 'idle' })
})

test('an unanswered order whose lines have left the cart, because it was placed, is sent again', async () => {
  await placeUnanswered('')
  inCart = [cartLine('ball')]
  editAddress({ city: 'Mombasa' })
  load('')

  await resumeOrder()

  expect($placing.get()).toEqual({ state: 'placed', orderId: 'o1' })
})

describe.each<[change: string, search: string, make: () => void]>([
  ['the address', '', () => editAddress({ city: 'Mombasa' })],
  ['the address of a product that is bought at once', RED_KITES, () => editAddress({ city: 'Mombasa' })],
  ['the cart, by another product', '', () => (inCart = [LINE, cartLine('ball')])],
  ['the cart, by another quantity', '', () => (inCart = [{ ...LINE, quantity: 1 }])],
  ['the cart, which cannot be loaded', '', () => (client.api = fakeApi({ placeOrder: sendOrder, getCart: away }))],
])('an unanswered order, after the customer has changed %s,', (_change, search, make) => {
  beforeEach(async () => {
    await placeUnanswered(search)
    make()
    load(search)
    await resumeOrder()
  })

  test('is not sent again until the customer says so', async () => {
    await resumeOrder()
    expect(sendOrder).toHaveBeenCalledOnce()
    expect($placing.get()).toEqual({ state: 'unknown' })

    await askAgain()

    expect(sendOrder.mock.calls[1]).toEqual(sendOrder.mock.calls[0])
    expect($placing.get()).toEqual({ state: 'placed', orderId: 'o1' })
  })

  test('can be dropped for another one', async () => {
    dropOrder()
    expect($placing.get()).toEqual({ state: 'idle' })
    await resumeOrder()
    expect(sendOrder).toHaveBeenCalledOnce()

    await placeOrder([{ lineId: 'kite', quantity: 1, product }], FORM, 1500)

    expect(sendOrder.mock.calls[1]![0].key).not.toBe(sendOrder.mock.calls[0]![0].key)
  })
})

test('an unanswered order that was dropped, and is then placed unchanged, stays one order', async () => {
  await placeUnanswered('')
  dropOrder()

  await placeOrder([{ lineId: 'kite', quantity: 2, product }], FORM, 2500)

  expect(sendOrder.mock.calls[1]).toEqual(sendOrder.mock.calls[0])
})
