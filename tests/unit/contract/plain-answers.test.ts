import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/index.ts'
import type { Message } from '#contract/chat.ts'
import { ANSWERS, order, product, shippingInfo } from '#tests/support/contract/plain-answers.ts'

type Name = keyof typeof endpoints

/** Calls that only this provider has. */
const OWN: Name[] = [
  'confirmEmail',
  'sendConfirmation',
  'getProfile',
  'changeName',
  'changeEmail',
  'keepEmail',
  'changePassword',
  'requestData',
  'deleteAccount',
  'keepAccount',
  'getSessions',
  'endSession',
  'endOtherSessions',
  'getAvailability',
  'getSuggestions',
  'setQuantity',
  'getSavedLines',
  'saveForLater',
  'moveToCart',
  'removeSavedLine',
  'getAlerts',
  'addAlert',
  'removeAlert',
  'endAlerts',
  'getAddresses',
  'addAddress',
  'changeAddress',
  'removeAddress',
  'makeDefaultAddress',
  'getUnpaidOrders',
  'putBackOrder',
  'orderAgain',
  'getReturns',
  'requestReturn',
  'addReturnPictures',
  'addReviewPictures',
  'withdrawReturn',
  'sendReturnBack',
  'escalateReturn',
  'countProducts',
  'getOwnReview',
  'restoreCartLine',
  'changeCartVariant',
  'acceptCartPrices',
  'cancelOrder',
  'receiveParcel',
  'getReceipt',
  'voteReview',
  'reportReview',
  'trackOrder',
  'endTracking',
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

describe('a minimal response of another provider', () => {
  test.each(Object.keys(ANSWERS) as Name[])('is decoded: %s', name => {
    expect(() => read(name)).not.toThrow()
  })

  test('is tested here for each call that other providers have', () => {
    expect([...Object.keys(ANSWERS), ...OWN].toSorted()).toEqual(Object.keys(endpoints).toSorted())
  })
})

describe('responses of other providers', () => {
  test('a paid order is placed, any other order is pending and unpaid', () => {
    const orders = [order, { ...order, payment_status: 'awaiting' }]

    expect(read('getOrders', { orders })).toMatchObject({
      orders: [
        { status: 'placed', paymentStatus: 'paid' },
        { status: 'pending', paymentStatus: 'unpaid' },
      ],
    })
  })

  test('the shipping fee of an order is its shipping', () => {
    expect(read('getOrder', { order: { ...order, shipping_fee: 5.5 }, sellerOrders: [] })).toMatchObject({
      order: { shippingCents: 550 },
    })
  })

  test('a seller’s part of an order is completed from the order', () => {
    const { sellerOrders } = read('getOrder') as { sellerOrders: unknown[] }

    expect(sellerOrders).toMatchObject([
      { _id: 's1', shopName: 'Ada Shop', priceCents: 3798, deliveryStatus: 'Delivered', products: [{ quantity: 2 }] },
    ])
  })

  test.each([
    ['delivered', 'Delivered'],
    ['warehouse', 'Processing'],
  ])('a delivery with the status %s is shown as %s', (said, shown) => {
    const answer = { order, sellerOrders: [{ sellerId: 's1', delivery_status: said }] }

    expect(read('getOrder', answer)).toMatchObject({ sellerOrders: [{ deliveryStatus: shown }] })
  })

  test('a message with an unknown status is sent, not automated, and unnumbered', () => {
    const { message: read_ } = read('sendMessage') as { message: Message }

    expect(read_).toMatchObject({ status: 'sent', isAutomated: false, seq: 0 })
  })

  test('a shop in the cart is completed from its products, which are not gone', () => {
    expect(read('getCart')).toMatchObject({
      groups: [{ sellerId: 's1', products: [{ isGone: false }] }],
      outOfStock: [{ isGone: false }],
    })
  })

  test.each([
    [{ shopName: 'Ada Shop', products: [] }],
    [{ shopName: 'Ada Shop' }],
    [{ products: [{}] }],
    [[]],
    [null],
    ['s1'],
  ])('an invalid shop in the cart, %j, is rejected without throwing', group => {
    const { error } = z.safeDecode(endpoints.getCart.output, {
      ...(ANSWERS.getCart as z.input<typeof endpoints.getCart.output>),
      card_products: [group as never],
    })

    expect(error?.issues.length).toBeGreaterThan(0)
  })

  test('an empty account is decoded with empty fields, in dollars', () => {
    const lines = { name: '', address: '', phone: '', postal: '', province: '', city: '', area: '', country: '' }

    expect(read('getAccount', {})).toEqual({ country: '', currency: 'USD', shippingDetails: lines })
    expect(read('getAccount', { shippingDetails: {} })).toMatchObject({ shippingDetails: lines })
  })

  test('a product is not promoted, has no ratings or variants, and ships nowhere by default', () => {
    const { isPromoted, ...plain } = product

    expect(read('getProduct', { product: plain, relatedProducts: [], moreProducts: [] })).toMatchObject({
      product: { isPromoted: false, ratingCount: 0, variants: [], shippingPrices: {} },
    })
  })

  test('an ordered product needs only its name and price', () => {
    const { order } = read('getOrder') as { order: { groups: { products: { productInfo: object }[] }[] } }

    expect(order.groups[0]?.products[0]?.productInfo).toMatchObject({
      _id: '',
      slug: '',
      category: '',
      stock: 0,
      description: '',
      rating: 0,
    })
  })

  test('each part of an order belongs to its own seller; an unknown seller is rejected', () => {
    const groups = ['s1', 's2'].map(sellerId => ({ ...order.products[0], sellerId, shopName: `Shop ${sellerId}` }))
    const sellerOrders = ['s2', 's1'].map(sellerId => ({ sellerId, delivery_status: 'Pending' }))

    expect(read('getOrder', { order: { ...order, products: groups }, sellerOrders })).toMatchObject({
      sellerOrders: [{ shopName: 'Shop s2' }, { shopName: 'Shop s1' }],
    })
    expect(() => read('getOrder', { sellerOrders: [{ sellerId: 's1' }] })).toThrow(z.core.$ZodError)
  })

  test('a saved product can be bought unless the provider says that it is out of stock', () => {
    expect(read('getWishlist')).toMatchObject({ items: [{ stock: 1 }] })
  })

  test('a review without an id gets one from its day and author', () => {
    expect(read('getReviews')).toMatchObject({ reviews: [{ _id: '2025-10-03 Ada' }] })
  })

  test('pages of sellers and of their products have default sizes', () => {
    expect(read('getSellers')).toMatchObject({ pageSize: 4 })
    expect(read('getSellerProducts')).toMatchObject({ pageSize: 12 })
  })

  test('the address of an order may use the field postal', () => {
    const { post, ...rest } = shippingInfo
    const answer = { order: { ...order, shippingInfo: { ...rest, postal: post } }, sellerOrders: [] }

    expect(read('getOrder', answer)).toMatchObject({ order: { shippingInfo: { post: '00100' } } })
  })
})
