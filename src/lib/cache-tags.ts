import type { Product } from '#contract/product.ts'
import type { Seller } from '#contract/shops.ts'

/** Cache tags of a page. Every page shows the header's categories; `shown` are the tags of its other content. */
export function pageTags(...shown: string[]): string[] {
  return [...new Set(['categories', ...shown])]
}

/** Tag for a product's own data. */
export const productTag = ({ _id }: Pick<Product, '_id'>): string => `product:${_id}`
/** Tag for a shop's name, picture and text. */
export const sellerTag = ({ _id }: Pick<Seller, '_id'>): string => `seller:${_id}`
/** Tag for the list of a shop's products. */
export const storeTag = (sellerId: string): string => `store:${sellerId}`
/** Tag for the best-selling products of a shop: one of them is in stock again. */
export const bestOfStoreTag = (sellerId: string): string => `best-of-store:${sellerId}`
/** Tag for the best-selling products of a category: one of them is in stock again. */
export const bestOfCategoryTag = (name: string): string => `best-of-category:${name}`
/** Tag for the list of a category's products. */
export const categoryTag = (name: string): string => `category:${name}`
