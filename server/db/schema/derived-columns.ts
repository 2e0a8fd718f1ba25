import { sql, type SQL } from 'drizzle-orm'
import { doublePrecision, type ExtraConfigColumn, integer, numeric } from 'drizzle-orm/pg-core'
import { OFFERED_DISCOUNTS } from '#contract/rules.ts'

/**
 * The mean rating, weighted with ten ratings of 3.5, so that one rating of 5 counts less than many of 4.8; 0 without a
 * rating. This is the weighted rating (v·R + m·C) / (v + m) by which IMDb sorts its Top 250, a Bayesian average.
 */
export const ratingScore = () =>
  doublePrecision('rating_score')
    .notNull()
    .generatedAlwaysAs(
      sql`case when rating > 0 then (greatest(rating_count, 1) * rating + 35) / (greatest(rating_count, 1) + 10) else 0 end`,
    )

/** In percent. */
export const discount = (name: string) => numeric(name, { precision: 7, scale: 4, mode: 'number' })

// A generated column cannot read another one.
const SHOWN_DISCOUNT = sql`case when price_cents * discount >= 10000 then trunc(floor(price_cents * discount / 10000) * 10000 / price_cents, 4) else 0 end`
const FINAL_CENTS = sql`price_cents - (floor(price_cents * discount / 10000))::integer * 100`

/** The percent that a discount really takes off, unrounded: whole dollars, as in `percentOff` of contract/rules.ts. */
export const shownDiscount = () => discount('shown_discount').notNull().generatedAlwaysAs(SHOWN_DISCOUNT)

/** The price after the discount, with the same arithmetic as `discountedCents` in contract/rules.ts. */
export const finalCents = () => integer('final_cents').notNull().generatedAlwaysAs(FINAL_CENTS)

const DISCOUNTS = sql.join(
  OFFERED_DISCOUNTS.map(percent => sql`(${SHOWN_DISCOUNT} >= ${sql.raw(String(percent))})::int`),
  sql` + `,
)
/** The prices of a band differ by less than 40 %. */
const PRICE_BAND = sql`floor(3 * ln(greatest(${FINAL_CENTS}, 1)::float8))::int`

/**
 * The properties by which lists count products, combined into one number, because grouping by one column is three times
 * as fast as grouping by all of them: price band, number of offered discounts that it reaches, whole stars,
 * availability. `readFacetGroup` in catalogue/facets.ts decodes it.
 */
export const facetGroup = () =>
  integer('facet_group')
    .notNull()
    .generatedAlwaysAs(sql`((${PRICE_BAND} * 10 + ${DISCOUNTS}) * 10 + floor(rating)::int) * 10 + is_available::int`)

/**
 * The unstemmed words of a name, without accents. Punctuation is removed first, because PostgreSQL takes 'red/blue' for
 * one word.
 */
export const nameWords = (text: SQL) =>
  sql`to_tsvector('simple', translate(case when octet_length(${text}) = length(${text}) then ${text} else ${withoutAccents(text)} end, '-/._@:+&#<>', '           '))`

/** A text with the letters that `search_fold` (migration 0018) has, without its other changes. */
const withoutAccents = (text: SQL) =>
  sql`replace(replace(replace(translate(normalize(regexp_replace(normalize(lower(${text}), NFKD), '(?<=[a-zA-Z])[\\u0300-\\u036f]+', '', 'g'), NFKC), 'ёøłđı', 'еoldi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')`

/**
 * The columns by which most listings filter. Appended to the index of each sort order, so that the index alone
 * suffices.
 */
export const filtersOf = ({ rating, finalCents, optionSet, brand, sellerId }: FilterColumns) => [
  rating,
  finalCents,
  optionSet,
  brand,
  sellerId,
]
type FilterColumns = Record<'rating' | 'finalCents' | 'optionSet' | 'brand' | 'sellerId', ExtraConfigColumn>

/** The sort order of the top-selling products, with which the indexes of listings begin. */
export const topSellingOrder = ({ isAvailable, unitsSold, isPromoted, rating, id }: TopSellingColumns) =>
  [isAvailable.desc(), unitsSold.desc(), isPromoted.desc(), rating.desc(), id] as const
type TopSellingColumns = Record<'isAvailable' | 'unitsSold' | 'isPromoted' | 'rating' | 'id', ExtraConfigColumn>
