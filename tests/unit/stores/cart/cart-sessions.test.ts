import { beforeEach, describe, expect, test, vi } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $cart, $cartCount, addToCart, changeQuantity, loadCart, repeatSteps, settled } from '#stores/cart/cart.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $toasts } from '#stores/ui/toasts.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const cart = cartOf([cartLine('train', { quantity: 2 }), cartLine('kite')])
const shown = { getCart: () => Promise.resolve(cart) } satisfies Partial<Api>
let kept: Map<string, string>
const waiting = () => (JSON.parse(kept.get('intent') ?? 'null') as { intent: unknown } | null)?.intent

/** What any call answers when the session is over, and what the client does then. */
function ended() {
  $customerToken.set(undefined)
  return Promise.reject(new ApiError(409, 'Please login first', 'INVALID_TOKEN'))
}

beforeEach(async () => {
  kept = stubStorage('sessionStorage')
  vi.stubGlobal('dispatchEvent', () => true)
  vi.stubGlobal('location', { pathname: '/cart', search: '', hash: '', assign: () => undefined })
  client.api = fakeApi(shown)
  $customerToken.set(tokenOf('ada'))
  await loadCart()
  $toasts.set([])
})

describe('a session that ended before the click', () => {
  test('has what was added wait for the login', async () => {
    client.api = fakeApi({ addToCart: ended })

    await addToCart('lamp', 3)

    expect(waiting()).toEqual({ kind: 'addToCart', productId: 'lamp', quantity: 3 })
    expect($toasts.get()).toEqual([])
    expect($cartCount.get()).toBe(0)
  })

  test('has all steps of a quantity wait, sends no further ones, and takes them after it', async () => {
    const increase = vi.fn<Api['increaseQuantity']>(ended)
    client.api = fakeApi({ increaseQuantity: increase })
    for (const lineId of ['train', 'train', 'kite']) changeQuantity(lineId, 1)

    expect(await settled()).toBe(false)

    expect(increase).toHaveBeenCalledOnce()
    expect(waiting()).toEqual({ kind: 'changeQuantity', lineId: 'train', by: 2 })
    increase.mockResolvedValue({ message: 'Quantity updated' })
    client.api = fakeApi({ ...shown, increaseQuantity: increase })
    $customerToken.set(tokenOf('ada'))
    await repeatSteps('train', 2)
    expect(await settled()).toBe(true)
    expect(increase).toHaveBeenCalledTimes(3)
  })
})

test('signing out forgets the cart and its count', async () => {
  $customerToken.set(undefined)
  await loadCart()

  expect($cart.get()).toEqual({ state: 'loading' })
  expect($cartCount.get()).toBe(0)
})

test('a session that ends while the cart is asked for leaves nothing of it', async () => {
  client.api = fakeApi({ getCart: ended })

  await loadCart()

  expect($cart.get()).toEqual({ state: 'loading' })
  expect($cartCount.get()).toBe(0)
})
