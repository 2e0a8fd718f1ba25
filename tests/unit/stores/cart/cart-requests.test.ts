import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CartLine } from '#contract/cart.ts'
import { cartOf } from '#contract/cart-sums.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $cart, $cartCount, addToCart, loadCart } from '#stores/cart/cart.ts'
import { changeQuantity, changeVariant, removeLine, repeatSteps, restoreLine, settled } from '#stores/cart/lines.ts'
import { loadVariants } from '#stores/cart/line-variants.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'

const AWAY = new ApiError(503, 'The marketplace cannot be reached right now')
const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)
const quantities = () => {
  const load = $cart.get()
  if (load.state !== 'ready') return load.state
  return load.cart.groups.flatMap(({ products }) => products.map(({ _id, quantity }) => `${_id} ${quantity}`))
}
const saying = (message: string) => vi.fn<() => Promise<{ message: string }>>(() => Promise.resolve({ message }))

let stored: CartLine[]
let getCart: ReturnType<typeof vi.fn<Api['getCart']>>
const answers = (calls: Partial<Api> = {}) => fakeApi({ getCart, ...calls })

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  stored = [cartLine('train', { quantity: 2, stock: 9 }), cartLine('kite', { quantity: 3, stock: 9 })]
  getCart = vi.fn<Api['getCart']>(() => Promise.resolve(cartOf(stored)))
  client.api = answers()
  $customerToken.set(tokenOf('ada'))
  await loadCart()
  getCart.mockClear()
  takeToasts()
})

test('the cart is that of the signed-in customer', async () => {
  await loadCart()

  expect(getCart).toHaveBeenCalledExactlyOnceWith({ userId: 'ada' })
})

test('a product is added for this customer, in the chosen variant and quantity', async () => {
  const add = vi.fn<Api['addToCart']>(saying('Added to cart'))
  client.api = answers({ addToCart: add })

  await addToCart('lamp', 3, 'red')

  expect(add).toHaveBeenCalledExactlyOnceWith({ userId: 'ada', productId: 'lamp', variantId: 'red', quantity: 3 })
})

test('the line whose removal is undone is the one that was removed', async () => {
  const restore = vi.fn<Api['restoreCartLine']>(saying('Back in your cart'))
  client.api = answers({ restoreCartLine: restore })

  expect(await restoreLine('kite')).toBe(true)

  expect(restore).toHaveBeenCalledExactlyOnceWith({ lineId: 'kite' })
})

describe('a quantity', () => {
  test('changes only on its own line', async () => {
    const increase = vi.fn<Api['increaseQuantity']>(saying('Quantity updated'))
    client.api = answers({ increaseQuantity: increase })

    changeQuantity('kite', 1)

    expect(quantities()).toEqual(['train 2', 'kite 4'])
    await settled()
    expect(increase).toHaveBeenCalledExactlyOnceWith({ lineId: 'kite' })
  })

  test('of a line that is not in the cart cannot be changed', () => {
    changeQuantity('dodo', 1)

    expect(quantities()).toEqual(['train 2', 'kite 3'])
    expect(said()).toEqual([])
  })

  test('that was rejected is rolled back on its own line, even if the cart cannot be loaded', async () => {
    client.api = fakeApi({ increaseQuantity: () => Promise.reject(AWAY), getCart: () => Promise.reject(AWAY) })

    changeQuantity('kite', 1)
    expect(await settled()).toBe(false)

    expect(quantities()).toEqual(['train 2', 'kite 3'])
    expect($cartCount.get()).toBe(5)
  })

  test('that was rejected in part is not reported as a success', async () => {
    const increase = vi.fn<Api['increaseQuantity']>(saying('Quantity updated'))
    client.api = answers({ increaseQuantity: increase.mockRejectedValueOnce(new ApiError(422, 'Out of stock')) })

    changeQuantity('train', 1)
    changeQuantity('kite', 1)

    expect(await settled()).toBe(false)
    expect(said()).toEqual(['error: Out of stock'])
  })

  test('is loaded again in this tab after the last step', async () => {
    client.api = answers({ increaseQuantity: saying('Quantity updated') })

    changeQuantity('kite', 1)
    await settled()

    await vi.waitFor(() => expect(getCart).toHaveBeenCalledOnce())
  })

  test('stays when a cart that was requested before arrives late', async () => {
    const late = Promise.withResolvers<ReturnType<typeof cartOf>>()
    client.api = answers({
      getCart: getCart.mockReturnValueOnce(late.promise),
      increaseQuantity: saying('Quantity updated'),
    })
    const loading = loadCart()
    changeQuantity('kite', 1)
    await settled()

    const before = cartOf(stored)
    stored = [stored[0]!, cartLine('kite', { quantity: 4, stock: 9 })]
    const seen: unknown[] = []
    const stop = $cart.listen(() => seen.push(quantities()))
    late.resolve(before)
    await loading
    stop()

    expect(seen).not.toContainEqual(['train 2', 'kite 3'])
    expect(quantities()).toEqual(['train 2', 'kite 4'])
  })

  test('that waited for a login is repeated step by step, down as well as up', async () => {
    const decrease = vi.fn<Api['decreaseQuantity']>(saying('Quantity updated'))
    const increase = vi.fn<Api['increaseQuantity']>(saying('Quantity updated'))
    client.api = answers({ decreaseQuantity: decrease, increaseQuantity: increase })

    await repeatSteps('kite', -2)
    expect(quantities()).toEqual(['train 2', 'kite 1'])
    await settled()

    expect(decrease).toHaveBeenCalledTimes(2)
    expect(increase).not.toHaveBeenCalled()
  })

  test('stays unchanged when no steps are waiting', async () => {
    await repeatSteps('kite', 0)

    expect(quantities()).toEqual(['train 2', 'kite 3'])
  })
})

describe('a removed line', () => {
  beforeEach(() => {
    client.api = fakeApi({ removeCartLine: () => Promise.reject(AWAY), getCart: () => Promise.reject(AWAY) })
  })

  test('comes back to its place when the removal failed', async () => {
    const removing = removeLine('kite')
    expect(quantities()).toEqual(['train 2'])

    expect(await removing).toBeNull()
    expect(quantities()).toEqual(['train 2', 'kite 3'])
  })

  test('does not come back twice when a newer cart contains it', async () => {
    const failing = Promise.withResolvers<never>()
    client.api = answers({ removeCartLine: () => failing.promise })
    const removing = removeLine('kite')
    await loadCart()
    client.api = fakeApi({ getCart: () => Promise.reject(AWAY) })

    failing.reject(AWAY)
    await removing

    expect(quantities()).toEqual(['train 2', 'kite 3'])
  })

  test('does not come back to a visitor who has signed out in the meantime', async () => {
    const failing = Promise.withResolvers<never>()
    client.api = fakeApi({ removeCartLine: () => failing.promise })
    const removing = removeLine('kite')
    $customerToken.set(undefined)
    await loadCart()

    failing.reject(AWAY)
    await removing

    expect(quantities()).toBe('loading')
    expect($cartCount.get()).toBe(0)
  })
})

describe('the variants of a line', () => {
  const { product } = cartLine('shirt', {
    variants: [{ _id: 'red' }, { _id: 'blue' }] as unknown as CartLine['product']['variants'],
  })

  test('are those of its product', async () => {
    const getProduct = vi.fn<Api['getProduct']>(() => Promise.resolve({ product, related: [], fromSameShop: [] }))
    client.api = answers({ getProduct })

    expect(await loadVariants('shirt')).toBe(product.variants)

    expect(getProduct).toHaveBeenCalledExactlyOnceWith({ id: 'shirt' })
    expect(said()).toEqual([])
  })

  test('that cannot be loaded are unknown, which a toast explains', async () => {
    client.api = answers({ getProduct: () => Promise.reject(AWAY) })

    expect(await loadVariants('shirt')).toBeNull()

    expect(said()).toEqual([`error: ${AWAY.message}`])
  })

  test('that fail with a bug reject', async () => {
    client.api = answers({ getProduct: () => Promise.reject(new TypeError('a bug')) })

    await expect(loadVariants('shirt')).rejects.toThrow('a bug')
    expect(said()).toEqual([])
  })

  test('are exchanged once all quantity steps are sent, with the provider’s message', async () => {
    const calls: string[] = []
    client.api = answers({
      increaseQuantity: async () => (calls.push('increase'), { message: 'Quantity updated' }),
      changeCartVariant: async ({ lineId, variantId }) => {
        calls.push(`change ${lineId} to ${variantId}`)
        return { message: 'Option changed' }
      },
    })

    changeQuantity('kite', 1)
    expect(await changeVariant('kite', 'blue')).toBe(true)

    expect(calls).toEqual(['increase', 'change kite to blue'])
    expect(said()).toEqual(['success: Quantity updated', 'success: Option changed'])
  })

  test('are waited for before the checkout', async () => {
    const { promise, resolve } = Promise.withResolvers<{ message: string }>()
    client.api = answers({ changeCartVariant: () => promise })
    let isSettled = false

    const change = changeVariant('kite', 'blue')
    const wait = settled().then(accepted => {
      isSettled = true
      return accepted
    })
    await new Promise(setImmediate)
    expect(isSettled).toBe(false)

    resolve({ message: 'Option changed' })
    expect(await change).toBe(true)
    expect(await wait).toBe(true)
  })

  test('stay as they are when the provider rejects another one; only a checkout that waited for it stops', async () => {
    client.api = answers({ changeCartVariant: () => Promise.reject(new ApiError(422, 'Out of stock')) })

    const change = changeVariant('kite', 'blue')
    expect(await settled()).toBe(false)
    expect(await change).toBe(false)

    expect(said()).toEqual(['error: Out of stock'])
    expect(await settled()).toBe(true)
  })
})
