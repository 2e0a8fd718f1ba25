import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import type { Api } from '#lib/api.ts'
import { loadAccount } from '#stores/accounts/account.ts'
import { $address, editAddress, restoreAddress } from '#stores/accounts/address.ts'
import { $cart, addToCart } from '#stores/cart/cart.ts'
import { repeatSteps } from '#stores/cart/lines.ts'
import { acceptPrices } from '#stores/cart/risen-prices.ts'
import { addToWishlist } from '#stores/cart/wishlist.ts'
import { catchUp, receiveMessage } from '#stores/chat/arrivals.ts'
import { openChat, markMessagesSeen } from '#stores/chat/chat.ts'
import { loadFriends } from '#stores/chat/friends.ts'
import { $openChat } from '#stores/chat/open-chat.ts'
import { $outbox, sendText } from '#stores/chat/outbox.ts'
import { messagesOf, putNewest } from '#stores/chat/threads.ts'
import { $upload, chooseFiles, sendFiles } from '#stores/chat/uploads.ts'
import { client } from '#stores/client.ts'
import { $notifications, markAsRead, refreshNotifications } from '#stores/notifications/notifications.ts'
import { resumeOrder } from '#stores/orders/checkout.ts'
import { loadPayment } from '#stores/payments/payment.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { message } from '#tests/support/chat/chatting.ts'
import { cartLine } from '#tests/support/catalogue/shopping.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

let asked: string[]
let storage: Map<string, string>

beforeEach(() => {
  stubPage()
  storage = stubStorage('sessionStorage')
  asked = []
  client.api = new Proxy({} as Api, {
    get: (_api, name) => () => {
      asked.push(String(name))
      return new Promise(() => undefined)
    },
  })
  client.upload = () => client.api
  $customerToken.set(undefined)
  putNewest('shop', [message(2)])
  $openChat.set({ state: 'ready', sellerId: 'shop' })
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

const ACTIONS: [name: string, act: () => unknown][] = [
  ['a product for the cart', () => addToCart('kite')],
  ['a product for the wishlist', () => addToWishlist({ productId: 'kite' })],
  ['accepted prices', () => acceptPrices([])],
  ['a quantity', () => repeatSteps('kite', 1)],
  ['a notification to mark as read', () => markAsRead('n1')],
  ['the notifications', refreshNotifications],
  ['the account', loadAccount],
  ['an order to pay', () => loadPayment('o1')],
  ['an order to send again', resumeOrder],
  ['the shops to chat with', loadFriends],
  ['a conversation', () => openChat('shop')],
  ['messages that were missed', () => catchUp('shop')],
  ['seen messages', markMessagesSeen],
  ['a message', () => sendText('shop', 'Hello')],
  ['a received message', () => receiveMessage(message(4))],
  ['files', () => (chooseFiles('shop', [new File(['x'], 'a.png')]), sendFiles('shop', ''))],
]

test.each(ACTIONS)('a visitor is neither asked nor told about %s', async (_name, act) => {
  await act()

  expect(asked).toEqual([])
  expect(takeToasts()).toEqual([])
})

test('a visitor’s messages and files stay where they are', async () => {
  sendText('shop', 'Hello')
  receiveMessage(message(4))
  chooseFiles('shop', [new File(['x'], 'a.png')])

  expect(await sendFiles('shop', 'Look')).toBe(false)

  expect($outbox.get()).toEqual([])
  expect(messagesOf('shop')).toEqual([message(2)])
  expect($upload.get()).toBeNull()
})

test('accepting prices fails for a visitor', async () => {
  expect(await acceptPrices([])).toBe(false)
})

test('what a visitor types into the address is not stored', () => {
  editAddress({ city: 'Nairobi' })
  expect($address.get().form.city).toBe('Nairobi')
  expect([...storage]).toEqual([])

  restoreAddress()
  expect($address.get().form.city).toBe('')
})

test('an address that was stored for a customer is not shown to a visitor', () => {
  storage.set('checkoutAddress', JSON.stringify({ customerId: 'ada', address: { form: { city: 'Nairobi' } } }))

  restoreAddress()

  expect($address.get()).toMatchObject({ form: { city: '' }, isConfirmed: false, fromAccount: 'no' })
})

test('the cart and notifications of a customer are gone for a visitor, without a request', async () => {
  $cart.set({ state: 'ready', cart: cartOf([cartLine('kite')]) })
  $notifications.set({ state: 'ready', value: [] })

  await repeatSteps('kite', 1)
  await refreshNotifications()

  expect([$cart.get(), $notifications.get()]).toEqual([{ state: 'loading' }, { state: 'loading' }])
  expect(takeToasts()).toEqual([])
})
