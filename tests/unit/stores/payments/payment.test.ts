import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentStatus } from '#contract/orders.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { takeFlash } from '#lib/flash.ts'
import { ScriptUnavailableError } from '#lib/payments/payment-modal.ts'
import { client } from '#stores/client.ts'
import { $orderId } from '#stores/orders/order-id.ts'
import { $attempt, $paying, $toPay, loadPayment, modal, pay } from '#stores/payments/payment.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { ATTEMPT, unpaidOrder } from '#tests/support/catalogue/paying.ts'
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

test('an order that can be paid has its payment prepared', () => {
  expect($toPay.get()).toEqual({ state: 'ready', value: order })
  expect($attempt.get()).toBe(ATTEMPT)
})

test('one that is paid already is only shown', async () => {
  order = unpaidOrder({ paymentStatus: 'paid', status: 'placed' })
  $attempt.set(null)

  await loadPayment('o1')

  expect($toPay.get()).toMatchObject({ value: { paymentStatus: 'paid' } })
  expect($attempt.get()).toBeNull()
  expect($orderId.get()).toBeUndefined()
})

test('one whose payment is on its way is still being paid', async () => {
  order = unpaidOrder({ paymentStatus: 'processing' })

  await loadPayment('o1')

  expect($orderId.get()).toBe('o1')
})

test('a payment that cannot be prepared is said once, and not tried again behind the customer’s back', async () => {
  const startPayment = vi.fn<Api['startPayment']>(() => Promise.reject(new ApiError(503, 'Away')))
  client.api = { ...client.api, startPayment }
  $attempt.set(null)

  for (let halfMinutes = 0; halfMinutes < 3; halfMinutes += 1) await loadPayment()
  expect(said()).toEqual(['error: Away'])
  expect($paying.get()).toEqual({ state: 'idle', problem: 'Away' })

  await pay()
  expect(startPayment).toHaveBeenCalledTimes(2)
})

test('nothing is prepared while a payment begins', async () => {
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
  test('is over when the provider says so: on to the dashboard, with a word about it', async () => {
    answers('paid')

    expect(await pay()).toBe('/dashboard')

    expect(takeFlash()).toEqual({ kind: 'success', text: 'It is paid' })
    expect($orderId.get()).toBeUndefined()
  })

  test.each<[PaymentStatus, string]>([
    ['processing', RESULT],
    ['refund_pending', '/dashboard/order/details/o1'],
  ])('that is %s goes on at %s', async (status, page) => {
    answers(status)

    expect(await pay()).toBe(page)

    expect(takeFlash()).toBeNull()
  })

  test('counts for nothing on the browser’s word: the result page asks on', async () => {
    expect(await pay()).toBe(RESULT)

    expect(takeFlash()).toBeNull()
    expect($orderId.get()).toBe('o1')
  })

  test('is asked about also when the modal was closed', async () => {
    modal.open = () => Promise.resolve('closed')
    expect(await pay()).toBeNull()
    expect($paying.get().problem).toContain('not finished')

    answers('paid')
    expect(await pay()).toBe('/dashboard')
  })

  test('goes on at the result page when nobody can be asked now', async () => {
    confirmed = () => Promise.reject(new ApiError(503, 'Away', undefined, undefined, true))

    expect(await pay()).toBe(RESULT)
  })

  test('opens one modal, however fast the clicks come', async () => {
    const open = vi.fn<typeof modal.open>(() => Promise.resolve('closed'))
    modal.open = open

    await Promise.all([pay(), pay(), pay()])

    expect(open).toHaveBeenCalledOnce()
  })

  test('says when the provider’s script cannot be had', async () => {
    modal.open = () => Promise.reject(new ScriptUnavailableError())

    expect(await pay()).toBeNull()

    expect(said()).toEqual(['error: Failed to load payment modal. Check your internet connection and retry later.'])
    expect($paying.get().state).toBe('idle')
  })

  test('shows what another tab has paid meanwhile instead of a modal', async () => {
    const open = vi.fn<typeof modal.open>(() => Promise.resolve('done'))
    modal.open = open
    order = unpaidOrder({ paymentStatus: 'paid', status: 'placed' })
    client.api = fakeApi({
      getOrder: () => Promise.resolve({ order, sellerOrders: [] }),
      startPayment: () => Promise.reject(new ApiError(422, 'This order is paid already')),
    })

    expect(await pay()).toBeNull()

    expect(open).not.toHaveBeenCalled()
    expect(said()).toEqual(['error: This order is paid already'])
    expect($toPay.get()).toMatchObject({ value: { paymentStatus: 'paid' } })
  })
})
