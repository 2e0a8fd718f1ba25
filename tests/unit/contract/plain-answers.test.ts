import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import type { Message } from '#contract/chat.ts'

type Name = keyof typeof endpoints

const banner = { _id: 'b1', image: '/b.webp', link: '/products', title: 'Sale', description: 'Today' }
const seller = {
  _id: 's1',
  image: '/s.webp',
  shopInfo: { shopName: 'Ada Shop', description: 'We play.', verified: true },
  verification: { verified: true },
  productCount: 1,
}
const product = {
  _id: 'p1',
  slug: 'train',
  name: 'Train',
  category: 'Toys',
  brand: 'Ada',
  price: 19.99,
  discount: 10,
  stock: 5,
  description: '',
  images: ['/p.webp'],
  rating: 4.5,
  sellerId: 's1',
  shopName: 'Ada Shop',
  isPromoted: false,
  banner,
}
const ordered = {
  quantity: 2,
  productInfo: {
    sellerId: 's1',
    shopName: 'Ada Shop',
    name: 'Train',
    brand: 'Ada',
    price: 19.99,
    discount: 10,
    images: ['/p.webp'],
  },
}
const shippingInfo = {
  name: 'Ada',
  address: '12 Lane',
  phone: '1',
  post: '00100',
  province: 'Nairobi',
  city: 'Nairobi',
  area: 'West',
  country: 'Kenya',
}
const order = {
  _id: 'o1',
  price: 42.98,
  payment_status: 'paid',
  shippingInfo,
  products: [{ sellerId: 's1', shopName: 'Ada Shop', price: 37.98, products: [ordered] }],
  userId: 'u1',
  items: 2,
  date: '2025-10-03T14:05:00Z',
}
const message = {
  _id: 'm1',
  senderId: 'u1',
  receverId: 's1',
  senderName: 'Ada',
  message: 'Hello',
  createdAt: '2025-10-03T14:05:00Z',
  status: 'delivered',
  attachments: [],
}
const session = { token: 't', isSafari: false, cookieFallback: false }
const said = { message: 'Done' }
const line = { _id: 'l1', quantity: 2, productInfo: product }
const sideLists = { latest_product: [[product]], topRated_product: [[product]], discount_product: [[product]] }

/** An answer of each call with the fields that every provider of this API gives, and no others. */
const ANSWERS: Partial<Record<Name, object>> = {
  register: { ...session, ...said },
  login: { ...session, ...said },
  refreshToken: session,
  logout: {},
  getNotifications: {
    success: true,
    notifications: [
      { _id: 'n1', title: 'Hi', message: 'There', priority: 'high', createdAt: '2025-10-03T14:05:00.000Z', readBy: [] },
    ],
  },
  readNotification: said,
  forgotPassword: said,
  resetPassword: said,
  getAccount: { currency: 'USD', shippingDetails: { country: 'Kenya' } },
  updateAccount: said,
  getCategories: { categorys: [{ name: 'Toys', image: '/c.webp' }] },
  getSellers: { sellers: [seller], totalSellers: 1 },
  getFeaturedSellers: { sellers: [seller] },
  getHomeProducts: { products: [product], ...sideLists },
  getProduct: { product, relatedProducts: [product], moreProducts: [product] },
  getPriceRange: { latest_product: [[product]], priceRange: { low: 0, high: 100 } },
  getBanners: { banners: [banner] },
  getPlatformBanners: { banners: [banner] },
  queryProducts: { products: [product], totalProduct: 1, parPage: 12 },
  getSellerProducts: { seller, products: [product], totalProducts: 1 },
  addToCart: said,
  getCart: {
    card_products: [{ shopName: 'Ada Shop', products: [line] }],
    price: 37.98,
    card_product_count: 4,
    outOfStockProduct: [line],
    buy_product_item: 2,
  },
  removeCartLine: said,
  increaseQuantity: said,
  decreaseQuantity: said,
  addToWishlist: said,
  getWishlist: {
    wishlists: [
      {
        _id: 'w1',
        productId: 'p1',
        name: 'Train',
        price: 19.99,
        image: '/p.webp',
        discount: 10,
        rating: 4.5,
        slug: 'train',
      },
    ],
    wishlistCount: 1,
  },
  removeFromWishlist: { ...said, wishlistId: 'w1' },
  submitReview: said,
  getReviews: {
    reviews: [{ name: 'Ada', review: 'Good', rating: 5, date: '2025-10-03' }],
    totalReview: 1,
    rating_review: [5, 4, 3, 2, 1].map(rating => ({ rating, sum: 0 })),
  },
  placeOrder: { orderId: 'o1' },
  getOrders: { orders: [order] },
  getOrder: { order, sellerOrders: [{ sellerId: 's1', delivery_status: 'Delivered' }] },
  getDashboard: { totalOrder: 1, pendingOrder: 0, cancelledOrder: 0, recentOrders: [order] },
  confirmOrder: {},
  confirmOrderAgain: {},
  getAiStatus: { isai: true },
  openConversation: {
    messages: [message],
    currentFd: { fdId: 's1', name: 'Ada Shop' },
    myFriends: [{ fdId: 's1', name: 'Ada Shop' }],
  },
  sendMessage: { message },
  sendFiles: { message },
  markSeen: {},
  deleteMessage: said,
  getTrainingData: { storeName: 'Ada Shop', products: [product] },
}
/** Calls that only this provider has. */
const OWN: Name[] = [
  'confirmEmail',
  'sendConfirmation',
  'getAvailability',
  'getOwnReview',
  'restoreCartLine',
  'acceptCartPrices',
  'cancelOrder',
  'startPayment',
  'getPayment',
  'getMessages',
  'getAiReply',
  'getRates',
  'getHealth',
  'getSitemapTotals',
  'getSitemapPage',
]

const read = (name: Name, answer: object = ANSWERS[name] ?? {}) =>
  z.decode(endpoints[name].output, JSON.parse(JSON.stringify(answer)) as never)

describe('an answer of another provider, with the least that the API names,', () => {
  test.each(Object.keys(ANSWERS) as Name[])('is understood: %s', name => {
    expect(() => read(name)).not.toThrow()
  })

  test('is here for each call that other providers have', () => {
    expect([...Object.keys(ANSWERS), ...OWN].toSorted()).toEqual(Object.keys(endpoints).toSorted())
  })
})

describe('what other providers leave out or call by another name', () => {
  test('a paid order is placed, any other one is pending and not paid', () => {
    const orders = [order, { ...order, payment_status: 'awaiting' }]

    expect(read('getOrders', { orders })).toMatchObject({
      orders: [
        { status: 'placed', paymentStatus: 'paid' },
        { status: 'pending', paymentStatus: 'unpaid' },
      ],
    })
  })

  test('the shipping of an order is its shipping fee', () => {
    expect(read('getOrder', { order: { ...order, shipping_fee: 5.5 }, sellerOrders: [] })).toMatchObject({
      order: { shippingCents: 550 },
    })
  })

  test("a seller's part of an order holds what the order says of it", () => {
    const { sellerOrders } = read('getOrder') as { sellerOrders: unknown[] }

    expect(sellerOrders).toMatchObject([
      { _id: 's1', shopName: 'Ada Shop', priceCents: 3798, deliveryStatus: 'Delivered', products: [{ quantity: 2 }] },
    ])
  })

  test.each([
    ['delivered', 'Delivered'],
    ['warehouse', 'Processing'],
  ])('a delivery that is %s is shown as %s', (said, shown) => {
    const answer = { order, sellerOrders: [{ sellerId: 's1', delivery_status: said }] }

    expect(read('getOrder', answer)).toMatchObject({ sellerOrders: [{ deliveryStatus: shown }] })
  })

  test('a message that is neither sent nor seen is sent, by a person and without a number', () => {
    const { message: read_ } = read('sendMessage') as { message: Message }

    expect(read_).toMatchObject({ status: 'sent', isAutomated: false, seq: 0 })
  })

  test('a shop in the cart is the one of its products', () => {
    expect(read('getCart')).toMatchObject({ groups: [{ sellerId: 's1' }] })
  })

  test('pages of sellers and of their products have the usual length', () => {
    expect(read('getSellers')).toMatchObject({ pageSize: 4 })
    expect(read('getSellerProducts')).toMatchObject({ pageSize: 12 })
  })

  test('the address of an order may say postal', () => {
    const { post, ...rest } = shippingInfo
    const answer = { order: { ...order, shippingInfo: { ...rest, postal: post } }, sellerOrders: [] }

    expect(read('getOrder', answer)).toMatchObject({ order: { shippingInfo: { post: '00100' } } })
  })
})
