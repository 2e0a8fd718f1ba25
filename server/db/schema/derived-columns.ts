import { sql, type SQL } from 'drizzle-orm'
import { doublePrecision, integer, numeric } from 'drizzle-orm/pg-core'

/**
 * The mean rating, weighted with ten ratings of 3.5, so that one rating of 5 counts less than many of 4.8; 0 without a rating.
 * This is the weighted rating (v·R + m·C) / (v + m) by which IMDb sorts its Top 250, a Bayesian average.
 */
export const ratingScore = () =>
  doublePrecision('rating_score')
    .notNull()
    .generatedAlwaysAs(
      sql`case when rating > 0 then (greatest(rating_count, 1) * rating + 35) / (greatest(rating_count, 1) + 10) else 0 end`,
    )

/** In percent. */
export const discount = (name: string) => numeric(name, { precision: 7, scale: 4, mode: 'number' })

/** The discount that lists show: 0 if it takes off less than a dollar, because discounts are whole dollars. */
export const shownDiscount = () =>
  discount('shown_discount')
    .notNull()
    .generatedAlwaysAs(sql`case when price_cents * discount >= 10000 then discount else 0 end`)

/** The price after the discount, with the same arithmetic as `discountedCents` in contract/rules.ts. */
export const finalCents = () =>
  integer('final_cents')
    .notNull()
    .generatedAlwaysAs(sql`price_cents - (floor(price_cents * discount / 10000))::integer * 100`)

/** The unstemmed words of a name. Punctuation is removed first, because PostgreSQL takes 'red/blue' for one word. */
export const nameWords = (text: SQL) => sql`to_tsvector('simple', translate(${text}, '-/._@:+&#<>', '           '))`
