import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CartLine } from '#contract/cart.ts'
import { cartOf } from '#contract/cart-sums.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $cart, $cartCount, loadCart } from '#stores/cart/cart.ts'
import { changeQuantity, removeLine, restoreLine, settled as stepsSettled } from '#stores/cart/lines.ts'
import { acceptPrices } from '#stores/cart/risen-prices.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $toasts } from '#stores/ui/toasts.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { PATIENCE, waitUntilIdle } from '#tests/support/patience.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'

const REFUSED = new ApiError(422, 'Out of stock')
const said = () => $toasts.get().map(({ kind, text }) => `${kind}: ${text}`)
const shown = () => {
  const cart = $cart.get()
  return cart.state === 'ready' ? cart.cart : null
}
const settled = async () => {
  await stepsSettled()
  await waitUntilIdle(() => inFlight)
}

/** The server’s cart lines; each call changes them a moment later, as on a network. */
let stored: CartLine[]
let inFlight: number
let sent: string[]

async function answer<T>(name: string, work: () => T): Promise<T> {
  sent.push(name)
  inFlight += 1
  try {
    await new Promise(resolve => setTimeout(resolve, 1))
    return work()
  } finally {
    inFlight -= 1
  }
}

function step(lineId: string, by: number) {
  const line = stored.find(({ _id }) => _id === lineId)!
  if (line.quantity + by > line.product.stock) throw REFUSED
  stored = stored.map(each => (each === line ? { ...line, quantity: line.quantity + by } : each))
  return { message: 'Quantity updated' }
}

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  stored = [cartLine('train', { quantity: 2, stock: 4, priceCents: 1000 })]
  inFlight = 0
  sent = []
  client.api = fakeApi({
    getCart: () => answer('get', () => cartOf(stored)),
    increaseQuantity: ({ lineId }) => answer('inc', () => step(lineId, 1)),
    decreaseQuantity: ({ lineId }) => answer('dec', () => step(lineId, -1)),
    removeCartLine: ({ lineId }) =>
      answer('remove', () => {
        stored = stored.filter(({ _id }) => _id !== lineId)
        return { message: 'Removed from cart' }
      }),
  })
  $customerToken.set(tokenOf('ada'))
  await loadCart()
  $toasts.set([])
  sent = []
})

describe('a quantity', () => {
  test('changes at once, with the sums', async () => {
    changeQuantity('train', 1)

    expect(shown()).toMatchObject({ count: 3, buyableCount: 3, priceCents: 3000 })
    expect($cartCount.get()).toBe(3)
    await settled()
    expect(shown()).toMatchObject({ count: 3 })
  })

  test('ends at the sum of rapid clicks, sent one after the other', async () => {
    for (const by of [1, 1, -1, 1, -1, -1] as const) changeQuantity('train', by)
    expect(shown()).toMatchObject({ count: 2 })

    await settled()

    expect(stored[0]).toMatchObject({ quantity: 2 })
    expect(shown()).toMatchObject({ count: 2 })
    expect(said()).toEqual(['success: Quantity updated'])
  })

  test('never exceeds the stock', async () => {
    for (let click = 0; click < 5; click += 1) changeQuantity('train', 1)

    expect(shown()).toMatchObject({ count: 4 })
    expect(said()).toEqual(Array.from({ length: 3 }, () => 'error: Out of stock'))
    await settled()
    expect(sent.filter(call => call === 'inc')).toHaveLength(2)
  })

  test('never goes below 1', async () => {
    for (let click = 0; click < 5; click += 1) changeQuantity('train', -1)

    expect(shown()).toMatchObject({ count: 1 })
    expect(said()).toEqual([])
    await settled()
    expect(stored[0]).toMatchObject({ quantity: 1 })
  })

  test('stepped on a removed line affects no other line', async () => {
    stored = [...stored, cartLine('kite', { quantity: 1 })]
    await loadCart()
    sent = []

    changeQuantity('train', 1)
    const removed = removeLine('train')
    changeQuantity('kite', 1)
    await removed
    await settled()

    expect(sent.filter(call => call === 'dec')).toEqual([])
    expect(said()).toEqual(['success: Quantity updated'])
    expect(shown()).toMatchObject({ count: 2 })
  })

  test('can be awaited, and returns whether the server accepted it', async () => {
    changeQuantity('train', 1)
    expect(await stepsSettled()).toBe(true)
    expect(stored[0]).toMatchObject({ quantity: 3 })

    stored = [cartLine('train', { quantity: 3, stock: 3 })]
    changeQuantity('train', 1)
    expect(await stepsSettled()).toBe(false)
    await settled()
  })

  test('returns to the server’s number, with an error, when the server rejects it', async () => {
    stored = [cartLine('train', { quantity: 2, stock: 2 })]

    changeQuantity('train', 1)
    expect(shown()).toMatchObject({ count: 3 })
    await settled()

    expect(shown()).toMatchObject({ count: 2 })
    expect(said()).toEqual(['error: Out of stock'])
  })
})

test('unsent changes are rolled back, also when the cart cannot be loaded again', async () => {
  stored = [...stored, cartLine('kite', { quantity: 1 })]
  await loadCart()
  const away = () =>
    answer('none', (): never => {
      throw new ApiError(0, 'Away')
    })
  client.api = fakeApi({ increaseQuantity: away, removeCartLine: away, getCart: away })

  changeQuantity('train', 1)
  changeQuantity('train', 1)
  expect(shown()).toMatchObject({ count: 5 })
  expect(await stepsSettled()).toBe(false)
  expect(shown()).toMatchObject({ count: 3 })

  changeQuantity('train', 1)
  expect(await removeLine('train')).toBeNull()
  await stepsSettled()
  await settled()
  const quantities = shown()!.groups.flatMap(({ products }) => products.map(line => [line._id, line.quantity]))
  expect(quantities).toEqual([
    ['train', 2],
    ['kite', 1],
  ])
  expect($cartCount.get()).toBe(3)
})

describe('removing a line', () => {
  test('removes the line at once, and returns the message for the undo', async () => {
    const removed = removeLine('train')

    expect(shown()).toMatchObject({ count: 0, groups: [] })
    expect(await removed).toBe('Removed from cart')
    await settled()
    expect(shown()).toMatchObject({ count: 0 })
  })

  test('brings the line back when it is rejected', async () => {
    client.api = fakeApi({
      removeCartLine: () => Promise.reject(new ApiError(503, 'Try again in a moment')),
      getCart: () => answer('get', () => cartOf(stored)),
    })

    expect(await removeLine('train')).toBeNull()

    await settled()
    expect(shown()).toMatchObject({ count: 2 })
    expect(said()).toEqual(['error: Try again in a moment'])
  })

  test('can be undone with the line that the server kept', async () => {
    const kept = stored
    await removeLine('train')
    client.api = fakeApi({
      restoreCartLine: () => answer('restore', () => ({ message: 'Back in your cart' })),
      getCart: () => answer('get', () => cartOf(kept)),
    })

    await restoreLine('train')

    await vi.waitFor(() => expect(shown()).toMatchObject({ count: 2 }), PATIENCE)
  })
})

describe('accepting the prices that rose', () => {
  const accepted = vi.fn<Api['acceptCartPrices']>(() => Promise.resolve({ message: 'Prices accepted' }))
  const raiseTo = (priceCents: number) => (stored = [cartLine('train', { agreedCents: 1000, priceCents })])

  beforeEach(() => {
    accepted.mockClear()
    client.api = fakeApi({ acceptCartPrices: accepted, getCart: () => answer('get', () => cartOf(stored)) })
  })

  test('sends a request for this customer', async () => {
    const risen = raiseTo(1200)

    expect(await acceptPrices(risen)).toBe(true)

    expect(accepted).toHaveBeenCalledWith({ userId: 'ada' })
    await settled()
  })

  test('does not accept a price that rose again meanwhile, but shows it', async () => {
    const risen = raiseTo(1200)
    raiseTo(1500)

    expect(await acceptPrices(risen)).toBe(false)

    expect(accepted).not.toHaveBeenCalled()
    expect(said()).toEqual(['error: A price has changed again'])
    await vi.waitFor(() => expect(shown()).toMatchObject({ priceCents: 1500 }), PATIENCE)
  })
})

test('a cart that cannot be loaded shows the error; one that is shown already stays', async () => {
  client.api = fakeApi({ getCart: () => Promise.reject(new ApiError(503, 'The marketplace cannot be reached')) })
  await loadCart()
  expect(shown()).toMatchObject({ count: 2 })

  $cart.set({ state: 'loading' })
  await loadCart()
  expect($cart.get()).toEqual({ state: 'failed', message: 'The marketplace cannot be reached' })
})

test('a step on a line whose removal failed before is rolled back once', async () => {
  await loadCart()
  const before = shown()!.count
  const away = (name: string) =>
    answer(name, (): never => {
      throw new ApiError(0, 'Away')
    })
  const step = Promise.withResolvers<never>()
  client.api = fakeApi({
    increaseQuantity: () => step.promise,
    removeCartLine: () => away('removeCartLine'),
    getCart: () => away('getCart'),
  })

  changeQuantity('train', 1)
  expect(await removeLine('train')).toBeNull()
  step.reject(new ApiError(0, 'Away'))
  await stepsSettled()
  await settled()

  expect(shown()).toMatchObject({ count: before })
})
