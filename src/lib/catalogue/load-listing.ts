import type { Banner } from '#contract/catalog.ts'
import { categoryTag, pageTags, productTag } from '../cache-tags.ts'
import type { Api } from '../api.ts'
import type { Listing } from './listing.ts'

export type ListingResult = Awaited<ReturnType<typeof loadListing>>

/** Everything that a listing shows, from the provider. */
export async function loadListing(api: Api, listing: Listing) {
  const { category, search, rating, lowPrice, highPrice, sort, page } = listing
  const [found, beside, { banners }] = await Promise.all([
    api.queryProducts({ category, search, rating, lowPrice, highPrice, sort, page }),
    api.getPriceRange({}),
    api.getBanners({}),
  ])
  return { ...found, ...beside, banner: promotionFor(banners, category) }
}

/** The promotion that suits a list: one that leads to its category; on a list of everything, the first. */
export function promotionFor(banners: Banner[], category: string | undefined): Banner | undefined {
  if (category === undefined) return banners[0]
  return banners.find(({ link }) => URL.parse(link ?? '', 'http://shop')?.searchParams.get('category') === category)
}

/** What must change for a listing to be rendered again: its products, or the ends of its price slider. */
export function listingTags({ category }: Listing, { products, latest }: ListingResult): string[] {
  const list = category ? categoryTag(category) : 'products'
  return pageTags('banners', 'prices', list, ...[...products, ...latest].map(productTag))
}
