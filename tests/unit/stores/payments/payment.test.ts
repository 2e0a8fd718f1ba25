import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentStatus } from '#contract/orders.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { ScriptUnavailableError } from '#lib/payments/inline-modal.ts'
import { PAID_ORDER, readFromTab } from '#lib/session-storage.ts'
import { client } from '#stores/client.ts'
import { $orderId } from '#stores/orders/order-id.ts'
import { $attempt, $paying, $toPay, loadPayment, modal, pay } from '#stores/payments/payment.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { ATTEMPT, unpaidOrder } from '#tests/support/payments/paying.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const RESULT = '/order/confirm?payment_intent_client_secret=secret'
const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)
let order = unpaidOrder()
let confirmed: () => ReturnType<Api['confirmOrder']>

function answers(paymentStatus: PaymentStatus) {
  confirmed = () => Promise.resolve({ message: `It is ${paymentStatus}`, paymentStatus })
}

beforeEach(async () => {
  vi.stubGlobal('dispatchEvent', () => true)
  stubStorage('sessionStorage')
  $customerToken.set(tokenOf('ada'))
  order = unpaidOrder()
  answers('unpaid')
  client.api = fakeApi({
    getOrder: () => Promise.resolve({ order, sellerOrders: [] }),
    startPayment: () => Promise.resolve(ATTEMPT),
    confirmOrder: () => confirmed(),
  })
  modal.open = () => Promise.resolve('done')
  $attempt.set(null)
  $paying.set({ state: 'idle' })
  $orderId.set('o1')
  await loadPayment('o1')
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

test('loading an unpaid order prepares its payment', () => {
  expect($toPay.get()).toEqual({ state: 'ready', value: order })
  expect($attempt.get()).toBe(ATTEMPT)
})

test('loading a paid order prepares no payment', async () => {
  order = unpaidOrder({ paymentStatus: 'paid', status: 'placed' })
  $attempt.set(null)

  await loadPayment('o1')

  expect($toPay.get()).toMatchObject({ value: { paymentStatus: 'paid' } })
  expect($attempt.get()).toBeNull()
  expect($orderId.get()).toBeUndefined()
})

test('loading an order whose payment is processing keeps the order id', async () => {
  order = unpaidOrder({ paymentStatus: 'processing' })

  await loadPayment('o1')

  expect($orderId.get()).toBe('o1')
})

test('a payment that cannot be prepared shows one error, and is retried only by the customer', async () => {
  const startPayment = vi.fn<Api['startPayment']>(() => Promise.reject(new ApiError(503, 'Away')))
  client.api = { ...client.api, startPayment }
  $attempt.set(null)

  for (let halfMinutes = 0; halfMinutes < 3; halfMinutes += 1) await loadPayment()
  expect(said()).toEqual(['error: Away'])
  expect($paying.get()).toEqual({ state: 'idle', problem: 'Away' })

  await pay()
  expect(startPayment).toHaveBeenCalledTimes(2)
})

test('loading prepares no payment while one is starting', async () => {
  const answer = Promise.withResolvers<typeof ATTEMPT>()
  const startPayment = vi.fn<Api['startPayment']>(() => answer.promise)
  client.api = { ...client.api, startPayment }
  $attempt.set(null)
  const paying = pay()

  await loadPayment()

  expect(startPayment).toHaveBeenCalledOnce()
  answer.resolve(ATTEMPT)
  await paying
})

describe('paying', () => {
  test('leads to the dashboard, which shows the order, once the shop confirms it', async () => {
    answers('paid')

    expect(await pay()).toBe('/dashboard')

    expect(readFromTab(PAID_ORDER)).toEqual({ paidOrder: 'o1' })
    expect($orderId.get()).toBeUndefined()
  })

  test.each<[PaymentStatus, string]>([
    ['processing', RESULT],
    ['refund_pending', '/dashboard/order/details/o1'],
  ])('that is %s leads to %s', async (status, page) => {
    answers(status)

    expect(await pay()).toBe(page)

    expect(readFromTab(PAID_ORDER)).toBeNull()
  })

  test('leads to the result page while only the browser reports success', async () => {
    expect(await pay()).toBe(RESULT)

    expect(readFromTab(PAID_ORDER)).toBeNull()
    expect($orderId.get()).toBe('o1')
  })

  test('is checked with the shop also when the modal was closed', async () => {
    modal.open = () => Promise.resolve('closed')
    expect(await pay()).toBeNull()
    expect($paying.get().problem).toContain('not finished')

    answers('paid')
    expect(await pay()).toBe('/dashboard')
  })

  test('leads to the result page when the shop cannot be reached', async () => {
    confirmed = () => Promise.reject(new ApiError(503, 'Away', { isSilent: true }))

    expect(await pay()).toBe(RESULT)
  })

  test('opens one modal, however fast the clicks come', async () => {
    const open = vi.fn<typeof modal.open>(() => Promise.resolve('closed'))
    modal.open = open

    await Promise.all([pay(), pay(), pay()])

    expect(open).toHaveBeenCalledOnce()
  })

  test('shows an error when the provider’s script cannot be loaded', async () => {
    modal.open = () => Promise.reject(new ScriptUnavailableError())

    expect(await pay()).toBeNull()

    expect(said()).toEqual(['error: Failed to load payment modal. Check your internet connection and retry later.'])
    expect($paying.get().state).toBe('idle')
  })

  test('shows an order that another tab has paid instead of the modal', async () => {
    const open = vi.fn<typeof modal.open>(() => Promise.resolve('done'))
    modal.open = open
    order = unpaidOrder({ paymentStatus: 'paid', status: 'placed' })
    client.api = fakeApi({
      getOrder: () => Promise.resolve({ order, sellerOrders: [] }),
      startPayment: () => Promise.reject(new ApiError(422, 'This order is already paid')),
    })

    expect(await pay()).toBeNull()

    expect(open).not.toHaveBeenCalled()
    expect(said()).toEqual(['error: This order is already paid'])
    expect($toPay.get()).toMatchObject({ value: { paymentStatus: 'paid' } })
  })
})
