import type { CartLine } from '#contract/cart.ts'
import { wishFor } from '#contract/wishlist.ts'
import { removeLine } from './cart.ts'
import { $savedProducts, addToWishlist } from './wishlist.ts'

/** Saves a line's product and takes the line out of the cart. The line stays if the product could not be saved. */
export async function moveToWishlist({ _id, product }: CartLine): Promise<void> {
  await addToWishlist(wishFor(product))
  if ($savedProducts.get().has(product._id)) await removeLine(_id)
}
