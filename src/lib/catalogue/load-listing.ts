import type { Banner, Product } from '#contract/product.ts'
import { SHOP } from '#contract/filters.ts'
import { CATEGORY_LENGTH } from '#contract/rules.ts'
import { categoryTag, pageTags, productTag } from '../cache-tags.ts'
import type { Api } from '../api.ts'
import type { Listing } from './listing.ts'

export type ListingResult = Awaited<ReturnType<typeof loadListing>>

/** A search with at most this many results is followed by related products. */
const FEW_FINDS = 3
const MAX_RELATED = 6
const MAX_SHOPS = 8

/** Loads everything that a listing shows. */
export async function loadListing(api: Api, listing: Listing) {
  const { layout, ...query } = listing
  const [found, beside, { banners }] = await Promise.all([
    api.queryProducts(query),
    api.getPriceRange({}),
    api.getBanners({}),
  ])
  const instead = await loadInstead(api, listing, found)
  return { ...found, ...beside, banner: promotionFor(banners, query.category), instead }
}

/** Top sellers if nothing was found; after a search with few results, top sellers in the category of the first one. */
async function loadInstead(
  api: Api,
  { search }: Listing,
  { total, products: finds }: { total: number; products: Product[] },
): Promise<Product[]> {
  if (total === 0) return (await api.getHomeProducts({})).products
  const [first] = finds
  if (search === undefined || total > FEW_FINDS || !first) return []
  // Other providers may have categories that are too long for a query.
  if (first.category.length > CATEGORY_LENGTH) return []
  const { products } = await api.queryProducts({ category: first.category })
  const isFound = ({ _id }: Product) => finds.some(find => find._id === _id)
  return products.filter(product => product.stock > 0 && !isFound(product)).slice(0, MAX_RELATED)
}

/** The banner for a list: one that links to its category or, without a category, the first. */
export function promotionFor(banners: Banner[], category: string | undefined): Banner | undefined {
  if (category === undefined) return banners[0]
  return banners.find(({ link }) => URL.parse(link ?? '', 'http://shop')?.searchParams.get('category') === category)
}

interface ListedShop {
  id: string
  name: string
  /** The number of its products in the list. */
  count: number
}

/** The shops with most products of a list that is not filtered by shop. */
export function shopsOf({ filters, products, total }: ListingResult): ListedShop[] {
  const offered = filters.find(({ name }) => name === SHOP)?.values
  if (offered)
    return offered.slice(0, MAX_SHOPS).map(({ value, label = value, count }) => ({ id: value, name: label, count }))
  // Without a filter by shop, all products belong to the same shop.
  return products.slice(0, 1).map(({ sellerId, shopName }) => ({ id: sellerId, name: shopName, count: total }))
}

/**
 * Cache tags of a listing: its products, the latest ones, and the prices and countries of its filters. The tag of the
 * category also covers changes of shops' names.
 */
export function listingTags({ category }: Listing, { products, latest }: ListingResult): string[] {
  const list = category ? categoryTag(category) : 'products'
  return pageTags('banners', 'prices', 'destinations', 'latest', list, ...[...products, ...latest].map(productTag))
}
