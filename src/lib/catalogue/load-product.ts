import type { Product } from '#contract/product.ts'
import { type Api, orNull } from '../api.ts'
import { type PRODUCT_QUERY, buyNowPath, productPath, type readPageQuery } from '#contract/page-urls.ts'
import type { Variant } from '#contract/variants.ts'
import { bestOfCategoryTag, bestOfStoreTag, pageTags, productTag, sellerTag, storeTag } from '../cache-tags.ts'
import { loginPath } from '../navigate.ts'
import { swatchesOf } from './swatches.ts'
import { packVariants } from './packed-variants.ts'
import { chooseAll, findVariant } from './variants.ts'

export type ProductResult = NonNullable<Awaited<ReturnType<typeof loadProduct>>>

export type ReviewChoice = Pick<
  ReturnType<typeof readPageQuery<typeof PRODUCT_QUERY>>['values'],
  'reviewPage' | 'reviewSort' | 'stars'
>

/** Loads everything that a product's page shows; `null` if there is no such product. */
export async function loadProduct(api: Api, slug: string, { reviewPage: page, reviewSort: sort, stars }: ReviewChoice) {
  const isNewest = sort === undefined && stars === undefined
  const found = await orNull(api.getProduct({ id: slug, reviewPage: isNewest ? page : undefined }))
  if (!found) return null
  const [reviews, { banners }] = await Promise.all([
    // Other providers of this API may not include reviews in the product's response.
    found.reviews ?? api.getReviews({ productId: found.product._id, page, sort, stars }),
    found.product.banner ? { banners: [] } : api.getBanners({}),
  ])
  return {
    ...found,
    reviews,
    banner: found.product.banner ?? banners.find(banner => banner._id === found.product.sellerId),
  }
}

/** Cache tags of a product's page. That of the shop also covers its banner. */
export function productTags({ product, related, fromSameShop }: ProductResult): string[] {
  const shop = sellerTag({ _id: product.sellerId })
  const newcomers = fromSameShop.length === 0 ? storeTag(product.sellerId) : bestOfStoreTag(product.sellerId)
  // If it is alone in its category, its related products are the best sellers of the whole marketplace.
  const isAlone = related.every(({ category }) => category !== product.category)
  const neighbours = isAlone ? 'products' : bestOfCategoryTag(product.category)
  return pageTags(shop, newcomers, neighbours, ...[product, ...related, ...fromSameShop].map(productTag))
}

export interface BuyBoxProduct extends Pick<
  Product,
  '_id' | 'slug' | 'name' | 'sellerId' | 'stock' | 'priceCents' | 'discount' | 'rating' | 'images'
> {
  /** Packed by `packVariants`; absent for a product without options. */
  variants?: string
  /** How each colour is shown: as a CSS colour or the URL of a picture. */
  swatches?: Record<string, string>
}

/** The product fields that the buy box needs. Each one adds bytes to the page. */
export function toBuyBoxProduct(product: Product): BuyBoxProduct {
  const { _id, slug, name, sellerId, stock, priceCents, discount, rating, images, variants } = product
  const shown = { _id, slug, name, sellerId, stock, priceCents, discount, rating, images: images.slice(0, 1) }
  if (variants.length === 0) return shown
  return { ...shown, variants: packVariants(variants), swatches: swatchesOf(variants) }
}

type Choice = Pick<
  ReturnType<typeof readPageQuery<typeof PRODUCT_QUERY>>['values'],
  'option1' | 'option2' | 'option3' | 'button'
>

/**
 * The path to which a buy form that was sent without JavaScript redirects: the login and then the checkout, or the page
 * of the chosen variant if it cannot be bought.
 */
export function pathAfterChoice({ slug, variants }: Product, shown: Variant, choice: Choice): string {
  const values = [choice.option1, choice.option2, choice.option3]
  const chosen = chooseAll(variants, shown, values)
  const page = productPath({ slug }, chosen._id)
  if (choice.button === 'show' || chosen.stock === 0 || chosen !== findVariant(variants, values)) return page
  return loginPath(choice.button === 'buy' ? buyNowPath({ slug }, 1, chosen._id) : page)
}
