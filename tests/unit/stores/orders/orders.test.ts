import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Api, ApiError } from '#lib/api.ts'
import { client } from '#stores/client.ts'
import { $orderId } from '#stores/orders/order-id.ts'
import { cancelOrder, receiveParcel } from '#stores/orders/order-actions.ts'
import { $order, $orders, $overview, loadOrder, loadOrders, loadOverview } from '#stores/orders/orders.ts'
import { $returns, loadReturns } from '#stores/returns/returns.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { orderSummary, unpaidOrder } from '#tests/support/payments/paying.ts'
import { tokenOf } from '#tests/support/catalogue/shopping.ts'

const said = () => takeToasts().map(({ kind, text }) => `${kind}: ${text}`)

beforeEach(() => {
  vi.stubGlobal('dispatchEvent', () => true)
  $customerToken.set(tokenOf('ada'))
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

test('the overview is loaded for the customer', async () => {
  const counts = { orderCount: 3, pendingCount: 2, cancelledCount: 1, recentOrders: [orderSummary()] }
  const getDashboard = vi.fn<Api['getDashboard']>(() => Promise.resolve(counts))
  client.api = fakeApi({ getDashboard })

  await loadOverview()

  expect(getDashboard).toHaveBeenCalledWith({ userId: 'ada' })
  expect($overview.get()).toEqual({ state: 'ready', value: counts })
})

test('orders are loaded by status, and reloaded with the same status', async () => {
  const getOrders = vi.fn<Api['getOrders']>(({ status }) =>
    Promise.resolve({ orders: [orderSummary({ _id: status })] }),
  )
  client.api = fakeApi({ getOrders })

  await loadOrders('pending')
  await loadOrders()

  expect(getOrders.mock.calls).toEqual([[{ userId: 'ada', status: 'pending' }], [{ userId: 'ada', status: 'pending' }]])
  expect($orders.get()).toMatchObject({ value: [{ _id: 'pending' }] })
  const next = loadOrders('cancelled')
  expect($orders.get()).toEqual({ state: 'loading' })
  await next
})

test('nothing is loaded for a visitor', async () => {
  $customerToken.set('')
  const [getDashboard, getOrders, getOrder] = [vi.fn<() => never>(), vi.fn<() => never>(), vi.fn<() => never>()]
  client.api = fakeApi({ getDashboard, getOrders, getOrder })

  await Promise.all([loadOverview(), loadOrders('placed'), loadOrder('o1')])

  for (const call of [getDashboard, getOrders, getOrder]) expect(call).not.toHaveBeenCalled()
})

describe('an order', () => {
  test('that is opened takes the place of the one before at once', async () => {
    const getOrder = vi.fn<Api['getOrder']>(({ orderId }) =>
      Promise.resolve({ order: unpaidOrder({ _id: orderId }), sellerOrders: [] }),
    )
    client.api = fakeApi({ getOrder })
    await loadOrder('o1')
    expect($order.get()).toMatchObject({ state: 'ready', value: { order: { _id: 'o1' } } })

    const reloading = loadOrder()
    expect($order.get()).toMatchObject({ state: 'ready', value: { order: { _id: 'o1' } } })
    await reloading
    const next = loadOrder('o2')
    expect($order.get()).toEqual({ state: 'loading' })
    await next

    expect($order.get()).toMatchObject({ state: 'ready', value: { order: { _id: 'o2' } } })
    expect(getOrder.mock.calls).toEqual([[{ orderId: 'o1' }], [{ orderId: 'o1' }], [{ orderId: 'o2' }]])
  })

  test('that does not exist or is another customer’s is missing', async () => {
    client.api = fakeApi({ getOrder: () => Promise.reject(new ApiError(404, 'There is no such order')) })

    await loadOrder('o2')

    expect($order.get()).toEqual({ state: 'missing' })
  })

  test('is reloaded after it was cancelled', async () => {
    const cancel = vi.fn<Api['cancelOrder']>(() => Promise.resolve({ message: 'Your order is cancelled' }))
    client.api = fakeApi({
      cancelOrder: cancel,
      getOrder: () => Promise.resolve({ order: unpaidOrder({ status: 'cancelled' }), sellerOrders: [] }),
    })

    await cancelOrder('o1')

    expect(cancel).toHaveBeenCalledExactlyOnceWith({ orderId: 'o1' })
    expect(said()).toEqual(['success: Your order is cancelled'])
    expect($order.get()).toMatchObject({ value: { order: { status: 'cancelled' } } })
  })

  test('offers the return of a parcel as soon as the customer has received it', async () => {
    let hasArrived = false
    const mugs = {
      sellerOrderId: 's1',
      shopName: 'Clay',
      kind: 'return' as const,
      isImmediate: false,
      isShippingRefunded: true,
      lines: [],
    }
    client.api = fakeApi({
      getOrder: () => Promise.resolve({ order: unpaidOrder({ paymentStatus: 'paid' }), sellerOrders: [] }),
      getReturns: () => Promise.resolve({ available: hasArrived ? [mugs] : [], returns: [] }),
      receiveParcel: () => {
        hasArrived = true
        return Promise.resolve({ message: 'Thank you for letting us know' })
      },
    })
    await Promise.all([loadOrder('o1'), loadReturns('o1')])

    await receiveParcel('p1')

    expect($returns.get()).toMatchObject({ value: { available: [{ shopName: 'Clay' }] } })
  })

  test('that is cancelled is no longer the one to pay', async () => {
    client.api = fakeApi({
      cancelOrder: () => Promise.resolve({ message: 'Your order is cancelled' }),
      getOrder: () => Promise.resolve({ order: unpaidOrder({ status: 'cancelled' }), sellerOrders: [] }),
    })
    $orderId.set('o2')

    await cancelOrder('o1')
    expect($orderId.get()).toBe('o2')
    await cancelOrder('o2')

    expect($orderId.get()).toBeUndefined()
  })

  test('that was paid in the meantime shows why it cannot be cancelled', async () => {
    client.api = fakeApi({
      cancelOrder: () => Promise.reject(new ApiError(422, 'This order is paid and can no longer be cancelled')),
      getOrder: () => Promise.resolve({ order: unpaidOrder({ paymentStatus: 'paid' }), sellerOrders: [] }),
    })

    await cancelOrder('o1')

    expect(said()).toEqual(['error: This order is paid and can no longer be cancelled'])
    expect($order.get()).toMatchObject({ value: { order: { paymentStatus: 'paid' } } })
  })
})
