import type { ListingSort } from '#contract/rules.ts'
import { LISTING_PATH, listingHref } from './listing.ts'

const everything = { page: 1, layout: 'grid' } as const

/** The listing of all products in an order. */
export const sortedHref = (sort: ListingSort): string => listingHref(LISTING_PATH, { ...everything, sort })

/** The listing of a category's products. */
export const categoryHref = (category: string): string => listingHref(LISTING_PATH, { ...everything, category })

/** What the header and the footer of all pages lead to, beside the categories. */
export const SHOP_LINKS = [
  { name: 'Stores', href: '/stores' },
  { name: 'New', href: sortedHref('newest') },
  { name: 'On sale', href: sortedHref('biggest-discount') },
]
