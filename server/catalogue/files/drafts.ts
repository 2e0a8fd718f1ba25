import type { DayRange } from '#contract/delivery.ts'
import type { StoredBanner, StoredPicture, ShippingCents, variants } from '#server/db/schema.ts'

export type StoredVariant = typeof variants.$inferSelect

/**
 * A variant as read from a file. `options` is empty for the only variant of a product without choices. Undefined fields
 * are not in the file: a stored variant keeps its values.
 */
export interface VariantDraft extends Pick<StoredVariant, 'options' | 'stock'> {
  /** Undefined if the file does not say. */
  sellsWithoutStock: boolean | undefined
  price: PriceDraft
  sku?: string | undefined
  barcode?: string | undefined
  weightGrams?: number | null | undefined
  picture?: StoredPicture | null | undefined
  extra?: Record<string, string> | undefined
  /** The columns of the file, if a stored variant keeps the other ones of its `extra`. */
  extraColumns?: string[]
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
  /** The handle that the product has in files while it has no SKU, made of its id. */
  idHandle?: string | undefined
  slug?: string | undefined
  name: string
  category?: string | undefined
  brand?: string | undefined
  /** Sanitised HTML. */
  description?: string | undefined
  tags?: string[] | undefined
  pictures?: StoredPicture[] | undefined
  isHidden?: boolean | undefined
  /** At least one, except in `isRest`. */
  variants: VariantDraft[]
  /** Rows that cannot be used were or may have been of this product: it keeps the stored variants that it lacks. */
  isPartial?: boolean
  /** The file has no options: a stored product with several variants keeps them all. */
  lacksOptions?: boolean
  banner?: StoredBanner | null | undefined
  isPromoted?: boolean | undefined
  shippingPrices?: ShippingCents | undefined
  createdAt?: Date | undefined
  /** Later rows of a product that this import has already stored: only their variants and pictures count. */
  isRest?: boolean
}

/** A shop as read from a catalogue file. Undefined fields are not in the file: a stored shop keeps its values. */
export interface SellerDraft {
  line: number
  shopName: string
  description?: string | undefined
  isVerified?: boolean | undefined
  hasAi?: boolean | undefined
  isHidden?: boolean | undefined
  email?: string | null | undefined
  address?: string[] | undefined
  shippingRates?: ShippingCents | undefined
  handlingDays?: DayRange | null | undefined
  transitDays?: Record<string, DayRange> | undefined
  refundsShipping?: boolean | undefined
  picture?: StoredPicture | null | undefined
  banner?: StoredBanner | null | undefined
  createdAt?: Date | undefined
}

export interface CategoryDraft {
  line: number
  name: string
  /** Undefined if the file does not say: a stored category keeps its picture. */
  picture?: StoredPicture | null | undefined
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
