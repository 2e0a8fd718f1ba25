import * as z from 'zod/mini'
import { endpoint, renamed } from './endpoint.ts'
import { Acknowledgement, Id, Usd } from './wire.ts'

/** A saved product with what it costs and shows now; `stock` 0 cannot be bought. */
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
    sellerId: z._default(z.string(), ''),
    shopName: z._default(z.string(), ''),
  },
  { price: 'priceCents' },
)
export type WishlistItem = z.output<typeof WishlistItem>

/** What else a client sends of the product is not read. Saving it again changes nothing. */
export const addToWishlist = endpoint({
  method: 'POST',
  path: '/home/product/add-to-wishlist',
  input: z.object({ userId: Id('userId'), productId: Id('productId') }),
  output: Acknowledgement,
  isForCustomers: true,
})

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
