import type { endpoints } from '#contract/index.ts'
import type { Api } from '#lib/api.ts'
import { type addShippable, orderOf } from './ordering.ts'
import { returnOf } from './returning.ts'

/** The smallest picture. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export type Name = keyof typeof endpoints

/** Grace’s data, which other customers must not reach. */
export interface Hers {
  userId: string
  lineId: string
  itemId: string
  savedId: string
  alertId: string
  addressId: string
  productId: string
  orderId: string
  parcelId: string
  clientSecret: string
  notificationId: string
  sellerId: string
  messageId: string
  sessionId: string
  returnId: string
  /** Anybody may order it. */
  toy: Awaited<ReturnType<typeof addShippable>>
}

const ADDRESS = {
  name: 'M',
  address: 'M',
  phone: '1',
  postal: '1',
  province: 'M',
  city: 'M',
  area: 'M',
  country: 'Kenya',
}

/**
 * Who may call what. `public`: anybody, with any bearer token or none. `own`: names no data and
 * concerns only the signed-in customer. A function returns what another customer sends to reach
 * Grace’s data; the provider must answer 404.
 */
export const CALLS: { [Call in Name]: 'public' | 'own' | ((hers: Hers) => Parameters<Api[Call]>[0]) } = {
  getCategories: 'public',
  getSellers: 'public',
  getFeaturedSellers: 'public',
  getHomeProducts: 'public',
  getProduct: 'public',
  getAvailability: 'public',
  getPriceRange: 'public',
  queryProducts: 'public',
  countProducts: 'public',
  getSellerProducts: 'public',
  getSuggestions: 'public',
  getTrainingData: 'public',
  getBanners: 'public',
  getPlatformBanners: 'public',
  getReviews: 'public',
  submitReview: 'own',
  addReviewPictures: 'own',
  getOwnReview: 'own',
  voteReview: 'own',
  reportReview: 'own',
  register: 'public',
  login: 'public',
  refreshToken: 'public',
  logout: 'own',
  confirmEmail: 'public',
  sendConfirmation: 'own',
  forgotPassword: 'public',
  resetPassword: 'public',
  getAccount: 'own',
  updateAccount: 'own',
  getAddresses: 'own',
  addAddress: 'own',
  changeAddress: ({ addressId }) => ({ addressId, label: 'Mine', shippingDetails: ADDRESS }),
  removeAddress: ({ addressId }) => ({ addressId }),
  makeDefaultAddress: ({ addressId }) => ({ addressId }),
  getProfile: 'own',
  changeName: 'own',
  changeEmail: 'own',
  keepEmail: 'own',
  changePassword: 'own',
  requestData: 'own',
  deleteAccount: 'own',
  keepAccount: 'own',
  getSessions: 'own',
  endSession: ({ sessionId }) => ({ sessionId }),
  endOtherSessions: 'own',
  addToCart: ({ userId, productId }) => ({ userId, productId, quantity: 1 }),
  getCart: ({ userId }) => ({ userId }),
  removeCartLine: ({ lineId }) => ({ lineId }),
  restoreCartLine: ({ lineId }) => ({ lineId }),
  increaseQuantity: ({ lineId }) => ({ lineId }),
  decreaseQuantity: ({ lineId }) => ({ lineId }),
  setQuantity: ({ lineId }) => ({ lineId, quantity: 1 }),
  changeCartVariant: ({ lineId, toy }) => ({ lineId, variantId: toy.variantId }),
  acceptCartPrices: ({ userId }) => ({ userId }),
  getSavedLines: ({ userId }) => ({ userId }),
  saveForLater: ({ lineId }) => ({ lineId }),
  moveToCart: ({ savedId }) => ({ savedId }),
  removeSavedLine: ({ savedId }) => ({ savedId }),
  addToWishlist: ({ userId, productId }) => ({ userId, productId }),
  getWishlist: ({ userId }) => ({ userId }),
  removeFromWishlist: ({ itemId }) => ({ itemId }),
  getAlerts: ({ userId }) => ({ userId }),
  addAlert: 'own',
  removeAlert: ({ alertId }) => ({ alertId }),
  endAlerts: 'public',
  placeOrder: ({ userId, toy }) => orderOf(userId, [toy]),
  getOrders: ({ userId }) => ({ userId, status: 'all' }),
  getOrder: ({ orderId }) => ({ orderId }),
  getDashboard: ({ userId }) => ({ userId }),
  cancelOrder: ({ orderId }) => ({ orderId }),
  getReceipt: ({ orderId }) => ({ orderId }),
  getUnpaidOrders: ({ userId }) => ({ userId }),
  putBackOrder: ({ orderId }) => ({ orderId }),
  trackOrder: 'public',
  endTracking: ({ orderId }) => ({ orderId }),
  orderAgain: ({ orderId }) => ({ orderId }),
  receiveParcel: ({ parcelId }) => ({ parcelId }),
  getReturns: ({ orderId }) => ({ orderId }),
  requestReturn: ({ orderId }) => returnOf(orderId),
  addReturnPictures: ({ returnId }) => ({ returnId, files: [new File([PIXEL], 'broken.png')] }),
  withdrawReturn: ({ returnId }) => ({ returnId }),
  sendReturnBack: ({ returnId }) => ({ returnId, tracking: '' }),
  escalateReturn: ({ returnId }) => ({ returnId }),
  startPayment: ({ orderId }) => ({ orderId }),
  getPayment: ({ clientSecret }) => ({ clientSecret }),
  confirmOrder: ({ orderId }) => ({ orderId }),
  confirmOrderAgain: ({ orderId }) => ({ orderId }),
  getNotifications: 'own',
  readNotification: ({ notificationId }) => ({ id: notificationId }),
  openConversation: ({ userId, sellerId }) => ({ userId, sellerId }),
  getMessages: ({ sellerId, messageId }) => ({ sellerId, since: messageId }),
  sendMessage: ({ userId, sellerId }) => ({ userId, sellerId, text: 'Hello' }),
  sendFiles: ({ userId, sellerId }) => ({ userId, sellerId, text: '', files: [new File(['Hello'], 'note.txt')] }),
  markSeen: ({ userId, sellerId }) => ({ userId, sellerId }),
  deleteMessage: ({ messageId }) => ({ messageId }),
  getAiStatus: 'public',
  getAiReply: ({ sellerId, messageId }) => ({ sellerId, messageId }),
  getRates: 'public',
  getHealth: 'public',
  getSitemapTotals: 'public',
  getSitemapPage: 'public',
}
