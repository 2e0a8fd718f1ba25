import type { Product } from '#contract/catalog.ts'
import { productPath, shopPath } from '#contract/page-urls.ts'
import { discountedCents } from '#contract/rules.ts'

interface About {
  product: Product
  /** Plain text, without tags. */
  description: string
  /** Absolute URLs or paths. */
  images: string[]
  publicUrl: string
}

/** schema.org Product with the exact price in US dollars. The rating is included only if there are any. */
export function productData({ product, description, images, publicUrl }: About): object {
  const absolute = (path: string) => new URL(path, publicUrl).href
  const url = absolute(productPath(product))
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    description,
    sku: product._id,
    category: product.category,
    url,
    image: images.map(absolute),
    ...(product.brand && { brand: { '@type': 'Brand', name: product.brand } }),
    ...(product.ratingCount > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: product.rating,
        reviewCount: product.ratingCount,
        bestRating: 5,
        worstRating: 1,
      },
    }),
    offers: {
      '@type': 'Offer',
      url,
      price: (discountedCents(product) / 100).toFixed(2),
      priceCurrency: 'USD',
      availability: `https://schema.org/${product.stock > 0 ? 'InStock' : 'OutOfStock'}`,
      seller: {
        '@type': 'Organization',
        name: product.shopName,
        url: absolute(shopPath(product)),
      },
    },
  }
}
