import type { endpoints } from '#contract/index.ts'

const banner = { _id: 'b1', image: '/b.webp', link: '/products', title: 'Sale', description: 'Today' }
const seller = {
  _id: 's1',
  image: '/s.webp',
  shopInfo: { shopName: 'Ada Shop', description: 'We play.', verified: true },
  verification: { verified: true },
  productCount: 1,
}
export const product = {
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
export const shippingInfo = {
  name: 'Ada',
  address: '12 Lane',
  phone: '1',
  post: '00100',
  province: 'Nairobi',
  city: 'Nairobi',
  area: 'West',
  country: 'Kenya',
}
export const order = {
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
  attachments: [{ type: 'image', url: '/kite.jpg', mimeType: 'image/jpeg', originalName: 'kite.jpg', size: 2048 }],
}
const session = { token: 't', isSafari: false, cookieFallback: false }
const said = { message: 'Done' }
const line = { _id: 'l1', quantity: 2, productInfo: product }
const sideLists = { latest_product: [[product]], topRated_product: [[product]], discount_product: [[product]] }

/** A response for each call with only the fields that every provider of this API sends. */
export const ANSWERS: Partial<Record<keyof typeof endpoints, object>> = {
  register: { ...session, ...said },
  login: { ...session, ...said },
  refreshToken: session,
  logout: {},
  getNotifications: {
    success: true,
    notifications: [
      {
        _id: 'n1',
        title: 'Hi',
        message: 'There',
        priority: 'high',
        createdAt: '2025-10-03T14:05:00.000Z',
        readBy: [{ userId: 'u1', userType: 'customers', readAt: '2025-10-03T15:05:00.000Z' }],
      },
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
