import * as z from 'zod/mini'
import type { Product } from './product.ts'
import { endpoint, renamed } from './endpoint.ts'
import { Acknowledgement, hint, Id, text, Usd } from './wire.ts'

/** A saved product with its current data. `stock` 0 means that it cannot be bought; providers may omit it. */
export const WishlistItem = renamed(
  {
    _id: z.string(),
    productId: z.string(),
    name: z.string(),
    price: Usd,
    image: z.string(),
    discount: z.number(),
    rating: z.number(),
    slug: z.string(),
    stock: z._default(z.int(), 1),
    highestPrice: z.optional(Usd),
    variantCount: z._default(z.int(), 1),
    sellerId: z._default(z.string(), ''),
    shopName: z._default(z.string(), ''),
  },
  { price: 'priceCents', highestPrice: 'highestCents' },
)
export type WishlistItem = z.output<typeof WishlistItem>

/** The provider reads only the ids and ignores the other fields. Idempotent. */
export const addToWishlist = endpoint({
  method: 'POST',
  path: '/home/product/add-to-wishlist',
  input: renamed(
    {
      userId: Id('userId'),
      productId: Id('productId'),
      name: hint(z.string()),
      price: hint(Usd),
      image: hint(z.string()),
      discount: hint(z.number()),
      rating: hint(z.number()),
      slug: hint(z.string()),
    },
    { price: 'priceCents' },
  ),
  output: Acknowledgement,
  isForCustomers: true,
})

/** A product to save: its id and what the client knows about it. */
export type Wish = Omit<z.output<(typeof addToWishlist)['input']>, 'userId'>

type Wished = Pick<Product, '_id' | 'slug' | 'name' | 'priceCents' | 'discount' | 'rating' | 'images'>

/** Builds the request to save a product from the product as the client shows it. */
export function wishFor({ _id, slug, name, priceCents, discount, rating, images }: Wished): Wish {
  return { productId: _id, slug, name, priceCents, discount, rating, image: images[0] ?? '' }
}

/** Newest first. */
export const getWishlist = endpoint({
  method: 'GET',
  path: '/home/product/get-wishlist-products/:id',
  input: renamed({ id: Id('id') }, { id: 'userId' }),
  output: renamed(
    { wishlists: z.array(WishlistItem), wishlistCount: z.int() },
    { wishlists: 'items', wishlistCount: 'count' },
  ),
  isForCustomers: true,
})

/** The id is that of the item or of its product; the response names the item. */
export const removeFromWishlist = endpoint({
  method: 'DELETE',
  path: '/home/product/delete-wishlist-product/:id',
  input: renamed({ id: Id('id') }, { id: 'itemId' }),
  output: renamed({ message: z.string(), wishlistId: z.string() }, { wishlistId: 'itemId' }),
  isForCustomers: true,
})

/**
 * An alert: the customer gets one notification and one mail when the variant can be bought again, or when the product
 * costs less than `below`. `price` and `stock` are current.
 */
export const Alert = renamed(
  {
    _id: z.string(),
    productId: z.string(),
    variantId: z.optional(z.string()),
    name: z.string(),
    /** The variant, such as 'Size 43, Blue'. */
    title: z._default(z.string(), ''),
    slug: z.string(),
    image: z.string(),
    price: Usd,
    below: z.optional(Usd),
  },
  { price: 'priceCents', below: 'belowCents' },
)
export type Alert = z.output<typeof Alert>

/** The alerts that have not been sent yet, newest first. At most `MAX_ALERTS`. */
export const getAlerts = endpoint({
  method: 'GET',
  path: '/home/customer/alerts/:id',
  input: renamed({ id: Id('id') }, { id: 'userId' }),
  output: z.object({ alerts: z.array(Alert) }),
  isForCustomers: true,
})

/**
 * With `below`, sets an alert for a lower price, which replaces an earlier one for this product. Otherwise, for when
 * the variant can be bought again; a product with one variant needs no `variantId`. Fails with 422 if the condition is
 * already met.
 */
export const addAlert = endpoint({
  method: 'POST',
  path: '/home/customer/alerts',
  input: renamed(
    { productId: Id('productId'), variantId: z.optional(Id('variantId')), below: z.optional(Usd) },
    { below: 'belowCents' },
  ),
  output: Acknowledgement,
  isForCustomers: true,
})
export type NewAlert = z.output<(typeof addAlert)['input']>

export const removeAlert = endpoint({
  method: 'DELETE',
  path: '/home/customer/alerts/:id',
  input: renamed({ id: Id('id') }, { id: 'alertId' }),
  output: Acknowledgement,
  isForCustomers: true,
})

/** Ends what this mailed token is about: all alerts of its customer, or requests for reviews. Needs no login. */
export const endAlerts = endpoint({
  method: 'POST',
  path: '/home/customer/end-alerts',
  input: z.object({ token: text('token', 300) }),
  output: Acknowledgement,
})
