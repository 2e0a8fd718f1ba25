import type { Product } from '#contract/catalog.ts'
import { type Api, orNull } from '../api.ts'
import { pageTags, productTag, sellerTag, storeTag } from '../cache-tags.ts'

export type ProductResult = NonNullable<Awaited<ReturnType<typeof loadProduct>>>

/** Loads everything that a product's page shows; `null` if there is no such product. */
export async function loadProduct(api: Api, slug: string, reviewPage: number) {
  const found = await orNull(api.getProduct({ id: slug, reviewPage }))
  if (!found) return null
  const [reviews, { banners }] = await Promise.all([
    // Other providers of this API may not include reviews in the product's response.
    found.reviews ?? api.getReviews({ productId: found.product._id, page: reviewPage }),
    found.product.banner ? { banners: [] } : api.getBanners({}),
  ])
  return {
    ...found,
    reviews,
    banner: found.product.banner ?? banners.find(banner => banner._id === found.product.sellerId),
  }
}

/** Cache tags of a product's page. */
export function productTags({ product, related, fromSameShop }: ProductResult): string[] {
  const shop = sellerTag({ _id: product.sellerId })
  const newcomers = fromSameShop.length === 0 ? [storeTag(product.sellerId)] : []
  return pageTags('banners', shop, ...newcomers, ...[product, ...related, ...fromSameShop].map(productTag))
}

export type BuyBoxProduct = ReturnType<typeof toBuyBoxProduct>

/** The product fields that the buy box needs. Each one adds bytes to the page. */
export function toBuyBoxProduct(product: Product) {
  const { _id, slug, name, sellerId, stock, priceCents, discount, rating, images } = product
  return { _id, slug, name, sellerId, stock, priceCents, discount, rating, images: images.slice(0, 1) }
}
