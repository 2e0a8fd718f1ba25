import * as account from './account.ts'
import * as auth from './auth.ts'
import * as catalog from './catalog.ts'
import { getHealth } from './health.ts'
import { getRates } from './rates.ts'
import { getReviews } from './reviews.ts'
import { getSitemapPage, getSitemapTotals } from './sitemap.ts'

/** Every call of the API, by the name that both sides use for it. */
export const endpoints = {
  getCategories: catalog.getCategories,
  getSellers: catalog.getSellers,
  getFeaturedSellers: catalog.getFeaturedSellers,
  getHomeProducts: catalog.getHomeProducts,
  getProduct: catalog.getProduct,
  getAvailability: catalog.getAvailability,
  getPriceRange: catalog.getPriceRange,
  queryProducts: catalog.queryProducts,
  getSellerProducts: catalog.getSellerProducts,
  getTrainingData: catalog.getTrainingData,
  getBanners: catalog.getBanners,
  getPlatformBanners: catalog.getPlatformBanners,
  getReviews,
  register: auth.register,
  login: auth.login,
  refreshToken: auth.refreshToken,
  logout: auth.logout,
  forgotPassword: auth.forgotPassword,
  resetPassword: auth.resetPassword,
  getAccount: account.getAccount,
  updateAccount: account.updateAccount,
  getRates,
  getHealth,
  getSitemapTotals,
  getSitemapPage,
}
