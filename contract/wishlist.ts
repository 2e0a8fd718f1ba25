import * as z from 'zod/mini'
import type { Product } from './catalog.ts'
import { endpoint, renamed } from './endpoint.ts'
import { Acknowledgement, hint, Id, Usd } from './wire.ts'

/** A saved product with its current data. `stock` 0 means that it cannot be bought. */
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
    stock: z._default(z.int(), 0),
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

export const removeFromWishlist = endpoint({
  method: 'DELETE',
  path: '/home/product/delete-wishlist-product/:id',
  input: renamed({ id: Id('id') }, { id: 'itemId' }),
  output: renamed({ message: z.string(), wishlistId: z.string() }, { wishlistId: 'itemId' }),
  isForCustomers: true,
})
