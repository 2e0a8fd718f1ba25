import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import type { Api } from '#lib/api.ts'
import { loadCart } from '#stores/cart/cart.ts'
import { restoreLine } from '#stores/cart/lines.ts'
import { acceptPrices } from '#stores/cart/risen-prices.ts'
import { addToWishlist } from '#stores/cart/wishlist.ts'
import { deleteMessage } from '#stores/chat/chat.ts'
import { showFriends } from '#stores/chat/friends.ts'
import { sendText, sendWaiting } from '#stores/chat/outbox.ts'
import { chooseFiles, sendFiles } from '#stores/chat/uploads.ts'
import { client } from '#stores/client.ts'
import { $notifications, markAsRead } from '#stores/notifications/notifications.ts'
import { placeOrder } from '#stores/orders/checkout.ts'
import { followPayment } from '#stores/payments/confirmation.ts'
import { $paying, loadPayment, modal, pay } from '#stores/payments/payment.ts'
import { $isConnected } from '#stores/socket-events.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { friend, message, stubBrowser } from '#tests/support/chat/chatting.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { ATTEMPT, unpaidOrder } from '#tests/support/payments/paying.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

let storage: Map<string, string>
const announced = () => [...storage.keys()].filter(key => key.endsWith('Changed')).toSorted()
const done = () => Promise.resolve({ message: '' })
const answer: Partial<Api> = {
  getCart: () => Promise.resolve(cartOf([])),
  restoreCartLine: done,
  acceptCartPrices: done,
  getWishlist: () => Promise.resolve({ items: [], count: 0 }),
  addToWishlist: done,
  readNotification: done,
  placeOrder: () => Promise.resolve({ orderId: 'o1' }),
  getPayment: () => Promise.resolve({ status: 'succeeded', orderId: 'o1' }),
  getOrder: () => Promise.resolve({ order: unpaidOrder(), sellerOrders: [] }),
  startPayment: () => Promise.resolve(ATTEMPT),
  confirmOrder: () => Promise.resolve({ message: '', paymentStatus: 'paid' }),
  deleteMessage: done,
  openConversation: () => Promise.resolve({ friends: [friend('shop')] }),
  sendMessage: () => Promise.resolve({ message: message(1) }),
  sendFiles: () => Promise.resolve({ message: message(1) }),
  getAiStatus: () => Promise.resolve({ hasAi: false }),
}

beforeEach(async () => {
  vi.useFakeTimers()
  stubBrowser()
  // Mounted stores would load on their own.
  vi.stubGlobal('document', undefined)
  vi.stubGlobal('location', { search: '' })
  stubStorage('sessionStorage')
  client.api = fakeApi(answer)
  client.upload = () => client.api
  $customerToken.set(tokenOf('ada'))
  showFriends([friend('shop')])
  $isConnected.set(false)
  await loadCart()
  storage = stubStorage('localStorage')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the other tabs are notified', () => {
  test('of a changed cart and wishlist', async () => {
    await restoreLine('kite')
    expect(announced()).toEqual(['cartChanged'])
    storage.clear()

    await acceptPrices([])
    expect(announced()).toEqual(['cartChanged'])
    storage.clear()

    await addToWishlist({ productId: 'kite' })
    expect(announced()).toEqual(['wishlistChanged'])
  })

  test('of a notification that the customer has read', async () => {
    const unread = { id: 'n1', title: '', message: '', priority: 'low', createdAt: '', readBy: [] } as const
    $notifications.set({ state: 'ready', value: [{ ...unread, readBy: [] }] })

    await markAsRead('n1')

    expect(announced()).toEqual(['notificationsChanged'])
  })

  test('of a placed order, which also empties the cart', async () => {
    await placeOrder([{ lineId: 'l1', ...cartLine('kite') }], unpaidOrder().shippingInfo, 1000)

    expect(announced()).toEqual(['cartChanged', 'ordersChanged'])
  })

  test('of a payment that the result page sees confirmed', async () => {
    const stop = followPayment('secret')
    await vi.advanceTimersByTimeAsync(0)
    stop()

    expect(announced()).toEqual(['ordersChanged'])
  })

  test('of a payment that is finished, but not of one that is not', async () => {
    await loadPayment('o1')
    modal.open = () => Promise.resolve('closed')
    client.api = fakeApi({ ...answer, confirmOrder: () => Promise.resolve({ message: '', paymentStatus: 'unpaid' }) })
    await pay()
    expect(announced()).toEqual([])

    client.api = fakeApi(answer)
    await pay()
    expect(announced()).toEqual(['ordersChanged'])
    $paying.set({ state: 'idle' })
  })
})

describe('other tabs are notified of a chat message from this tab only while they have no connection', () => {
  const ACTIONS: [name: string, act: () => Promise<unknown>][] = [
    ['sent', () => (sendText('shop', 'Hello'), sendWaiting())],
    ['deleted', () => deleteMessage('shop', 'm1')],
    ['sent with files', () => (chooseFiles('shop', [new File(['x'], 'a.png')]), sendFiles('shop', ''))],
  ]

  test.each(ACTIONS)('when it is %s', async (_name, act) => {
    $isConnected.set(true)
    await act()
    expect(announced()).toEqual([])

    $isConnected.set(false)
    await act()
    expect(announced()).toEqual(['chatChanged'])
  })
})
