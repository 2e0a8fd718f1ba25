import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { ScriptUnavailableError } from '#lib/payments/inline-modal.ts'
import { client } from '#stores/client.ts'
import { $attempt, $paying, $toPay, loadPayment, modal, pay, type Paying } from '#stores/payments/payment.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { ATTEMPT, unpaidOrder } from '#tests/support/payments/paying.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const { openInlineModal, openStripeModal } = vi.hoisted(() => ({
  openInlineModal: vi.fn<() => Promise<'inline'>>(() => Promise.resolve('inline')),
  openStripeModal: vi.fn<() => Promise<'stripe'>>(() => Promise.resolve('stripe')),
}))
vi.mock('#lib/payments/inline-modal.ts', async original => ({ ...(await original<object>()), openInlineModal }))
vi.mock('#lib/payments/stripe-modal.ts', () => ({ openStripeModal }))

const realOpen = modal.open
const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)
const unpaid = { message: '', paymentStatus: 'unpaid' as const }
let startPayment: ReturnType<typeof vi.fn<Api['startPayment']>>
let getOrder: ReturnType<typeof vi.fn<Api['getOrder']>>
let confirmOrder: ReturnType<typeof vi.fn<Api['confirmOrder']>>

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', () => true)
  stubStorage('sessionStorage')
  $customerToken.set(tokenOf('ada'))
  startPayment = vi.fn<Api['startPayment']>(() => Promise.resolve(ATTEMPT))
  getOrder = vi.fn<Api['getOrder']>(() => Promise.resolve({ order: unpaidOrder(), sellerOrders: [] }))
  confirmOrder = vi.fn<Api['confirmOrder']>(() => Promise.resolve(unpaid))
  client.api = fakeApi({ getOrder, startPayment, confirmOrder })
  modal.open = () => Promise.resolve('closed')
  $attempt.set(null)
  $paying.set({ state: 'idle' })
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

test('nothing is loaded without an order', async () => {
  await loadPayment()

  expect(getOrder).not.toHaveBeenCalled()
})

test('the order, its payment and its confirmation are those of the opened order', async () => {
  await loadPayment('o1')
  expect(getOrder).toHaveBeenCalledExactlyOnceWith({ orderId: 'o1' })
  expect(startPayment).toHaveBeenCalledExactlyOnceWith({ orderId: 'o1' })

  await pay()

  expect(startPayment).toHaveBeenLastCalledWith({ orderId: 'o1' })
  expect(confirmOrder).toHaveBeenCalledExactlyOnceWith({ orderId: 'o1' })
})

test('an order that cannot be loaded starts no payment', async () => {
  $toPay.set({ state: 'loading' })
  getOrder.mockRejectedValue(new ApiError(503, 'Away'))

  await loadPayment('o1')

  expect($toPay.get()).toEqual({ state: 'failed', message: 'Away' })
  expect(startPayment).not.toHaveBeenCalled()
})

test('the button is busy while the modal is open, then asking, and then free again with a reason', async () => {
  const states: Paying[] = []
  await loadPayment('o1')
  const stop = $paying.listen(state => states.push(state))

  await pay()
  stop()

  const problem = 'The payment was not finished. You can try again whenever you like.'
  expect(states).toEqual([{ state: 'busy' }, { state: 'asking' }, { state: 'idle', problem }])
})

test('the modal opens with the newest attempt', async () => {
  await loadPayment('o1')
  const newest = { ...ATTEMPT, reference: 'newest' }
  startPayment.mockResolvedValue(newest)
  const open = vi.fn<typeof modal.open>(() => Promise.resolve('closed'))
  modal.open = open

  await pay()

  expect($attempt.get()).toBe(newest)
  expect(open).toHaveBeenCalledExactlyOnceWith(newest)
})

test.each([
  ['stripe', openStripeModal, openInlineModal],
  ['flutterwave', openInlineModal, openStripeModal],
  ['sandbox', openInlineModal, openStripeModal],
] as const)('a payment with %s opens the modal of that provider', async (provider, own, other) => {
  vi.clearAllMocks()
  const attempt = { ...ATTEMPT, provider } as typeof ATTEMPT

  await realOpen(attempt)

  expect(own).toHaveBeenCalledOnce()
  expect(own.mock.lastCall).toEqual(expect.arrayContaining([attempt]))
  expect(other).not.toHaveBeenCalled()
})

describe('a payment that cannot start', () => {
  beforeEach(async () => {
    await loadPayment('o1')
    getOrder.mockClear()
  })

  test('loads the order again when the shop has rejected it', async () => {
    startPayment.mockRejectedValue(new ApiError(422, 'This order is already paid'))

    await pay()

    expect(getOrder).toHaveBeenCalledExactlyOnceWith({ orderId: 'o1' })
  })

  test('does not load the order again when only the provider’s script is missing', async () => {
    modal.open = () => Promise.reject(new ScriptUnavailableError())

    await pay()

    expect(getOrder).not.toHaveBeenCalled()
    expect(said()).toHaveLength(1)
  })

  test('because of a bug rejects, and frees the button without a reason', async () => {
    modal.open = () => Promise.reject(new TypeError('a bug'))

    await expect(pay()).rejects.toThrow('a bug')

    expect($paying.get()).toEqual({ state: 'idle' })
    expect(said()).toEqual([])
  })
})

test('a closed modal whose payment cannot be checked leads to the result page, which keeps asking', async () => {
  await loadPayment('o1')
  confirmOrder.mockRejectedValue(new ApiError(503, 'Away'))

  expect(await pay()).toBe('/order/confirm?payment_intent_client_secret=secret')

  expect($paying.get()).toEqual({ state: 'asking' })
  expect(said()).toEqual([])
})

test('a bug in the check of a payment rejects', async () => {
  await loadPayment('o1')
  confirmOrder.mockRejectedValue(new TypeError('a bug'))

  await expect(pay()).rejects.toThrow('a bug')
})
