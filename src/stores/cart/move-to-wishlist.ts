import type { CartLine } from '#contract/cart.ts'
import { wishFor } from '#contract/wishlist.ts'
import { removeLine } from './lines.ts'
import { $savedProducts, addToWishlist } from './wishlist.ts'

/**
 * Saves a line's product and takes the line out of the cart. The line stays if the product could not be saved. Returns
 * whether the line is gone.
 */
export async function moveToWishlist({ _id, product }: CartLine): Promise<boolean> {
  await addToWishlist(wishFor(product))
  return $savedProducts.get().has(product._id) && (await removeLine(_id)) !== null
}
