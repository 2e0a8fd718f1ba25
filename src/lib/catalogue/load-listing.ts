import type { Banner } from '#contract/catalog.ts'
import { categoryTag, pageTags, productTag } from '../cache-tags.ts'
import type { Api } from '../api.ts'
import type { Listing } from './listing.ts'

export type ListingResult = Awaited<ReturnType<typeof loadListing>>

/** Loads everything that a listing shows. */
export async function loadListing(api: Api, listing: Listing) {
  const { layout, ...query } = listing
  const [found, beside, { banners }] = await Promise.all([
    api.queryProducts(query),
    api.getPriceRange({}),
    api.getBanners({}),
  ])
  return { ...found, ...beside, banner: promotionFor(banners, query.category) }
}

/** The banner for a list: one that links to its category or, without a category, the first. */
export function promotionFor(banners: Banner[], category: string | undefined): Banner | undefined {
  if (category === undefined) return banners[0]
  return banners.find(({ link }) => URL.parse(link ?? '', 'http://shop')?.searchParams.get('category') === category)
}

/** Cache tags of a listing: its products and the ends of its price slider. */
export function listingTags({ category }: Listing, { products, latest }: ListingResult): string[] {
  const list = category ? categoryTag(category) : 'products'
  return pageTags('banners', 'prices', list, ...[...products, ...latest].map(productTag))
}
