import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentStatus } from '#contract/orders.ts'
import { events } from '#contract/realtime.ts'
import { type Api, ApiError } from '#lib/api.ts'
import { POLL_MS } from '#lib/constants.ts'
import { client } from '#stores/client.ts'
import { $confirmation, followPayment } from '#stores/payments/confirmation.ts'
import { emit } from '#stores/socket-events.ts'
import { $orderId } from '#stores/orders/order-id.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

type Answer = Awaited<ReturnType<Api['getPayment']>>['status'] | ApiError

/** The payment statuses that the server returns in order; the last one stays. */
let answers: Answer[]
let asked: number
let paymentStatus: PaymentStatus
let stop: () => void

async function follow(...said: Answer[]) {
  answers = said
  stop = followPayment('secret')
  await vi.advanceTimersByTimeAsync(0)
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('dispatchEvent', () => true)
  $customerToken.set(tokenOf('ada'))
  $orderId.set('o1')
  asked = 0
  paymentStatus = 'paid'
  client.api = fakeApi({
    getPayment: () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]!
      return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve({ status: answer, orderId: 'o1' })
    },
    confirmOrder: () => Promise.resolve({ message: '', paymentStatus }),
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a payment', () => {
  test('that succeeded is confirmed with the shop, and the stored order id cleared', async () => {
    await follow('succeeded')

    expect($confirmation.get()).toEqual({ state: 'succeeded', orderId: 'o1' })
    expect($orderId.get()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(1)
  })

  test('is not a success until the shop has confirmed it', async () => {
    paymentStatus = 'unpaid'
    await follow('succeeded')
    expect($confirmation.get()).toEqual({ state: 'processing', orderId: 'o1' })
    expect($orderId.get()).toBe('o1')

    paymentStatus = 'paid'
    await vi.advanceTimersByTimeAsync(2000)
    expect($confirmation.get()).toMatchObject({ state: 'succeeded' })
  })

  test('that failed keeps the order to be paid', async () => {
    await follow('failed')

    expect($confirmation.get()).toEqual({ state: 'failed', orderId: 'o1' })
    expect($orderId.get()).toBe('o1')
  })

  test('that is still open is polled for ten seconds', async () => {
    await follow('open', 'open', 'open', 'succeeded')
    expect($confirmation.get()).toEqual({ state: 'asking' })

    await vi.advanceTimersByTimeAsync(10_000)

    expect($confirmation.get()).toMatchObject({ state: 'succeeded' })
  })

  test('that stays open for ten seconds was not finished', async () => {
    await follow('open')
    await vi.advanceTimersByTimeAsync(60_000)

    expect($confirmation.get()).toEqual({ state: 'unfinished', orderId: 'o1' })
    expect(asked).toBe(4)
    expect($orderId.get()).toBe('o1')
  })

  test('that stayed open is looked up again at the next notification', async () => {
    await follow('open', 'open', 'open', 'open', 'succeeded')
    await vi.advanceTimersByTimeAsync(60_000)
    expect($confirmation.get()).toMatchObject({ state: 'unfinished' })

    emit(events.notification, {})
    await vi.advanceTimersByTimeAsync(0)

    expect($confirmation.get()).toMatchObject({ state: 'succeeded' })
    emit(events.notification, {})
    expect(asked).toBe(5)
  })

  test('that failed is polled once at a time after several notifications', async () => {
    await follow('failed', 'processing')

    emit(events.notification, {})
    emit(events.notification, {})
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toBe(3)
    await vi.advanceTimersByTimeAsync(POLL_MS.at(-1)!)

    expect(asked).toBe(4)
  })

  test('that is processing is polled less and less often until it settles', async () => {
    await follow(...Array.from({ length: 5 }, () => 'processing' as const), 'succeeded')
    expect($confirmation.get()).toEqual({ state: 'processing', orderId: 'o1' })
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked).toBe(2)
    await vi.advanceTimersByTimeAsync(2999)
    expect(asked).toBe(2)
    await vi.advanceTimersByTimeAsync(60_000)

    expect($confirmation.get()).toMatchObject({ state: 'succeeded' })
    expect(asked).toBe(6)
  })

  test.each<[said: Answer, PaymentStatus, kept: string | undefined]>([
    ['succeeded', 'refund_pending', undefined],
    ['refunded', 'refunded', undefined],
    ['refunded', 'paid', undefined],
    ['refunded', 'unpaid', 'o1'],
  ])('that %s, with the order %s, is shown as refunded', async (said, now, kept) => {
    paymentStatus = now
    await follow(said)

    expect($confirmation.get()).toEqual({ state: 'refunded', orderId: 'o1' })
    expect($orderId.get()).toBe(kept)
  })

  test('that does not exist, or an address without one, is unknown', async () => {
    await follow(new ApiError(404, 'There is no such payment'))
    expect($confirmation.get()).toEqual({ state: 'unknown' })

    stop = followPayment('')
    await vi.advanceTimersByTimeAsync(0)
    expect($confirmation.get()).toEqual({ state: 'unknown' })
  })

  test('is polled again when the marketplace cannot be reached', async () => {
    await follow(new ApiError(503, 'Away'), 'succeeded')
    expect($confirmation.get()).toEqual({ state: 'unreached' })

    await vi.advanceTimersByTimeAsync(2000)
    expect($confirmation.get()).toMatchObject({ state: 'succeeded' })
  })

  test('is no longer polled after the page is left', async () => {
    await follow('processing')
    stop()

    await vi.advanceTimersByTimeAsync(60_000)

    expect(asked).toBe(1)
  })

  test('is looked up by its secret, and confirmed by its order', async () => {
    const getPayment = vi.fn<Api['getPayment']>(() => Promise.resolve({ status: 'succeeded', orderId: 'o1' }))
    const confirmOrder = vi.fn<Api['confirmOrder']>(() => Promise.resolve({ message: '', paymentStatus }))
    client.api = fakeApi({ getPayment, confirmOrder })

    await follow('succeeded')

    expect(getPayment).toHaveBeenCalledExactlyOnceWith({ clientSecret: 'secret' })
    expect(confirmOrder).toHaveBeenCalledExactlyOnceWith({ orderId: 'o1' })
  })

  test('is not asked for when the address names none', async () => {
    stop = followPayment('')
    await vi.advanceTimersByTimeAsync(60_000)

    expect(asked).toBe(0)
    expect($confirmation.get()).toEqual({ state: 'unknown' })
  })

  test.each([400, 404])('that is unknown (%i) is not polled again', async status => {
    await follow(new ApiError(status, 'There is no such payment'))
    await vi.advanceTimersByTimeAsync(60_000)

    expect($confirmation.get()).toEqual({ state: 'unknown' })
    expect(asked).toBe(1)
  })

  test('is looked up again when another result page opens', async () => {
    await follow('failed')

    stop = followPayment('other')

    expect($confirmation.get()).toEqual({ state: 'asking' })
  })

  test('that is still processing for the shop is not a success', async () => {
    paymentStatus = 'processing'
    await follow('succeeded')

    expect($confirmation.get()).toEqual({ state: 'processing', orderId: 'o1' })
    expect($orderId.get()).toBe('o1')
  })

  test('is polled every fifteen seconds in the long run', async () => {
    await follow('processing')
    await vi.advanceTimersByTimeAsync(2000 + 3000 + 5000 + 8000 + 15_000)
    expect(asked).toBe(6)

    await vi.advanceTimersByTimeAsync(14_999)
    expect(asked).toBe(6)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toBe(7)
  })

  test('whose response arrives after the page is left changes nothing and is not polled again', async () => {
    const late = Promise.withResolvers<Awaited<ReturnType<Api['getPayment']>>>()
    const getPayment = vi.fn<Api['getPayment']>(() => late.promise)
    client.api = fakeApi({ getPayment })
    await follow('processing')
    stop()

    late.resolve({ status: 'processing', orderId: 'o1' })
    await vi.advanceTimersByTimeAsync(60_000)

    expect($confirmation.get()).toEqual({ state: 'asking' })
    expect(getPayment).toHaveBeenCalledOnce()
  })
})
