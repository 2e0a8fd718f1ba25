import { afterAll, describe, expect, test, vi } from 'vitest'
import { addShippable, orderOf } from '#tests/support/ordering.ts'
import { startProvider } from '#tests/support/provider.ts'

const { db, customer, request, close } = await startProvider()
afterAll(close)

const PATIENCE = { timeout: 15_000, interval: 100 }

async function placed() {
  const ada = await customer()
  const product = await addShippable(db)
  const { orderId } = await ada.api.placeOrder(orderOf(ada.id, [product]))
  return { ada, orderId, attempt: await ada.api.startPayment({ orderId }) }
}

const pay = (reference: string, method: string, number: string) =>
  request('/api/payment/sandbox/pay', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference, method, number }),
  })

describe('the sandbox', () => {
  test('pays with a card, and its webhook makes the order paid', async () => {
    const { ada, orderId, attempt } = await placed()

    expect(attempt).toMatchObject({ provider: 'sandbox', movesMoney: false, amountCents: expect.any(Number) })
    const answer = await pay(attempt.reference, 'card', '4242 4242 4242 4242')

    expect([answer.status, await answer.json()]).toEqual([200, { status: 'succeeded' }])
    await vi.waitFor(
      async () => expect((await ada.api.getOrder({ orderId })).order.paymentStatus).toBe('paid'),
      PATIENCE,
    )
    expect(await ada.api.getPayment({ clientSecret: attempt.clientSecret })).toEqual({ status: 'succeeded', orderId })
  })

  test('declines, and takes another number of the same attempt', async () => {
    const { ada, orderId, attempt } = await placed()

    expect(await (await pay(attempt.reference, 'card', '4000000000000002')).json()).toEqual({ status: 'failed' })
    expect(await ada.api.confirmOrder({ orderId })).toMatchObject({ paymentStatus: 'unpaid' })
    expect(await (await pay(attempt.reference, 'ussd', '+254700000001')).json()).toEqual({ status: 'succeeded' })
    expect(await ada.api.confirmOrder({ orderId })).toEqual({ message: 'Your order is paid', paymentStatus: 'paid' })
  })
})
