import { setPersistentEngine } from '@nanostores/persistent'
import { beforeEach, expect, test, vi } from 'vitest'
import { $account } from '#stores/accounts/account.ts'
import { $confirmation as $emailConfirmation } from '#stores/accounts/email-confirmation.ts'
import { $cart, $cartCount } from '#stores/cart/cart.ts'
import { $savedProducts, $wishlist, $wishlistCount } from '#stores/cart/wishlist.ts'
import { $currentFriend, $messages, $waiting } from '#stores/chat/chat.ts'
import { $friends } from '#stores/chat/friends.ts'
import { $openChat, openSellerId } from '#stores/chat/open-chat.ts'
import { $notifications, $unreadCount } from '#stores/notifications/notifications.ts'
import { $placing } from '#stores/orders/checkout.ts'
import { $confirmation } from '#stores/payments/confirmation.ts'
import { $paying, $toPay } from '#stores/payments/payment.ts'

let kept: Record<string, string>

beforeEach(() => {
  kept = {}
  setPersistentEngine(kept, { addEventListener: () => undefined, removeEventListener: () => undefined })
  // Mounted stores would load on their own.
  vi.stubGlobal('document', undefined)
})

test.each([
  ['the cart', $cart],
  ['the wishlist', $wishlist],
  ['the list of notifications', $notifications],
  ['the list of shops to chat with', $friends],
  ['the order to pay', $toPay],
  ['the account', $account],
])('%s is loading until it is known', (_name, store) => {
  expect(store.get()).toEqual({ state: 'loading' })
})

test('no conversation is open until the customer chooses one', () => {
  expect($openChat.get()).toEqual({ state: 'none' })
  expect(openSellerId()).toBeNull()
  expect([$messages.get(), $waiting.get(), $currentFriend.get()]).toEqual([[], [], null])
})

test('nothing is being placed or paid until the customer asks for it', () => {
  expect($placing.get()).toEqual({ state: 'idle' })
  expect($paying.get()).toEqual({ state: 'idle' })
})

test('a result page is looking up its payment, and a link of an email is being confirmed', () => {
  expect($confirmation.get()).toEqual({ state: 'asking' })
  expect($emailConfirmation.get()).toEqual({ state: 'confirming' })
})

test('no product has a full heart before the wishlist is loaded', () => {
  expect([...$savedProducts.get()]).toEqual([])
})

test.each([
  ['cart', $cartCount, 'cartCount'],
  ['wishlist', $wishlistCount, 'wishlistCount'],
  ['unread notifications', $unreadCount, 'unreadNotifications'],
])('the count of the %s is remembered for the next page', (_name, $count, key) => {
  $count.set(7)
  expect(kept).toEqual({ [key]: '7' })

  kept[key] = '9'
  const stop = $count.listen(() => undefined)

  expect($count.get()).toBe(9)
  stop()
})
