import type { ReadableAtom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cartOf } from '#contract/cart-sums.ts'
import { events } from '#contract/realtime.ts'
import type { Api } from '#lib/api.ts'
import { $account } from '#stores/accounts/account.ts'
import { $cart, $cartCount } from '#stores/cart/cart.ts'
import { $basket } from '#stores/cart/basket.ts'
import { client } from '#stores/client.ts'
import { $destination } from '#stores/catalogue/destination.ts'
import { $isEmailConfirmed } from '#stores/accounts/email-confirmed.ts'
import { $notifications, $unreadCount } from '#stores/notifications/notifications.ts'
import { $order, $orders, $overview, loadOrder } from '#stores/orders/orders.ts'
import { $paying, $toPay, loadPayment } from '#stores/payments/payment.ts'
import { handleEvent } from '#stores/realtime.ts'
import { $returns, loadReturns } from '#stores/returns/returns.ts'
import { $isConnected } from '#stores/socket-events.ts'
import { $customerToken } from '#stores/accounts/tokens.ts'
import { $wishlist, $wishlistCount } from '#stores/cart/wishlist.ts'
import { fakeApi } from '#tests/support/fakes/fake-api.ts'
import { unpaidOrder } from '#tests/support/payments/paying.ts'
import { cartLine, tokenOf } from '#tests/support/catalogue/shopping.ts'
import { stubPage } from '#tests/support/browser/tab-page.ts'

const HALF_MINUTE = 30_000
const ORDER = { order: unpaidOrder({ paymentStatus: 'paid', status: 'placed' }), sellerOrders: [] }
const ACCOUNT = { country: '', currency: 'USD', shippingDetails: {} }

let page: ReturnType<typeof stubPage>
let asked: string[]
let stops: (() => void)[]

/** Takes the calls that the server has received since the last time. */
async function questions(): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(0)
  return asked.splice(0)
}

/** Mounts the store as a page does. */
function show(store: ReadableAtom): () => void {
  const stop = store.listen(() => undefined)
  stops.push(stop)
  return stop
}

function answering(answers: Partial<Record<keyof Api, unknown>>): Api {
  const calls = Object.entries(answers).map(([name, answer]) => [
    name,
    () => {
      asked.push(name)
      return Promise.resolve(answer)
    },
  ])
  return fakeApi(Object.fromEntries(calls) as Partial<Api>)
}

beforeEach(() => {
  vi.useFakeTimers()
  page = stubPage()
  vi.stubGlobal('location', { search: '?buy=kite&quantity=2' })
  asked = []
  stops = []
  client.api = answering({
    getDashboard: { orderCount: 0, pendingCount: 0, cancelledCount: 0, recentOrders: [] },
    getOrders: { orders: [] },
    getOrder: ORDER,
    getReturns: { available: [], returns: [] },
    getNotifications: { success: true, notifications: [] },
    getCart: cartOf([]),
    getWishlist: { items: [], count: 0 },
    getAccount: ACCOUNT,
    getProduct: { product: cartLine('kite').product },
  })
  $customerToken.set(tokenOf('ada'))
})
afterEach(() => {
  for (const stop of stops) stop()
  // A store stays mounted for a second after its last listener.
  vi.advanceTimersByTime(2000)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

interface Shown {
  store: ReadableAtom
  /** The call that is repeated. */
  call: keyof Api
  /** The topic under which other tabs announce a change. */
  topic?: string
  /** It loads as soon as it is mounted. */
  isAskedAtOnce: boolean
  /** It changes without this browser’s doing, so it is polled every half minute. */
  isPolled: boolean
  open?: () => Promise<void>
}

const SHOWN: Record<string, Shown> = {
  overview: { store: $overview, call: 'getDashboard', topic: 'orders', isAskedAtOnce: true, isPolled: true },
  'list of orders': { store: $orders, call: 'getOrders', topic: 'orders', isAskedAtOnce: false, isPolled: true },
  order: {
    store: $order,
    call: 'getOrder',
    topic: 'orders',
    isAskedAtOnce: false,
    isPolled: true,
    open: () => loadOrder('o1'),
  },
  'order to pay': {
    store: $toPay,
    call: 'getOrder',
    topic: 'orders',
    isAskedAtOnce: false,
    isPolled: true,
    open: () => loadPayment('o1'),
  },
  'list of notifications': {
    store: $notifications,
    call: 'getNotifications',
    topic: 'notifications',
    isAskedAtOnce: true,
    isPolled: true,
  },
  'number of unread notifications': {
    store: $unreadCount,
    call: 'getNotifications',
    topic: 'notifications',
    isAskedAtOnce: true,
    isPolled: true,
  },
  cart: { store: $cart, call: 'getCart', topic: 'cart', isAskedAtOnce: true, isPolled: false },
  'number in the cart': { store: $cartCount, call: 'getCart', topic: 'cart', isAskedAtOnce: true, isPolled: false },
  wishlist: { store: $wishlist, call: 'getWishlist', topic: 'wishlist', isAskedAtOnce: true, isPolled: false },
  'number on the wishlist': {
    store: $wishlistCount,
    call: 'getWishlist',
    topic: 'wishlist',
    isAskedAtOnce: true,
    isPolled: false,
  },
  account: { store: $account, call: 'getAccount', topic: 'account', isAskedAtOnce: true, isPolled: false },
  'country that parcels go to': {
    store: $destination,
    call: 'getAccount',
    topic: 'account',
    isAskedAtOnce: true,
    isPolled: false,
  },
  'state of the email address': {
    store: $isEmailConfirmed,
    call: 'getAccount',
    isAskedAtOnce: true,
    isPolled: false,
  },
}

describe.each(Object.entries(SHOWN))('the %s', (_name, { store, call, topic, isAskedAtOnce, isPolled, open }) => {
  const once = [call]
  const never: string[] = []

  test('is loaded while it is mounted, and no longer', async () => {
    await open?.()
    await questions()
    const stop = show(store)
    expect(await questions()).toEqual(isAskedAtOnce ? once : never)

    $customerToken.set(tokenOf('grace'))
    expect(await questions()).toEqual(once)
    page.announce(topic ?? 'chat')
    expect(await questions()).toEqual(topic ? once : never)
    page.announce('somethingElse')
    expect(await questions()).toEqual(never)
    await vi.advanceTimersByTimeAsync(HALF_MINUTE)
    expect(await questions()).toEqual(isPolled ? once : never)

    stop()
    await vi.advanceTimersByTimeAsync(2000)
    $customerToken.set(tokenOf('ada'))
    page.announce(topic ?? 'chat')
    await vi.advanceTimersByTimeAsync(HALF_MINUTE)
    expect(await questions()).toEqual(never)
  })

  test('is not loaded during server rendering', async () => {
    await open?.()
    await questions()
    vi.stubGlobal('document', undefined)

    show(store)

    expect(await questions()).toEqual(never)
  })
})

test('notifications are loaded when one is announced, and when the connection is back', async () => {
  show($notifications)
  await questions()

  handleEvent(events.notification, { id: 'n1' })
  expect(await questions()).toEqual(['getNotifications'])
  $isConnected.set(true)
  expect(await questions()).toEqual(['getNotifications'])
  $isConnected.set(false)
  expect(await questions()).toEqual([])
})

test('an open order and its returns are loaded when a notification is announced', async () => {
  await Promise.all([loadOrder('o1'), loadReturns('o1')])
  show($order)
  show($returns)
  await questions()

  handleEvent(events.notification, { id: 'n1' })

  expect((await questions()).toSorted()).toEqual(['getOrder', 'getReturns'])
})

test('a Buy Now product is loaded with the cart, at its current price', async () => {
  const isAsked = async () => (await questions()).includes('getProduct')
  const stop = show($basket)
  expect(await isAsked()).toBe(true)

  page.announce('cart')
  expect(await isAsked()).toBe(true)
  expect($basket.get()).toMatchObject({ state: 'ready', lines: [{ quantity: 2, product: { slug: 'kite' } }] })

  stop()
  await vi.advanceTimersByTimeAsync(2000)
  page.announce('cart')
  expect(await isAsked()).toBe(false)
})

test('a page restored by Back is no longer paying', () => {
  const stop = show($toPay)
  $paying.set({ state: 'asking' })

  page.show(false)
  expect($paying.get().state).toBe('asking')
  page.show(true)
  expect($paying.get().state).toBe('idle')

  stop()
  vi.advanceTimersByTime(2000)
  $paying.set({ state: 'asking' })
  page.show(true)
  expect($paying.get().state).toBe('asking')
  $paying.set({ state: 'idle' })
})
