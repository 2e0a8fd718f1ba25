import type { StoredBanner, StoredPicture, ShippingCents, variants } from '#server/db/schema.ts'

export type StoredVariant = typeof variants.$inferSelect
/** The columns that a catalogue file sets. */
type VariantFacts = Pick<
  StoredVariant,
  'options' | 'sku' | 'barcode' | 'stock' | 'sellsWithoutStock' | 'weightGrams' | 'picture' | 'extra'
>

/** A variant as read from a file. `options` is empty for the only variant of a product without choices. */
export interface VariantDraft extends VariantFacts {
  price: PriceDraft
  /**
   * Set if `stock` is only a default because the file has no quantities: a stored variant then keeps its own stock.
   * With 'in stock', it keeps it only if that is more than 0.
   */
  stockGuess?: 'unknown' | 'in stock'
}

export type PriceDraft =
  /** The price that shoppers pay, and the seller's compare-at price. */
  | { paidCents: number; compareAtCents: number | null }
  | { priceCents: number; discount: number; compareAtCents: number | null }

/** A product as read from a catalogue file. Undefined fields are not in the file: a stored product keeps its values. */
export interface ProductDraft {
  /** The line of the file on which the product begins. */
  line: number
  shopName: string
  handle: string
  slug?: string | undefined
  name: string
  category: string
  brand?: string | undefined
  /** Sanitised HTML. */
  description: string
  tags: string[]
  pictures: StoredPicture[]
  isHidden: boolean
  /** At least one, except in `isRest`. */
  variants: VariantDraft[]
  banner?: StoredBanner | null | undefined
  isPromoted?: boolean | undefined
  shippingPrices?: ShippingCents | undefined
  createdAt?: Date | undefined
  /** Later rows of a product that this import has already stored: only their variants and pictures count. */
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

/** All banners of the home page's carousel, in order. */
export interface CarouselDraft {
  line: number
  banners: StoredBanner[]
}

/** One record of a catalogue file. */
export type Draft = ProductDraft | SellerDraft | CategoryDraft | CarouselDraft

export const NO_SHOP = 'Unnamed shop'
export const NO_CATEGORY = 'Other'

/** The compare-at price: the seller's own, or the price before the discount; null without either. */
export function comparedCents(variant: {
  compareAtCents: number | null
  discount: number
  priceCents: number
}): number | null {
  return variant.compareAtCents ?? (variant.discount > 0 ? variant.priceCents : null)
}
