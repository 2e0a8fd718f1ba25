import type { Product } from '#contract/product.ts'
import { productPath, shopPath } from '#contract/page-urls.ts'
import { discountedCents } from '#contract/rules.ts'
import { isColour, lineName, type Variant } from '#contract/variants.ts'
import { pictureAt } from '../media.ts'
import { optionNames } from './variants.ts'

/** Variants beyond these are left out: thousands of them would make the page too large. */
const LISTED_VARIANTS = 100

interface About {
  product: Product
  /** Plain text, without tags. */
  description: string
  /** Absolute URLs or paths. */
  images: string[]
  publicUrl: string
}

/**
 * schema.org Product, or ProductGroup for a product with options, with the exact prices in US dollars. The rating is
 * included only if there are any.
 */
export function productData({ product, description, images, publicUrl }: About): object {
  const absolute = (path: string) => new URL(path, publicUrl).href
  const url = absolute(productPath(product))
  const offerOf = (sold: Pick<Product, 'priceCents' | 'discount' | 'stock'>, address: string) => ({
    '@type': 'Offer',
    url: address,
    price: (discountedCents(sold) / 100).toFixed(2),
    priceCurrency: 'USD',
    availability: `https://schema.org/${sold.stock > 0 ? 'InStock' : 'OutOfStock'}`,
    seller: {
      '@type': 'Organization',
      name: product.shopName,
      url: absolute(shopPath(product)),
    },
  })
  const variantOf = (variant: Variant) => ({
    '@type': 'Product',
    name: lineName(product.name, { title: variant.title }),
    sku: variant.sku || variant._id,
    ...(isGtin(variant.barcode) && { gtin: variant.barcode }),
    ...(variant.image && { image: absolute(pictureAt(variant.image, 1280)) }),
    ...propertiesOf(variant.options),
    offers: offerOf(variant, absolute(productPath(product, variant._id))),
  })
  const { variants } = product
  return {
    '@context': 'https://schema.org',
    '@type': variants.length > 0 ? 'ProductGroup' : 'Product',
    name: product.name,
    description,
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
    ...(variants.length > 0
      ? {
          productGroupID: product._id,
          variesBy: optionNames(variants).map(name => {
            const property = propertyOf(name)
            return property ? `https://schema.org/${property}` : name
          }),
          hasVariant: variants.slice(0, LISTED_VARIANTS).map(variantOf),
        }
      : {
          sku: product.sku || product._id,
          ...(isGtin(product.barcode ?? '') && { gtin: product.barcode }),
          offers: offerOf(product, url),
        }),
  }
}

/** The property of a schema.org Product for an option; undefined if there is none. */
function propertyOf(optionName: string): string | undefined {
  if (isColour(optionName)) return 'color'
  return ['size', 'material', 'pattern'].find(property => property === optionName.toLowerCase())
}

function propertiesOf(options: Variant['options']): object {
  const properties: Record<string, string> = {}
  const others = []
  for (const [name, value] of Object.entries(options)) {
    const property = propertyOf(name)
    if (property) properties[property] = value
    else others.push({ '@type': 'PropertyValue', name, value })
  }
  return { ...properties, ...(others.length > 0 && { additionalProperty: others }) }
}

/** Whether a barcode is a GTIN: 8, 12, 13 or 14 digits, the last one a check digit. */
function isGtin(barcode: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(barcode)) return false
  const sum = barcode
    .split('')
    .toReversed()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
