import type { StoredBanner, StoredPicture, ShippingCents, variants } from '../../db/schema.ts'

type StoredVariant = typeof variants.$inferSelect

/** `options` is empty for the only variant of a product without choices. */
export type VariantDraft = Omit<StoredVariant, 'productId' | 'position'>

export type PriceDraft =
  /** What the shopper pays, beside what the seller compares it with. */
  | { paidCents: number; compareAtCents: number | null }
  | { priceCents: number; discount: number; compareAtCents: number | null }

/** What a catalogue file says of one product. What is undefined the file does not say: the shop keeps its own. */
export interface ProductDraft {
  /** Where the file says it. */
  line: number
  shopName: string
  handle: string
  slug?: string | undefined
  name: string
  category: string
  brand?: string | undefined
  price: PriceDraft
  stock: number
  /** The file says no stock: what is given here is for a new product, a known one keeps its own. */
  isStockGuessed?: boolean
  /** How many of its variants have a stock only because the file does not count them. */
  untrackedCount?: number
  /** Sanitised HTML. */
  description: string
  tags: string[]
  pictures: StoredPicture[]
  isHidden: boolean
  variants: VariantDraft[]
  banner?: StoredBanner | null | undefined
  isPromoted?: boolean | undefined
  shippingPrices?: ShippingCents | undefined
  createdAt?: Date | undefined
  /** More rows of a product that this import has stored before: only its variants and pictures count. */
  isRest?: boolean
}

export interface SellerDraft {
  line: number
  shopName: string
  description: string
  isVerified: boolean
  hasAi: boolean
  shippingRates: ShippingCents
  picture: StoredPicture | null
  banner: StoredBanner | null
  createdAt?: Date | undefined
}

export interface CategoryDraft {
  line: number
  name: string
  picture: StoredPicture | null
}

/** The whole carousel of the home page, in its order. */
export interface CarouselDraft {
  line: number
  banners: StoredBanner[]
}

/** What a catalogue file says of one thing. */
export type Draft = ProductDraft | SellerDraft | CategoryDraft | CarouselDraft

export const NO_SHOP = 'Unnamed shop'
export const NO_CATEGORY = 'Other'

/** What a product's price is compared with: the seller's own figure, or what its discount is taken from. */
export function comparedCents(product: {
  compareAtCents: number | null
  discount: number
  priceCents: number
}): number | null {
  return product.compareAtCents ?? (product.discount > 0 ? product.priceCents : null)
}
