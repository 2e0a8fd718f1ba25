import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CartLine } from '#contract/cart.ts'
import { cartOf } from '#contract/cart-sums.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $cart, loadCart } from '#stores/cart/cart.ts'
import { changeQuantity, removeLine, setQuantity, settled } from '#stores/cart/lines.ts'
import { client } from '#stores/client.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'

const AWAY = new ApiError(503, 'The marketplace cannot be reached right now')
const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)
const shown = () => {
  const load = $cart.get()
  return load.state === 'ready' ? load.cart.groups.flatMap(({ products }) => products.map(each => each.quantity)) : []
}

let stored: CartLine[]
let sentCalls: string[]
/** A provider that does what it is told. */
const obeying = (): Partial<Api> => ({
  getCart: () => Promise.resolve(cartOf(stored)),
  setQuantity: ({ quantity }) => change(`set ${quantity}`, () => quantity),
  increaseQuantity: () => change('more', before => before + 1),
  decreaseQuantity: () => change('less', before => before - 1),
})

function change(call: string, to: (before: number) => number) {
  sentCalls.push(call)
  stored = stored.map(line => ({ ...line, quantity: to(line.quantity) }))
  return Promise.resolve({ message: 'Quantity updated' })
}

beforeEach(async () => {
  stubStorage('sessionStorage')
  vi.stubGlobal('dispatchEvent', () => true)
  vi.stubGlobal('location', { pathname: '/cart', search: '', hash: '', assign: () => undefined })
  vi.stubGlobal('scrollY', 0)
  stored = [cartLine('kite', { quantity: 3, stock: 40 })]
  sentCalls = []
  client.api = fakeApi(obeying())
  $customerToken.set(tokenOf('ada'))
  await loadCart()
  takeToasts()
})

test('a typed quantity is shown at once and sent in one call', async () => {
  setQuantity('kite', 37)

  expect(shown()).toEqual([37])
  expect(await settled()).toBe(true)
  expect(sentCalls).toEqual(['set 37'])
  expect(said()).toEqual(['success: Quantity updated'])
})

test('more than the stock becomes the stock, and says how many are left', async () => {
  setQuantity('kite', 99)

  await settled()
  expect(shown()).toEqual([40])
  expect(said()).toEqual(['error: Only 40 left', 'success: Quantity updated'])
})

test.each([0, -1, 3])('%d changes nothing', async quantity => {
  setQuantity('kite', quantity)
  setQuantity('dodo', 2)

  await settled()
  expect(sentCalls).toEqual([])
  expect(shown()).toEqual([3])
})

test('steps before and after it count in their sequence', async () => {
  changeQuantity('kite', 1)
  changeQuantity('kite', 1)
  setQuantity('kite', 10)
  changeQuantity('kite', -1)
  setQuantity('kite', 20)
  changeQuantity('kite', 1)

  expect(shown()).toEqual([21])
  await settled()
  await vi.waitFor(() => expect(shown()).toEqual([21]))
  expect(stored).toMatchObject([{ quantity: 21 }])
})

test('one that was rejected is replaced by the stored quantity, also when nothing can be loaded', async () => {
  client.api = fakeApi({ setQuantity: () => Promise.reject(AWAY), getCart: () => Promise.reject(AWAY) })

  setQuantity('kite', 9)
  setQuantity('kite', 12)

  expect(await settled()).toBe(false)
  expect(shown()).toEqual([3])
})

test('one that was rejected does not keep the customer from going to checkout afterwards', async () => {
  client.api = fakeApi({ ...obeying(), setQuantity: () => Promise.reject(AWAY) })
  setQuantity('kite', 9)
  expect(await settled()).toBe(false)

  expect(await settled()).toBe(true)
})

test('a line whose removal fails comes back with the stored quantity', async () => {
  client.api = fakeApi({
    setQuantity: () => Promise.reject(AWAY),
    removeCartLine: () => Promise.reject(AWAY),
    getCart: () => Promise.reject(AWAY),
  })
  setQuantity('kite', 9)

  await removeLine('kite')
  await settled()

  expect(shown()).toEqual([3])
})

test('one that finds the session ended waits for the login', async () => {
  const storage = stubStorage('sessionStorage')
  client.api = fakeApi({
    setQuantity() {
      $customerToken.set(undefined)
      return Promise.reject(new ApiError(409, 'Please login first', { code: 'INVALID_TOKEN' }))
    },
  })

  setQuantity('kite', 9)
  await settled()

  expect(JSON.parse(storage.get('intent') ?? 'null')).toMatchObject({
    intent: { kind: 'setQuantity', lineId: 'kite', quantity: 9 },
  })
})

describe('one typed while a step is sent', () => {
  /** Presses + and types 9. The step's request then fails. */
  async function typeDuring(failure: ApiError) {
    const step = Promise.withResolvers<never>()
    client.api = fakeApi({ ...obeying(), increaseQuantity: () => step.promise })
    changeQuantity('kite', 1)
    setQuantity('kite', 9)
    if (failure.code) $customerToken.set(undefined)
    step.reject(failure)
    await settled()
  }

  test('is what is shown and stored, even if the step fails', async () => {
    await typeDuring(AWAY)

    expect(shown()).toEqual([9])
    expect(stored).toMatchObject([{ quantity: 9 }])
  })

  test('waits for the login if the session has ended', async () => {
    const storage = stubStorage('sessionStorage')

    await typeDuring(new ApiError(409, 'Please login first', { code: 'INVALID_TOKEN' }))

    expect(JSON.parse(storage.get('intent') ?? 'null')).toMatchObject({
      intent: { kind: 'setQuantity', lineId: 'kite', quantity: 9 },
    })
  })
})
