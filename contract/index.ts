import * as account from './account.ts'
import * as auth from './auth.ts'
import * as cart from './cart.ts'
import * as catalogue from './catalogue.ts'
import * as chat from './chat.ts'
import { getHealth } from './health.ts'
import * as notifications from './notifications.ts'
import * as orders from './orders.ts'
import * as parcels from './parcels.ts'
import * as payments from './payments.ts'
import * as profile from './profile.ts'
import { getRates } from './currencies.ts'
import { getReceipt } from './receipts.ts'
import * as returns from './returns.ts'
import * as reviews from './reviews.ts'
import { getSitemapPage, getSitemapTotals } from './sitemap.ts'
import * as savedLines from './saved-lines.ts'
import { logout, refreshToken } from './session.ts'
import { getSuggestions } from './suggestions.ts'
import { getTrainingData } from './training.ts'
import * as unpaidOrders from './unpaid-orders.ts'
import * as wishlist from './wishlist.ts'

/** Every API call, under the name that client and server use for it. */
export const endpoints = {
  getCategories: catalogue.getCategories,
  getSellers: catalogue.getSellers,
  getFeaturedSellers: catalogue.getFeaturedSellers,
  getHomeProducts: catalogue.getHomeProducts,
  getProduct: catalogue.getProduct,
  getAvailability: catalogue.getAvailability,
  getPriceRange: catalogue.getPriceRange,
  queryProducts: catalogue.queryProducts,
  countProducts: catalogue.countProducts,
  getSellerProducts: catalogue.getSellerProducts,
  getSuggestions,
  getTrainingData,
  getBanners: catalogue.getBanners,
  getPlatformBanners: catalogue.getPlatformBanners,
  getReviews: reviews.getReviews,
  submitReview: reviews.submitReview,
  addReviewPictures: reviews.addReviewPictures,
  getOwnReview: reviews.getOwnReview,
  voteReview: reviews.voteReview,
  reportReview: reviews.reportReview,
  register: auth.register,
  login: auth.login,
  refreshToken,
  logout,
  confirmEmail: auth.confirmEmail,
  sendConfirmation: auth.sendConfirmation,
  forgotPassword: auth.forgotPassword,
  resetPassword: auth.resetPassword,
  getAccount: account.getAccount,
  updateAccount: account.updateAccount,
  getAddresses: account.getAddresses,
  addAddress: account.addAddress,
  changeAddress: account.changeAddress,
  removeAddress: account.removeAddress,
  makeDefaultAddress: account.makeDefaultAddress,
  getProfile: profile.getProfile,
  changeName: profile.changeName,
  changeEmail: profile.changeEmail,
  keepEmail: profile.keepEmail,
  changePassword: profile.changePassword,
  requestData: profile.requestData,
  deleteAccount: profile.deleteAccount,
  keepAccount: profile.keepAccount,
  getSessions: profile.getSessions,
  endSession: profile.endSession,
  endOtherSessions: profile.endOtherSessions,
  addToCart: cart.addToCart,
  getCart: cart.getCart,
  removeCartLine: cart.removeCartLine,
  restoreCartLine: cart.restoreCartLine,
  increaseQuantity: cart.increaseQuantity,
  decreaseQuantity: cart.decreaseQuantity,
  setQuantity: cart.setQuantity,
  changeCartVariant: cart.changeCartVariant,
  acceptCartPrices: cart.acceptCartPrices,
  getSavedLines: savedLines.getSavedLines,
  saveForLater: savedLines.saveForLater,
  moveToCart: savedLines.moveToCart,
  removeSavedLine: savedLines.removeSavedLine,
  addToWishlist: wishlist.addToWishlist,
  getWishlist: wishlist.getWishlist,
  removeFromWishlist: wishlist.removeFromWishlist,
  getAlerts: wishlist.getAlerts,
  addAlert: wishlist.addAlert,
  removeAlert: wishlist.removeAlert,
  endAlerts: wishlist.endAlerts,
  placeOrder: orders.placeOrder,
  getOrders: orders.getOrders,
  getOrder: orders.getOrder,
  getDashboard: orders.getDashboard,
  cancelOrder: orders.cancelOrder,
  getReceipt,
  getUnpaidOrders: unpaidOrders.getUnpaidOrders,
  putBackOrder: unpaidOrders.putBackOrder,
  orderAgain: unpaidOrders.orderAgain,
  receiveParcel: parcels.receiveParcel,
  trackOrder: parcels.trackOrder,
  endTracking: parcels.endTracking,
  getReturns: returns.getReturns,
  requestReturn: returns.requestReturn,
  addReturnPictures: returns.addReturnPictures,
  withdrawReturn: returns.withdrawReturn,
  sendReturnBack: returns.sendReturnBack,
  escalateReturn: returns.escalateReturn,
  startPayment: payments.startPayment,
  getPayment: payments.getPayment,
  confirmOrder: payments.confirmOrder,
  confirmOrderAgain: payments.confirmOrderAgain,
  getNotifications: notifications.getNotifications,
  readNotification: notifications.readNotification,
  openConversation: chat.openConversation,
  getMessages: chat.getMessages,
  sendMessage: chat.sendMessage,
  sendFiles: chat.sendFiles,
  markSeen: chat.markSeen,
  deleteMessage: chat.deleteMessage,
  getAiStatus: chat.getAiStatus,
  getAiReply: chat.getAiReply,
  getRates,
  getHealth,
  getSitemapTotals,
  getSitemapPage,
}
