import { beforeEach, describe, expect, test, vi } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $cart, $cartCount, addToCart, loadCart } from '#stores/cart/cart.ts'
import { changeQuantity, repeatSteps, settled } from '#stores/cart/lines.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $toasts } from '#stores/ui/toasts.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const cart = cartOf([cartLine('train', { quantity: 2 }), cartLine('kite')])
const shown = { getCart: () => Promise.resolve(cart) } satisfies Partial<Api>
let storage: Map<string, string>
const waiting = () => (JSON.parse(storage.get('intent') ?? 'null') as { intent: unknown } | null)?.intent

/** Rejects like every call after the session has ended: the client has deleted the token. */
function ended() {
  $customerToken.set(undefined)
  return Promise.reject(new ApiError(409, 'Please login first', { code: 'INVALID_TOKEN' }))
}

beforeEach(async () => {
  storage = stubStorage('sessionStorage')
  vi.stubGlobal('dispatchEvent', () => true)
  vi.stubGlobal('location', { pathname: '/cart', search: '', hash: '', assign: () => undefined })
  vi.stubGlobal('scrollY', 0)
  client.api = fakeApi(shown)
  $customerToken.set(tokenOf('ada'))
  await loadCart()
  $toasts.set([])
})

describe('an ended session', () => {
  test('keeps the added product for after the login', async () => {
    client.api = fakeApi({ addToCart: ended })

    await addToCart('lamp', 3)

    expect(waiting()).toEqual({ kind: 'addToCart', productId: 'lamp', quantity: 3 })
    expect(storage.get('intent')).toContain('"customerId":"ada"')
    expect($toasts.get()).toEqual([])
    expect($cartCount.get()).toBe(0)
  })

  test('keeps all quantity steps for after the login, sends no further ones, and sends them then', async () => {
    const increase = vi.fn<Api['increaseQuantity']>(ended)
    client.api = fakeApi({ increaseQuantity: increase })
    for (const lineId of ['train', 'train', 'kite']) changeQuantity(lineId, 1)

    expect(await settled()).toBe(false)

    expect(increase).toHaveBeenCalledOnce()
    expect(waiting()).toEqual({ kind: 'changeQuantity', lineId: 'train', by: 2 })
    expect(storage.get('intent')).toContain('"customerId":"ada"')
    increase.mockResolvedValue({ message: 'Quantity updated' })
    client.api = fakeApi({ ...shown, increaseQuantity: increase })
    $customerToken.set(tokenOf('ada'))
    await repeatSteps('train', 2)
    expect(await settled()).toBe(true)
    expect(increase).toHaveBeenCalledTimes(3)
  })
})

test('signing out clears the cart and its count', async () => {
  $customerToken.set(undefined)
  await loadCart()

  expect($cart.get()).toEqual({ state: 'loading' })
  expect($cartCount.get()).toBe(0)
})

test('a session that ends while the cart loads leaves the cart empty', async () => {
  client.api = fakeApi({ getCart: ended })

  await loadCart()

  expect($cart.get()).toEqual({ state: 'loading' })
  expect($cartCount.get()).toBe(0)
})
