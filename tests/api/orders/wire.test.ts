import { afterAll, expect, test } from 'vitest'
import { addShippable, KENYA, orderOf } from '#tests/support/provider/ordering.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, request, customer, close } = await startProvider()
afterAll(close)

test('the order API uses the legacy spellings such as palce-order and gat-orders', async () => {
  const { id: userId, token } = await customer()
  const train = await addShippable(db, { discount: 10, shippingPrices: { Kenya: 550 } })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'one' }
  const place = (price: number) =>
    request('/api/home/order/palce-order', {
      method: 'POST',
      headers,
      body: JSON.stringify({
        price,
        products: [
          {
            sellerId: train.sellerId,
            shopName: 7,
            price: 'free',
            products: [{ quantity: 2, productInfo: { _id: train.id, price: 1 } }],
          },
        ],
        shippingInfo: KENYA,
        userId,
        items: 'one',
      }),
    })
  const read = async (path: string) => (await request(`/api${path}`, { headers })).json()

  const refused = await place(1)
  expect(refused.status).toBe(422)
  expect(await refused.json()).toEqual({
    error: 'The price has changed',
    code: 'PRICE_CHANGED',
    summary: { itemsPrice: 37.98, shippingPrice: 5.5, price: 43.48 },
  })
  const placed = await place(43.48)
  expect(placed.status).toBe(201)
  const { orderId } = (await placed.json()) as { orderId: string }
  expect(await (await place(43.48)).json()).toEqual({ orderId })

  const { number } = ((await read(`/home/customer/gat-order/${orderId}`)) as { order: { number: string } }).order
  const part = { sellerId: train.sellerId, shopName: 'Ada Shop', delivery_status: 'Pending' }
  const head = {
    _id: orderId,
    number,
    price: 43.48,
    payment_status: 'unpaid',
    status: 'pending',
    items: 2,
    delivery_status: 'Pending',
  }
  const summary = { ...head, parts: [{ ...part, products: [{ name: 'Wooden train' }] }] }
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string
  expect(await read(`/home/customer/gat-orders/${userId}/pending`)).toEqual({ orders: [{ ...summary, date }] })
  expect(await read(`/home/customer/gat-dashboard-data/${userId}`)).toEqual({
    totalOrder: 1,
    pendingOrder: 1,
    cancelledOrder: 0,
    recentOrders: [{ ...summary, date }],
  })
  const snapshot = {
    _id: train.id,
    slug: train.slug,
    name: 'Wooden train',
    category: 'Toys',
    brand: 'Ada',
    price: 19.99,
    discount: 10,
    stock: 0,
    description: '',
    images: [],
    rating: 0,
    ratingCount: 0,
    sellerId: train.sellerId,
    shopName: 'Ada Shop',
    isPromoted: false,
    banner: null,
    shippingPrices: {},
    variantCount: 1,
    colourCount: 0,
    variants: [],
  }
  const group = { sellerId: train.sellerId, shopName: 'Ada Shop', price: 43.48 }
  const variant = { _id: train.variantId, title: '', options: {}, sku: '' }
  const products = [{ quantity: 2, productInfo: snapshot, variant }]
  expect(await read(`/home/customer/gat-order/${orderId}`)).toEqual({
    order: {
      ...head,
      secondsLeft: expect.any(Number),
      refunded_amount: 0,
      userId,
      date,
      shippingPrice: 5.5,
      shipping_fee: 5.5,
      shippingInfo: KENYA,
      products: [{ ...group, products }],
      timeline: [{ at: date, text: 'Order received' }],
      refunds: [],
    },
    sellerOrders: [
      {
        _id: expect.any(String),
        ...group,
        delivery_status: 'Pending',
        products,
        parcels: [],
        unsent: products,
        cancelled: [],
      },
    ],
  })
  const cancelled = await request(`/api/home/order/cancel/${orderId}`, { method: 'PUT', headers })
  expect(await cancelled.json()).toEqual({ message: 'Your order is cancelled' })
  expect(await read(`/home/customer/gat-orders/${userId}/all`)).toMatchObject({
    orders: [{ status: 'cancelled', delivery_status: 'Cancelled' }],
  })
})

test('the payment API returns the fields that Flutterwave’s modal needs', async () => {
  const { id: userId, name, email, token, api } = await customer()
  const { orderId } = await api.placeOrder(orderOf(userId, [await addShippable(db)]))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ orderId })

  const begun = await request('/api/payment/attempts', { method: 'POST', headers, body })

  expect(begun.status).toBe(200)
  const attempt = (await begun.json()) as { clientSecret: string }
  expect(attempt).toEqual({
    provider: 'sandbox',
    publicKey: 'sandbox',
    scriptUrl: '/api/payment/sandbox/checkout.js',
    tx_ref: expect.stringMatching(/^[0-9a-f]{32}$/),
    clientSecret: expect.any(String),
    amount: 24.99,
    currency: 'USD',
    options: 'card, mobilemoney, ussd',
    customer: { email, phone_number: KENYA.phone, name },
    title: 'Payment for Order',
    redirectUrl: `/order/confirm?payment_intent_client_secret=${attempt.clientSecret}`,
    movesMoney: false,
  })
  const asked = await request(`/api/payment/attempts/${attempt.clientSecret}`, { headers })
  expect(await asked.json()).toEqual({ status: 'open', orderId })
  for (const path of ['/api/order/confirm', '/api/api/order/confirm']) {
    const confirmed = await request(`${path}/${orderId}`, { headers })
    expect(await confirmed.json()).toEqual({ message: 'Your order is not paid yet', payment_status: 'unpaid' })
  }
})
