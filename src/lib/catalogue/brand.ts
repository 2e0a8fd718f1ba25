import type { Product } from '#contract/product.ts'

/** A product's brand; '' if it equals the shop's name, which imports use for products without a brand. */
export function ownBrand({ brand, shopName }: Pick<Product, 'brand' | 'shopName'>): string {
  return brand === shopName ? '' : brand
}
