import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { categories, platformBanners, products } from '#server/db/schema.ts'
import { notify } from '#server/notifications/notifications.ts'
import { addProduct, addReview, addSeller, picture, setVariants } from '#tests/support/catalogue/catalogue.ts'
import { startProvider } from '#tests/support/provider/provider.ts'

const { db, request, customer, close } = await startProvider()
afterAll(close)

const stored = picture('wire')
const image = `/media/${stored.hash}/640.webp`
const banner = { title: 'Sale', description: 'Today', link: '/products', picture: stored }
await db.insert(categories).values({ name: 'Trains', picture: stored })
await db.insert(platformBanners).values({ id: 'top', position: 1, ...banner })
const seller = await addSeller(db, {
  shopName: 'Ada Shop',
  description: 'We play.',
  picture: stored,
  banner,
  isVerified: true,
  hasAi: true,
  shippingRates: { Kenya: 550 },
})
const train = await addProduct(db, {
  category: 'Trains',
  sellerId: seller.id,
  slug: 'train',
  discount: 10,
  rating: 4.5,
  ratingCount: 1,
  pictures: [stored],
})
const REVIEWED_AT = '2025-01-02T03:04:05.000Z'
const WRITTEN = { name: 'Grace', review: 'Runs on time.', rating: 5 }
const review = await addReview(db, train.id, { ...WRITTEN, createdAt: new Date(REVIEWED_AT) })

async function get(path: string) {
  const answer = await request(`/api${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return (await answer.json()) as Record<string, unknown>
}

const product = {
  _id: train.id,
  slug: 'train',
  name: 'Wooden train',
  category: 'Trains',
  brand: 'Ada',
  price: 19.99,
  discount: 10,
  stock: 5,
  description: '',
  images: [image],
  rating: 4.5,
  ratingCount: 1,
  sellerId: seller.id,
  shopName: 'Ada Shop',
  isPromoted: false,
  banner: null,
  shippingPrices: { Kenya: 5.5 },
  highestPrice: 18.99,
  variantCount: 1,
  colourCount: 0,
  variants: [],
}
const shop = {
  _id: seller.id,
  image,
  shopInfo: { shopName: 'Ada Shop', description: 'We play.', verified: true },
  verification: { verified: true },
  productCount: 1,
  rating: 0,
  ratingCount: 1,
  replyHours: null,
}
const shopCard = { image, isVerified: true, rating: 0, replyHours: null }
const knownShop = expect.objectContaining(shop) as object
const facets = expect.objectContaining({ inStock: 1, priceRange: { low: 18.99, high: 19, end: 19 } }) as object
const latest = { latest_product: [[product]], priceRange: { low: 18, high: 19 }, destinations: ['Kenya'] }
const plain = (_id: string) => ({ _id, title: '', options: {}, sku: '' })
const ADDRESS = {
  name: 'Ada',
  address: '1 Main Road',
  phone: '+254 700 000000',
  postal: '00100',
  province: 'Nairobi',
  city: 'Nairobi',
  area: 'Karen',
  country: 'Kenya',
}

describe('the response of the API', () => {
  test.each<[string, object]>([
    ['/home/get-categorys', { categorys: [{ name: 'Trains', image, productCount: 1 }] }],
    ['/home/sellers?verified=true&featured=false&page=1', { sellers: [shop], totalSellers: 1, parPage: 4 }],
    ['/home/sellers?parPage=12', { sellers: [shop], totalSellers: 1, parPage: 12 }],
    ['/home/featured-sellers', { sellers: [shop] }],
    [
      '/home/get-products',
      {
        products: [product],
        latest_product: [[product]],
        topRated_product: [[product]],
        discount_product: [[product]],
      },
    ],
    ['/home/get-product/train', { product, shop: shopCard, relatedProducts: [], moreProducts: [] }],
    [`/home/get-product/${train.id}`, { product, shop: shopCard, relatedProducts: [], moreProducts: [] }],
    ['/home/get-availability/train', { stock: 5, variants: [] }],
    ['/home/price-range-latest-product', latest],
    ['/banners', { banners: [{ _id: seller.id, image, title: 'Sale', description: 'Today', link: '/products' }] }],
    ['/platform/banners', { banners: [{ _id: 'top', image, title: 'Sale', description: 'Today', link: '/products' }] }],
    [
      '/home/query-products?category=Trains&rating=4&lowPrice=1&highPrice=20&sortPrice=low-to-high&pageNumber=1&searchValue=train',
      { products: [product], totalProduct: 1, parPage: 12, filters: [], isPartial: false, isUnrelated: false, facets },
    ],
    [
      `/home/get-products-by-seller?sellerId=${seller.id}&page=1`,
      { seller: knownShop, products: [product], totalProducts: 1, parPage: 12, filters: [] },
    ],
    [
      `/home/customer/get-reviews/${train.id}?pageNo=1`,
      {
        reviews: [{ ...WRITTEN, _id: review.id, date: REVIEWED_AT, verifiedBuyer: false, helpful: 0, pictures: [] }],
        totalReview: 1,
        rating_review: [5, 4, 3, 2, 1].map(rating => ({ rating, sum: rating === 5 ? 1 : 0 })),
      },
    ],
    ['/rates', { base: 'USD', rates: { USD: 1 } }],
  ])('%s uses the legacy field names', async (path, body) => {
    expect(await get(path)).toEqual(body)
  })

  test('to a request for training data has the store’s name and public fields', async () => {
    const { storeName, products } = await get(`/home/store/training-data/${seller.id}`)

    expect(storeName).toBe('Ada Shop')
    expect(products).toEqual([
      {
        _id: train.id,
        slug: 'train',
        name: 'Wooden train',
        category: 'Trains',
        brand: 'Ada',
        price: 19.99,
        discount: 10,
        stock: 5,
        description: '',
        rating: 4.5,
      },
    ])
  })

  test('with an account has the fields of the account form', async () => {
    const { token } = await customer()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const form = { country: 'Kenya', currency: 'KES', shippingDetails: ADDRESS }

    const updated = await request('/api/account/update-info', { method: 'PUT', headers, body: JSON.stringify(form) })
    expect(await updated.json()).toEqual({ message: 'Account updated successfully' })
    const read = await request('/api/account/get-details', { headers })
    expect(await read.json()).toEqual({ ...form, emailConfirmed: true })
  })

  test('with a cart or wishlist uses the legacy field names', async () => {
    const { id, token, api } = await customer()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      request(`/api/home/product/${path}`, { method: 'POST', headers, body: JSON.stringify({ userId: id, ...body }) })
    const lamp = await addProduct(db, { sellerId: seller.id, stock: 3, priceCents: 500 })

    const added = await post('add-to-card', { productId: train.id, quantity: 2 })
    expect([added.status, await added.json()]).toEqual([201, { message: 'Added to cart' }])
    await post('add-to-card', { productId: lamp.id, quantity: 3 })
    await setVariants(db, lamp, { stock: 1 })
    const wished = await post('add-to-wishlist', { productId: train.id })
    expect([wished.status, await wished.json()]).toEqual([201, { message: 'Added to wishlist' }])

    const cart = await request(`/api/home/product/get-card-product/${id}`, { headers })
    const line = { _id: expect.any(String), noLongerSold: false }
    const shortened = expect.objectContaining({ _id: lamp.id, stock: 1, price: 5 })
    const short = { productInfo: shortened, products: [shortened], variant: plain(lamp.variantId) }
    expect(await cart.json()).toEqual({
      card_products: [
        {
          sellerId: seller.id,
          shopName: 'Ada Shop',
          products: [
            { ...line, quantity: 2, productInfo: product, priceWhenAdded: 18.99, variant: plain(train.variantId) },
          ],
        },
      ],
      outOfStockProduct: [{ ...line, ...short, quantity: 3, priceWhenAdded: 5 }],
      card_product_count: 5,
      buy_product_item: 2,
      price: 37.98,
      shipping_fee: 0,
    })
    await api.updateAccount({ country: 'Kenya', currency: 'KES', shippingDetails: ADDRESS })
    const toKenya = await request(`/api/home/product/get-card-product/${id}`, { headers })
    expect(await toKenya.json()).toMatchObject({ price: 37.98, shipping_fee: 5.5 })
    const wishlist = await request(`/api/home/product/get-wishlist-products/${id}`, { headers })
    expect(await wishlist.json()).toEqual({
      wishlists: [
        {
          _id: expect.any(String),
          productId: train.id,
          name: 'Wooden train',
          price: 19.99,
          image,
          discount: 10,
          rating: 4.5,
          slug: 'train',
          stock: 5,
          highestPrice: 18.99,
          variantCount: 1,
          sellerId: seller.id,
          shopName: 'Ada Shop',
        },
      ],
      wishlistCount: 1,
    })
    await db.delete(products).where(eq(products.id, lamp.id))
  })

  test('with notifications lists who has read each of them', async () => {
    const { id, token } = await customer()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    await notify(db, { userId: id, title: 'Sale', message: 'Today', priority: 'low', link: '/products' })
    const list = async () => {
      const answer = await request('/api/customer/notifications', { headers })
      return (await answer.json()) as { success: boolean; notifications: { _id: string }[] }
    }
    const shown = {
      _id: expect.any(String),
      title: 'Sale',
      message: 'Today',
      priority: 'low',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      link: '/products',
    }

    const { success, notifications } = await list()
    expect({ success, notifications }).toEqual({ success: true, notifications: [{ ...shown, readBy: [] }] })
    const body = JSON.stringify({ userType: 'admins' })
    const path = `/api/customer/notifications/${notifications[0]?._id}/read`
    const read = await request(path, { method: 'PUT', headers, body })
    expect([read.status, await read.json()]).toEqual([200, { message: 'Notification marked as read' }])
    const readBy = [{ userId: id, userType: 'customers', readAt: expect.any(String) }]
    expect((await list()).notifications).toEqual([{ ...shown, readBy }])
  })

  test('with side lists has groups of three products', async () => {
    for (let number = 0; number < 4; number += 1) await addProduct(db, { sellerId: seller.id, category: 'Trains' })

    const { latest_product: groups } = await get('/home/get-products')

    expect((groups as unknown[][]).map(group => group.length)).toEqual([3, 2])
  })

  test('of the health check names the database', async () => {
    expect(Object.keys(await get('/health'))).toEqual(['status', 'database', 'durability'])
  })

  test('to invalid input has an error message and the invalid fields', async () => {
    const answer = await request('/api/home/query-products?pageNumber=0&rating=6')

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: 'rating must be a whole number from 1 to 5',
      fields: {
        rating: 'rating must be a whole number from 1 to 5',
        pageNumber: 'pageNumber must be a whole number from 1 to 1000000000',
      },
    })
  })

  test('for a missing product has an error message without fields', async () => {
    const answer = await request('/api/home/get-product/nothing')

    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: 'Product not found' })
  })

  test('at an unknown path is 404 with an error message', async () => {
    for (const path of ['/api', '/api/home', '/api/home/get-categories', '/nothing']) {
      const answer = await request(path)
      expect([path, answer.status, await answer.json()]).toEqual([path, 404, { error: expect.any(String) }])
    }
  })
})
