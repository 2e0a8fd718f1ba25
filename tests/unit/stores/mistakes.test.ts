import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import { wishFor } from '#contract/wishlist.ts'
import type { Api } from '#lib/api.ts'
import { loadAccount, updateAccount } from '#stores/accounts/account.ts'
import { chooseDefaultAddress } from '#stores/accounts/address.ts'
import { fetchReply, loadHasAi } from '#stores/chat/ai-replies.ts'
import { catchUp } from '#stores/chat/arrivals.ts'
import { openBasket } from '#stores/cart/basket.ts'
import { $cart, addToCart, loadCart } from '#stores/cart/cart.ts'
import { removeLine, restoreLine } from '#stores/cart/lines.ts'
import { deleteMessage, openChat, markMessagesSeen } from '#stores/chat/chat.ts'
import { placeOrder } from '#stores/orders/checkout.ts'
import { client } from '#stores/client.ts'
import { loadCurrency, showCurrency } from '#stores/ui/currency.ts'
import { loadEarlier } from '#stores/chat/earlier.ts'
import { confirmEmail } from '#stores/accounts/email-confirmation.ts'
import { loadEmailConfirmed } from '#stores/accounts/email-confirmed.ts'
import { loadFriends } from '#stores/chat/friends.ts'
import { $notifications, loadNotifications, markAsRead } from '#stores/notifications/notifications.ts'
import { $openChat } from '#stores/chat/open-chat.ts'
import { cancelOrder } from '#stores/orders/order-actions.ts'
import { loadOrder, loadOrders, loadOverview } from '#stores/orders/orders.ts'
import { sendText, sendWaiting } from '#stores/chat/outbox.ts'
import { loadPayment } from '#stores/payments/payment.ts'
import { readOwnReview, submitReview } from '#stores/catalogue/reviews.ts'
import { signOut } from '#stores/accounts/session.ts'
import { putNewest } from '#stores/chat/threads.ts'
import { takeToasts } from '#stores/ui/toasts.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $wishlist, addToWishlist, loadWishlist, removeFromWishlist } from '#stores/cart/wishlist.ts'
import { AWAY, message } from '#tests/support/chat/chatting.ts'
import { ACCOUNT } from '#tests/support/accounts/account.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { unpaidOrder } from '#tests/support/payments/paying.ts'
import { cartLine, tokenOf, wishlistItem } from '#tests/support/catalogue/shopping.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'
import { stubStorage } from '#tests/support/browser/tab-storage.ts'

const BUG = new TypeError('a bug')
const line = cartLine('kite')

beforeEach(() => {
  stubPage()
  // Mounted stores would load on their own.
  vi.stubGlobal('document', undefined)
  vi.stubGlobal('location', { search: '' })
  stubStorage('sessionStorage')
  vi.stubGlobal('history', { state: { linkToken: 'abc' } })
  $customerToken.set(tokenOf('ada'))
  $cart.set({ state: 'ready', cart: cartOf([line]) })
  putNewest('shop', [message(2)])
  $openChat.set({ state: 'ready', sellerId: 'shop' })
  const notification = { id: 'n1', title: '', message: '', priority: 'low', createdAt: '', readBy: [] } as const
  $notifications.set({ state: 'ready', value: [{ ...notification, readBy: [] }] })
  $wishlist.set({ state: 'ready', items: [wishlistItem('lamp')] })
  takeToasts()
})
afterEach(() => vi.unstubAllGlobals())

const ACTIONS: [name: string, call: keyof Api, act: () => Promise<unknown>][] = [
  ['loadAccount', 'getAccount', loadAccount],
  ['updateAccount', 'updateAccount', () => updateAccount(ACCOUNT)],
  ['chooseDefaultAddress', 'getAccount', () => chooseDefaultAddress(true, new Set())],
  ['loadHasAi', 'getAiStatus', () => loadHasAi('shop')],
  ['fetchReply', 'getAiStatus', () => fetchReply('shop', 'm1')],
  ['catchUp', 'getMessages', () => catchUp('shop')],
  ['openBasket', 'getProduct', () => openBasket('?buy=kite')],
  ['loadCart', 'getCart', loadCart],
  ['addToCart', 'addToCart', () => addToCart('kite')],
  ['removeLine', 'removeCartLine', () => removeLine('kite')],
  ['restoreLine', 'restoreCartLine', () => restoreLine('kite')],
  ['openChat', 'openConversation', () => openChat('shop')],
  [
    'markMessagesSeen',
    'markSeen',
    () => {
      vi.stubGlobal('document', { visibilityState: 'visible' })
      return markMessagesSeen()
    },
  ],
  ['deleteMessage', 'deleteMessage', () => deleteMessage('shop', 'm1')],
  ['placeOrder', 'placeOrder', () => placeOrder([{ lineId: 'l1', ...line }], unpaidOrder().shippingInfo, 1000)],
  ['loadCurrency', 'getAccount', loadCurrency],
  ['showCurrency', 'getRates', () => showCurrency(ACCOUNT)],
  ['loadEarlier', 'getMessages', () => loadEarlier('shop')],
  ['confirmEmail', 'confirmEmail', confirmEmail],
  ['loadEmailConfirmed', 'getAccount', loadEmailConfirmed],
  ['loadFriends', 'openConversation', loadFriends],
  ['loadNotifications', 'getNotifications', loadNotifications],
  ['markAsRead', 'readNotification', () => markAsRead('n1')],
  ['loadOverview', 'getDashboard', loadOverview],
  ['loadOrders', 'getOrders', () => loadOrders('all')],
  ['loadOrder', 'getOrder', () => loadOrder('o1')],
  ['cancelOrder', 'cancelOrder', () => cancelOrder('o1')],
  [
    'sendWaiting',
    'sendMessage',
    () => {
      sendText('shop', 'Hello')
      return sendWaiting()
    },
  ],
  ['loadPayment', 'getOrder', () => loadPayment('o1')],
  ['submitReview', 'submitReview', () => submitReview('kite', { rating: 5, review: 'Good' })],
  ['readOwnReview', 'getOwnReview', () => readOwnReview('kite')],
  ['signOut', 'logout', signOut],
  ['addToWishlist', 'addToWishlist', () => addToWishlist(wishFor(line.product))],
  ['loadWishlist', 'getWishlist', loadWishlist],
  ['removeFromWishlist', 'removeFromWishlist', () => removeFromWishlist('lamp')],
]

test.each(ACTIONS)('%s rejects with a bug in %s instead of showing it as an error', async (_name, mistaken, act) => {
  client.api = new Proxy(fakeApi({}), {
    get: (_api, call) => () => Promise.reject(call === mistaken ? BUG : AWAY),
  })

  await expect(act()).rejects.toThrow(BUG)

  expect(takeToasts()).toEqual([])
})
