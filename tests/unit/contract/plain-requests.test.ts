import { expect, test } from 'vitest'
import { addToWishlist, wishFor } from '#contract/wishlist.ts'
import { placeOrder } from '#contract/orders.ts'
import { readNotification } from '#contract/notifications.ts'
import { submitReview } from '#contract/reviews.ts'
import { createApi } from '#lib/create-api.ts'
import { wantedGroups } from '#lib/cart/basket.ts'
import { cartLine } from '#tests/support/catalogue/shopping.ts'

/** What the storefront’s client sends, by path. */
const sent = new Map<string, unknown>()
const api = createApi({
  origin: 'https://shop.example',
  async fetch(request) {
    sent.set(new URL(request.url).pathname, await request.json())
    return Response.json({ message: 'Done', orderId: 'o1' })
  },
})
const { product } = cartLine('kite', { priceCents: 1999, discount: 10, rating: 4.5, images: ['/kite.webp'] })

test('a wish contains the product’s fields that every provider expects', async () => {
  await api.addToWishlist({ userId: 'ada', ...wishFor(product) })

  expect(sent.get(`/api${addToWishlist.path}`)).toEqual({
    userId: 'ada',
    productId: 'kite',
    name: 'kite',
    price: 19.99,
    image: '/kite.webp',
    discount: 10,
    rating: 4.5,
    slug: 'kite',
  })
})

test('a review contains the name of its author', async () => {
  await api.submitReview({ productId: 'kite', review: 'It flies', rating: 4, name: 'Ada' })

  expect(sent.get(`/api${submitReview.path}`)).toEqual({
    productId: 'kite',
    review: 'It flies',
    rating: 4,
    name: 'Ada',
  })
})

test('a notification is marked as read by a customer', async () => {
  await api.readNotification({ id: 'n1', userType: 'customers' })

  expect(sent.get(`/api${readNotification.path.replace(':id', 'n1')}`)).toEqual({ userType: 'customers' })
})

test('an order contains its items, shops and complete products', async () => {
  const shippingInfo = {
    name: 'Ada',
    address: '1',
    phone: '2',
    post: '3',
    province: '4',
    city: '5',
    area: '6',
    country: 'Kenya',
  }
  const groups = wantedGroups([{ lineId: 'l1', quantity: 2, product }])
  await api.placeOrder({ userId: 'ada', priceCents: 3798, items: 2, groups, shippingInfo })

  expect(sent.get(`/api${placeOrder.path}`)).toMatchObject({
    userId: 'ada',
    price: 37.98,
    items: 2,
    products: [
      {
        sellerId: 'shop',
        shopName: 'Ada Shop',
        price: 37.98,
        products: [{ _id: 'l1', quantity: 2, productInfo: { _id: 'kite', name: 'kite', price: 19.99, discount: 10 } }],
      },
    ],
    shippingInfo,
  })
})
