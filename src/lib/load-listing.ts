import { categoryTag, pageTags, productTag } from './cache-tags.ts'
import type { Api } from './api.ts'
import type { Listing } from './listing.ts'

export type ListingResult = Awaited<ReturnType<typeof loadListing>>

/** Everything that a listing shows, from the provider. */
export async function loadListing(api: Api, { layout: _, ...query }: Listing) {
  const [found, beside, { banners }] = await Promise.all([
    api.queryProducts(query as Parameters<Api['queryProducts']>[0]),
    api.getPriceRange({}),
    api.getBanners({}),
  ])
  return { ...found, ...beside, banner: banners[0] }
}

/** What must change for a listing to be rendered again. A product that comes or goes changes the categories, too. */
export function listingTags({ category }: Listing, { products, latest }: ListingResult): string[] {
  const list = category ? categoryTag(category) : 'products'
  return pageTags('banners', list, ...[...products, ...latest].map(productTag))
}
