import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EMAIL_NOT_CONFIRMED } from '#contract/account.ts'
import { cartOf } from '#contract/cart-sums.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { $address, confirmAddress, editAddress } from '#stores/accounts/address.ts'
import { $placing, dismissError, placeOrder, resumeOrder } from '#stores/orders/checkout.ts'
import { client } from '#stores/client.ts'
import { $orderId } from '#stores/orders/order-id.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const { product } = cartLine('kite', { shippingPrices: { Kenya: 500 } })
const LINES = [{ lineId: 'line', quantity: 2, product }]
const FORM = { name: 'Ada', address: '1', phone: '2', post: '3', province: '4', city: '5', area: '6', country: 'Kenya' }
const AWAY = new ApiError(503, 'The marketplace cannot be reached right now', { isSilent: true })

/** What the server received, and its next response. */
let sent: Parameters<Api['placeOrder']>[0][]
let answer: () => Promise<{ orderId: string }>
const place = (cents = 2500, form = FORM, lines = LINES) => placeOrder(lines, form, cents)
/** Simulates a reloaded page, which knows only what the tab stores. */
const reload = () => $placing.set({ state: 'idle' })

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', () => true)
  vi.stubGlobal('location', { search: '' })
  stubStorage('sessionStorage')
  sent = []
  answer = () => Promise.resolve({ orderId: 'o1' })
  client.api = fakeApi({
    getCart: () => Promise.resolve(cartOf([])),
    placeOrder: order => {
      sent.push(order)
      return answer()
    },
  })
  $customerToken.set(tokenOf('ada'))
  $orderId.set(undefined)
  reload()
  takeToasts()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('placing an order', () => {
  test('sends the lines, the shown total and the address', async () => {
    editAddress(FORM)
    confirmAddress(FORM)

    await place()

    expect(sent).toEqual([
      {
        userId: 'ada',
        priceCents: 2500,
        items: 2,
        groups: [
          {
            sellerId: 'shop',
            shopName: 'Ada Shop',
            priceCents: 2000,
            products: [{ _id: 'line', quantity: 2, productInfo: product }],
          },
        ],
        shippingInfo: FORM,
        key: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ])
    expect($placing.get()).toEqual({ state: 'placed', orderId: 'o1' })
    expect($orderId.get()).toBe('o1')
    expect($address.get()).toMatchObject({ isConfirmed: false, form: { name: '' } })
  })

  test('sends one order, however fast the clicks come', async () => {
    await Promise.all([place(), place(), place()])
    await place()

    expect(sent).toHaveLength(1)
  })

  test('sends nothing without a customer', async () => {
    $customerToken.set(undefined)

    await place()

    expect(sent).toEqual([])
  })

  test('again after a placed order places another one', async () => {
    await place()
    reload()
    await place()

    expect(sent[0]!.key).not.toBe(sent[1]!.key)
  })
})

describe('an order without a response', () => {
  beforeEach(async () => {
    answer = () => Promise.reject(AWAY)
    await place()
    answer = () => Promise.resolve({ orderId: 'o1' })
  })

  test('is in the state "unknown", and is sent again unchanged', async () => {
    expect($placing.get()).toEqual({ state: 'unknown' })
    await place(9900, { ...FORM, city: 'Mombasa' })
    expect(sent).toHaveLength(1)

    await resumeOrder()

    expect(sent[1]).toEqual(sent[0])
    expect($placing.get()).toEqual({ state: 'placed', orderId: 'o1' })
  })

  test('is resumed automatically when the page is loaded again', async () => {
    reload()
    await resumeOrder()

    expect(sent[1]).toEqual(sent[0])
    expect($placing.get()).toEqual({ state: 'placed', orderId: 'o1' })
    reload()
    await resumeOrder()
    expect(sent).toHaveLength(2)
  })

  test('is not resumed a day later, but the same order keeps its key', async () => {
    vi.useFakeTimers({ now: Date.now() + 24 * 3600_000, toFake: ['Date'] })
    reload()
    await resumeOrder()
    expect(sent).toHaveLength(1)

    // The first order, if it was placed, has taken its units.
    await place(2500, FORM, [{ ...LINES[0]!, product: { ...product, stock: product.stock - 2 } }])

    expect(sent[1]!.key).toBe(sent[0]!.key)
  })

  test('is not sent for another customer', async () => {
    $customerToken.set(tokenOf('eve'))
    reload()
    await resumeOrder()

    expect(sent).toHaveLength(1)
  })
})

describe('a rejected order', () => {
  test('shows which products are short, and can be placed again', async () => {
    const fields = { 'products.0.products.0': 'Only 1 left of kite' }
    answer = () => Promise.reject(new ApiError(422, 'Out of stock', { fields }))
    await place()

    const reasons = ['Only 1 left of kite']
    expect($placing.get()).toMatchObject({
      state: 'rejected',
      message: 'Out of stock',
      reasons,
      isEmailUnconfirmed: false,
    })
    expect(takeToasts().map(({ text }) => text)).toEqual(['Out of stock'])
    answer = () => Promise.resolve({ orderId: 'o2' })
    await resumeOrder()
    expect(sent).toHaveLength(1)
    await place()
    expect($placing.get()).toEqual({ state: 'placed', orderId: 'o2' })
  })

  test('with a changed price shows the new total; accepting it sends another request', async () => {
    const summary = { itemsCents: 2200, shippingCents: 500, priceCents: 2700 }
    answer = () => Promise.reject(new ApiError(422, 'The price has changed', { code: 'PRICE_CHANGED', summary }))
    await place()

    expect($placing.get()).toEqual({ state: 'priceChanged', summary })
    expect(takeToasts()).toEqual([])
    answer = () => Promise.resolve({ orderId: 'o1' })
    await place(summary.priceCents)
    expect(sent[1]).toMatchObject({ priceCents: 2700 })
    expect(sent[1]!.key).not.toBe(sent[0]!.key)
  })

  test('can be dismissed', async () => {
    answer = () => Promise.reject(new ApiError(422, 'You have 10 unpaid orders'))
    await place()

    dismissError()

    expect($placing.get()).toEqual({ state: 'idle' })
  })

  test.each([
    ['priceChanged', { state: 'priceChanged', summary: { itemsCents: 1, shippingCents: 1, priceCents: 2 } }, 'idle'],
    ['sending', { state: 'sending' }, 'sending'],
    ['unknown', { state: 'unknown' }, 'unknown'],
    ['placed', { state: 'placed', orderId: 'o1' }, 'placed'],
  ] as const)('dismissing it changes no state without an error: %s', (_name, placing, next) => {
    $placing.set(placing)

    dismissError()

    expect($placing.get().state).toBe(next)
  })

  test('because of an unconfirmed email address says so', async () => {
    const message = 'Please confirm your email address first'
    answer = () => Promise.reject(new ApiError(422, message, { code: EMAIL_NOT_CONFIRMED }))

    await place()

    expect($placing.get()).toEqual({ state: 'rejected', message, reasons: [], isEmailUnconfirmed: true })
    expect(takeToasts()).toMatchObject([{ kind: 'error', text: message }])
  })

  test('keeps its key, and is not sent when the page is loaded again', async () => {
    answer = () => Promise.reject(new ApiError(422, 'Out of stock'))
    await place()
    reload()
    await resumeOrder()
    expect(sent).toHaveLength(1)

    await place()

    expect(sent[1]!.key).toBe(sent[0]!.key)
  })
})

describe('an order whose outcome is unknown', () => {
  test.each([
    ['the shop fails', new ApiError(500, 'Something went wrong')],
    ['the network fails', new ApiError(0, 'Away', { isSilent: true })],
    ['the response is not the shop’s', new ApiError(404, 'Not found', { isSilent: true })],
  ])('because %s is neither placed nor rejected', async (_why, error) => {
    answer = () => Promise.reject(error)

    await place()

    expect($placing.get()).toEqual({ state: 'unknown' })
    expect(takeToasts()).toEqual([])
  })

  test('is sent again by the customer, however long ago it was', async () => {
    answer = () => Promise.reject(AWAY)
    await place()
    vi.useFakeTimers({ now: Date.now() + 24 * 3600_000, toFake: ['Date'] })

    await resumeOrder()

    expect(sent).toHaveLength(2)
  })

  test('is resumed within a quarter of an hour after a reload, and not from then on', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    answer = () => Promise.reject(AWAY)
    await place()
    vi.setSystemTime(Date.now() + 15 * 60_000)
    reload()
    await resumeOrder()
    expect(sent).toHaveLength(1)

    vi.setSystemTime(Date.now() - 1)
    await resumeOrder()
    expect(sent).toHaveLength(2)
  })

  test('is not sent twice while it is being sent, nor after it was placed', async () => {
    const late = Promise.withResolvers<{ orderId: string }>()
    answer = () => late.promise
    const placing = place()
    expect($placing.get()).toEqual({ state: 'sending' })
    await resumeOrder()
    expect(sent).toHaveLength(1)

    const kept = sessionStorage.getItem('checkoutOrder')!
    late.resolve({ orderId: 'o1' })
    await placing
    sessionStorage.setItem('checkoutOrder', kept)
    await resumeOrder()
    expect(sent).toHaveLength(1)
  })
})

test.each(['{}', '{"key":"k","sentAt":1}', '{"order":{"userId":"ada"},"sentAt":1}', 'nonsense'])(
  'what this tab stores is ignored if it is no order: %s',
  async kept => {
    sessionStorage.setItem('checkoutOrder', kept)
    vi.useFakeTimers({ now: 1000, toFake: ['Date'] })

    await resumeOrder()

    expect(sent).toEqual([])
    expect($placing.get()).toEqual({ state: 'idle' })
  },
)
