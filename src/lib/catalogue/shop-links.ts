import { type ListingSort, ON_SALE_PERCENT } from '#contract/rules.ts'
import { LISTING_PATH, listingHref } from './listing.ts'

const everything = { page: 1, layout: 'grid' } as const

/** The listing of all products in a sort order. */
export const sortedHref = (sort: ListingSort): string => listingHref(LISTING_PATH, { ...everything, sort })

/** The listing of the products on sale, most reduced first. */
export const ON_SALE_HREF = listingHref(LISTING_PATH, {
  ...everything,
  discount: ON_SALE_PERCENT,
  sort: 'biggest-discount',
})

/** The listing of a category's products. */
export const categoryHref = (category: string): string => listingHref(LISTING_PATH, { ...everything, category })

/** Links in the header and footer of all pages, besides the categories. */
export const SHOP_LINKS = [
  { name: 'Stores', href: '/stores' },
  { name: 'New', href: sortedHref('newest') },
  { name: 'On sale', href: ON_SALE_HREF },
]
