/** Page sizes. Responses carry them as `parPage`. */
export const PRODUCTS_PER_PAGE = 12
export const SELLERS_PER_PAGE = 4
export const STORES_PER_PAGE = 12
export const REVIEWS_PER_PAGE = 5
/** The trigger `product_restocked` repeats this and `RELATED_PRODUCTS`, and 1 more where a product is in its own list. */
export const SIDE_LIST_LENGTH = 9
export const RELATED_PRODUCTS = 12
export const TOP_PRODUCTS = 12
export const FEATURED_SELLERS = 8
export const TRAINING_PRODUCTS = 50
export const TRAINING_BYTES = 20_000
/** Larger than any real page number, small enough for every integer type that it passes through. */
export const MAX_PAGE_NUMBER = 1_000_000_000

/** URLs in one sitemap file; the protocol allows 50,000. */
export const SITEMAP_PAGE_SIZE = 10_000

/** Lengths in characters. */
export const NAME_LENGTH = { shortest: 2, longest: 50 }
export const EMAIL_LENGTH = { shortest: 5, longest: 100 }
export const PASSWORD_LENGTH = { shortest: 8, longest: 100 }
export const ADDRESS_LENGTH = 200
export const ADDRESS_NAME_LENGTH = 50
export const REVIEW_LENGTH = 2000
/** Characters of a shop's answer to a review. */
export const REVIEW_ANSWER_LENGTH = 1000

/** A day of 24 hours. */
export const DAY_MS = 24 * 3600_000

/** The last millisecond of a day in UTC. Deadlines end there, because pages and mails name only their day. */
export function endOfDay(ms: number): number {
  return ms - (ms % DAY_MS) + DAY_MS - 1
}

/** A discounted price is shown with the lowest price of this many days before the discount. */
export const LOWEST_PRICE_DAYS = 30

/** Joins '3 December' and '6 December' to '3–6 December'; across months, '30 November – 6 December'. */
export function joinDates(first: string, last: string): string {
  const [day, month] = first.split(' ')
  if (first === last) return last
  return last.endsWith(` ${month}`) ? `${day}–${last}` : `${first} – ${last}`
}

/** Days after its delivery in which a product may be returned. */
export const RETURN_DAYS = 30

/** How many business days a refund takes to reach the customer's account. */
export const REFUND_DAYS = '5-7'

/** What customers read about an order that was not paid in time. */
export const LATE_PAYMENT =
  'If a payment still arrives, we will send you the order as long as everything is in stock, and refund you otherwise.'

/** What customers read about a refund that was made. */
export const REFUND_TIME = `It may take ${REFUND_DAYS} business days to reach your account.`

/** Sent for a field of an address that the country does not have, because all fields are required. */
export const NO_FIELD = '-'

/** An address in which nothing is filled in. */
export const EMPTY_ADDRESS = {
  name: '',
  address: '',
  phone: '',
  postal: '',
  province: '',
  city: '',
  area: '',
  country: '',
}

/** How long a password reset link is valid. */
export const RESET_MINUTES = 30
/** How long an email confirmation link is valid. */
export const CONFIRMATION_DAYS = 3
/** Days from the request until an account is deleted; until then, the customer can cancel the deletion. */
export const DELETION_DAYS = 14

/** More lines than anyone needs, few enough to load at once. */
export const MAX_CART_LINES = 100
export const MAX_SAVED_LINES = 100
export const MAX_WISHLIST_ITEMS = 500
export const MAX_ALERTS = 100
/** Failed payments of a customer in 24 hours: more look like card testing, the trying out of stolen cards. */
export const MAX_FAILED_PAYMENTS = 20
/** Addresses in addition to the default one. */
export const MAX_ADDRESSES = 20

/** Unpaid orders that one customer may have at a time. */
export const MAX_UNPAID_ORDERS = 10
/** $99,999,999.99 for a whole order: more than any payment provider accepts. */
export const MAX_ORDER_CENTS = 9_999_999_999
/** How long an unpaid order reserves its stock. */
export const HOLD_MINUTES = 30
/** How long an order reserves its stock once a payment, such as mobile money, is processing. */
export const PROCESSING_HOLD_HOURS = 24
/** Identical requests within this time count as one, even without an idempotency key. */
export const SAME_REQUEST_SECONDS = 10

/** After this time without a reply from the shop, the customer can ask the operator to decide. */
export const RETURN_ANSWER_DAYS = 3
/** The customer must send an approved return back, and the shop then confirm its arrival, within this time. */
export const RETURN_SEND_DAYS = 14
/** Requests for one seller's part that the customer may withdraw. The shop gets a mail about each of them. */
export const MAX_WITHDRAWN_RETURNS = 10
/** Pictures of one return. */
export const MAX_RETURN_PICTURES = 5
/** Pictures of one review. */
export const MAX_REVIEW_PICTURES = 3
export const RETURN_WORDS_LENGTH = 2000
/** Maximum length of the reason for declining a return. */
export const RETURN_ANSWER_LENGTH = 500

export const STARS = [5, 4, 3, 2, 1] as const
export const SEARCH_LENGTH = 200
/** Suggestions in the search field: the fewest letters, and the most suggestions of each kind. */
export const MIN_SUGGESTED_LETTERS = 2
export const SUGGESTED_PRODUCTS = 6
export const SUGGESTED_CATEGORIES = 3
export const SUGGESTED_SHOPS = 3
export const CATEGORY_LENGTH = 100
export const OPTION_LENGTH = 255
/** Values that can be chosen at the same time, in all filters of a listing together. */
export const MAX_FILTER_VALUES = 30
/** Options that a listing offers as filters, and values of each: the ones with the most products. */
export const MAX_OPTION_FILTERS = 6
export const MAX_OFFERED_VALUES = 60
/** The minimum discounts, in percent, that a listing offers as filters. */
export const OFFERED_DISCOUNTS = [10, 25, 50] as const
/** The minimum discount of products on sale: below it, they have no badge. */
export const ON_SALE_PERCENT = 1
export const COUNTRY_LENGTH = 100
export const ID_LENGTH = 100
/** The sort orders of a product list besides its default: values of the parameter `sortPrice`. */
export const LISTING_SORTS = ['low-to-high', 'high-to-low', 'newest', 'best-rated', 'biggest-discount'] as const
export type ListingSort = (typeof LISTING_SORTS)[number]
/** The sort orders of a product's reviews besides newest first: values of the parameter `sort`. */
export const REVIEW_SORTS = ['highest', 'lowest', 'helpful'] as const
export type ReviewSort = (typeof REVIEW_SORTS)[number]
/** $999,999.99: keeps cents × percentage steps an exact integer in a double. */
export const MAX_PRICE_CENTS = 99_999_999
export const MAX_STOCK = 1_000_000_000
/** Highest price in US dollars that a listing filter accepts; beyond any real price. */
export const MAX_FILTER_PRICE = 1_000_000_000
export const DEFAULT_PRICE_RANGE = { low: 0, high: 100 }

const DISCOUNT_STEPS = 10_000

/**
 * Unit price after discount, in cents: the price minus floor(price × discount / 100) whole dollars. `discount` is a
 * percentage from 0 to 100 with up to four decimals.
 */
export function discountedCents({ priceCents, discount }: { priceCents: number; discount: number }): number {
  const dollarsOff = Math.floor((priceCents * Math.round(discount * DISCOUNT_STEPS)) / (DISCOUNT_STEPS * 10_000))
  return priceCents - dollarsOff * 100
}

/** The discount in percent after its rounding to whole dollars, rounded down: 5 % off $35.00 is $1, so 2 %. */
export function percentOff(price: { priceCents: number; discount: number }): number {
  if (price.priceCents === 0) return 0
  return Math.floor((100 * (price.priceCents - discountedCents(price))) / price.priceCents)
}

/**
 * Inverse of `discountedCents`: a price and discount that yield `paidCents`, for a product with the compare-at price
 * `comparedCents`. A difference of less than a dollar is no discount.
 */
export function discountFor(paidCents: number, comparedCents: number): { priceCents: number; discount: number } {
  const dollarsOff = Math.floor((comparedCents - paidCents) / 100)
  if (dollarsOff < 1) return { priceCents: paidCents, discount: 0 }
  const priceCents = paidCents + dollarsOff * 100
  const discount = Math.ceil((dollarsOff * 10_000 * DISCOUNT_STEPS) / priceCents) / DISCOUNT_STEPS
  return { priceCents, discount }
}

/** The letters and digits of a text in lower case, without accents, with '-' between its words. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** The shop name in a store's URL, for people to read. Only the id after it identifies the store. */
export function shopSlug(shopName: string): string {
  return slugOf(shopName) || 'shop'
}
