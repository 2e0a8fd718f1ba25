import type { Product } from '#contract/catalog.ts'

/** A product's brand; '' where it says no more than the name of the shop, as an import does that knows no brand. */
export function ownBrand({ brand, shopName }: Pick<Product, 'brand' | 'shopName'>): string {
  return brand === shopName ? '' : brand
}
