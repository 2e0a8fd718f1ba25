import type { Product, Seller } from '#contract/catalog.ts'

/** Every page shows the header's categories. `shown` are the further tags of what the page shows. */
export function pageTags(...shown: string[]): string[] {
  return [...new Set(['categories', ...shown])]
}

/** What a product shows of itself. */
export const productTag = ({ _id }: Pick<Product, '_id'>): string => `product:${_id}`
/** A shop's own name, picture and text. */
export const sellerTag = ({ _id }: Pick<Seller, '_id'>): string => `seller:${_id}`
/** Which products a shop lists. */
export const storeTag = (sellerId: string): string => `store:${sellerId}`
/** Which products a category lists. */
export const categoryTag = (name: string): string => `category:${name}`
