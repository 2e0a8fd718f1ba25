import { getAccount } from '#contract/account.ts'
import * as cart from '#contract/cart.ts'
import { getRates } from '#contract/currencies.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getNotifications, readNotification } from '#contract/notifications.ts'
import { logout, refreshToken } from '#contract/session.ts'
import { addToWishlist, getWishlist, removeFromWishlist } from '#contract/wishlist.ts'
import { type ApiOptions, type Calls, createCalls, type Fetch } from '#lib/api.ts'
import { authorised, exclusivelyInBrowser } from '#lib/accounts/authorised.ts'
import { readToken } from '#lib/accounts/storage.ts'
import { endSession, saveSession } from './accounts/tokens.ts'

/** The calls that a customer may need on any page. The rest of the contract is loaded with what needs it. */
const pageEndpoints = {
  logout,
  refreshToken,
  getAccount,
  getRates,
  getNotifications,
  readNotification,
  addToWishlist,
  getWishlist,
  removeFromWishlist,
  addToCart: cart.addToCart,
  getCart: cart.getCart,
  removeCartLine: cart.removeCartLine,
  restoreCartLine: cart.restoreCartLine,
  increaseQuantity: cart.increaseQuantity,
  decreaseQuantity: cart.decreaseQuantity,
  setQuantity: cart.setQuantity,
  changeCartVariant: cart.changeCartVariant,
  acceptCartPrices: cart.acceptCartPrices,
}

/** The server has no `location`, but makes no requests with this client either. */
const origin = globalThis.location?.origin ?? 'http://localhost'

/** Options for a client that sends the session of the signed-in customer. */
export function withSession(fetch: Fetch): ApiOptions {
  const tokens = { read: readToken, save: saveSession, clear: endSession }
  return { fetch: authorised({ fetch, origin, tokens, exclusively: exclusivelyInBrowser }), origin }
}

const session = withSession(request => fetch(request))

/** The API client of the signed-in customer. Tests replace `api`. */
export const client = { api: createCalls(pageEndpoints, session) }

/** Gives the client more calls, for code that only some pages load. */
export function withCalls<const Endpoints extends Record<string, Endpoint>>(endpoints: Endpoints) {
  Object.assign(client.api, createCalls(endpoints, session))
  return client as { api: Calls<Endpoints> }
}
