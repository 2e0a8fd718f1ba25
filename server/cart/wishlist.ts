import { and, count, desc, eq, ne, or } from 'drizzle-orm'
import type { WishlistItem } from '#contract/wishlist.ts'
import { MAX_WISHLIST_ITEMS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products, wishlistItems } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { lockCustomer } from '../accounts/customers.ts'
import { pictureAddress } from '../catalogue/pictures.ts'
import { isVisible } from '../catalogue/products.ts'
import { orderableOfProduct } from '../catalogue/variants.ts'
import { ConflictError, NotFoundError } from '../platform/errors.ts'

/**
 * Saves a product; does nothing if it is saved already. Throws a `NotFoundError` for a product that is not for sale,
 * and a `ConflictError` for more than `MAX_WISHLIST_ITEMS`.
 */
export async function addToWishlist(db: Db, userId: string, productId: string): Promise<void> {
  await transact(db, async tx => {
    const [product] = await tx
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.id, productId), isVisible))
    if (!product) throw new NotFoundError('Product not found')
    await lockCustomer(tx, userId)
    // Like `readWishlist`: items that are not shown cannot be removed, so they do not count either.
    const [others] = await tx
      .select({ count: count() })
      .from(wishlistItems)
      .innerJoin(products, eq(products.id, wishlistItems.productId))
      .where(and(eq(wishlistItems.userId, userId), ne(wishlistItems.productId, productId), isVisible))
    if (others && others.count >= MAX_WISHLIST_ITEMS) throw new ConflictError('Your wishlist is full')
    await tx.insert(wishlistItems).values({ userId, productId }).onConflictDoNothing()
  })
}

/** The customer's saved products that are still for sale, newest first. */
export async function readWishlist(db: Db, userId: string): Promise<{ items: WishlistItem[]; count: number }> {
  const rows = await db
    .select({ itemId: wishlistItems.id, product: products, stock: orderableOfProduct })
    .from(wishlistItems)
    .innerJoin(products, eq(products.id, wishlistItems.productId))
    .where(and(eq(wishlistItems.userId, userId), isVisible))
    .orderBy(desc(wishlistItems.createdAt), desc(wishlistItems.id))
  const items = rows.map(({ itemId, product, stock }) => ({
    _id: itemId,
    productId: product.id,
    name: product.name,
    priceCents: product.priceCents,
    highestCents: product.highestCents,
    image: (product.pictures[0] && pictureAddress(product.pictures[0])) ?? '',
    discount: product.discount,
    rating: product.rating,
    slug: product.slug,
    stock,
    variantCount: product.variantCount,
    sellerId: product.sellerId,
    shopName: product.shopName,
  }))
  return { items, count: items.length }
}

/**
 * Removes a saved product, given its id or that of its item, and returns the item's id. Throws a `NotFoundError` if it
 * is not on the customer's wishlist.
 */
export async function removeFromWishlist(db: Db, userId: string, id: string): Promise<string> {
  const [removed] = await db
    .delete(wishlistItems)
    .where(and(or(eq(wishlistItems.id, id), eq(wishlistItems.productId, id)), eq(wishlistItems.userId, userId)))
    .returning({ id: wishlistItems.id })
  if (!removed) throw new NotFoundError('This is not on your wishlist')
  return removed.id
}
