import { and, eq, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { Facets } from '#contract/filters.ts'
import { DEFAULT_PRICE_RANGE, OFFERED_DISCOUNTS, STARS } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products, sellers } from '../db/schema.ts'
import { sumBy } from '../platform/sum.ts'
import { isVisible } from './products.ts'

/** The chosen facets of a listing. A facet's own choice does not restrict its counts, so that others can be offered. */
export interface ChosenFacets {
  rating?: number | undefined
  /** Minimum in percent. */
  discount?: number | undefined
  inStock?: boolean | undefined
}

/** Share of the products, from the cheapest on, that the price slider covers if the others are outliers. */
const SLIDER_SHARE = 0.9
/** The others are outliers if the dearest costs more than this many times the dearest product of the slider. */
const OUTLIER_FACTOR = 4
/** With fewer products, the slider always covers all prices. */
const MIN_TO_LIMIT = 5

export function fulfils({ rating, discount, inStock }: ChosenFacets): SQL | undefined {
  return and(
    rating === undefined ? undefined : and(gte(products.rating, rating), lt(products.rating, rating + 1)),
    discount === undefined ? undefined : gte(products.shownDiscount, discount),
    inStock ? eq(products.isAvailable, true) : undefined,
  )
}

/**
 * A condition: the product's shop ships to the country, or the product has its own shipping price for it. Each half is
 * read only once, from a small table or index.
 */
export function shipsTo(country: string): SQL {
  return sql`(
    ${products.sellerId} in (select id from ${sellers} where shipping_rates ? ${country})
    or ${products.id} in (
      select id from ${products} own where is_visible and shipping_prices <> '{}' and shipping_prices ? ${country}
    )
  )`
}

/** A group of products that have all counted properties in common. Prices are in cents. */
interface Cell {
  rating: number
  /** How many of `OFFERED_DISCOUNTS` the products reach. */
  discounts: number
  isDiscountMet: boolean
  inStock: boolean
  isPriced: boolean
  count: number
  low: number
  high: number
}

/**
 * Counts the products that match `where` for each rating, discount and availability, combined with the other chosen
 * facets. Groups the products only once, by all of these. `isPriced` is the condition of the price filter.
 */
export async function countFacets(
  db: Db,
  where: SQL | undefined,
  chosen: ChosenFacets,
  isPriced: SQL | undefined,
): Promise<Facets> {
  const cells = await readCells(db, where, chosen, isPriced)
  const count = (isCounted: (cell: Cell) => boolean) => sumBy(cells.filter(isCounted), cell => cell.count)
  const isRated = ({ rating }: Cell) => chosen.rating === undefined || rating === chosen.rating
  const isStocked = (cell: Cell) => !chosen.inStock || cell.inStock
  return {
    ratings: STARS.map(rating => ({
      rating,
      count: count(cell => cell.rating === rating && cell.isPriced && cell.isDiscountMet && isStocked(cell)),
    })),
    discounts: OFFERED_DISCOUNTS.map((percent, at) => ({
      percent,
      count: count(cell => cell.discounts > at && cell.isPriced && isRated(cell) && isStocked(cell)),
    })),
    inStock: count(cell => cell.inStock && cell.isPriced && cell.isDiscountMet && isRated(cell)),
    priceRange: rangeOf(cells.filter(cell => cell.isDiscountMet && isRated(cell) && isStocked(cell))),
  }
}

function rangeOf(cells: Cell[]): Facets['priceRange'] {
  if (cells.length === 0) return { ...DEFAULT_PRICE_RANGE, end: DEFAULT_PRICE_RANGE.high }
  const cheapestFirst = cells.toSorted((one, other) => one.high - other.high)
  const total = sumBy(cells, ({ count }) => count)
  let passed = 0
  const coveredHigh = cheapestFirst.find(({ count }) => (passed += count) >= Math.floor(SLIDER_SHARE * total))!.high
  const highest = cheapestFirst.at(-1)!.high
  const isLimited = total >= MIN_TO_LIMIT && highest > OUTLIER_FACTOR * coveredHigh
  const low = Math.min(...cells.map(cell => cell.low)) / 100
  return { low, high: Math.ceil(highest / 100), end: Math.ceil((isLimited ? coveredHigh : highest) / 100) }
}

type ReadCell = [
  facetGroup: number,
  isDiscountMet: boolean,
  isPriced: boolean,
  count: number,
  low: number,
  high: number,
]

/** Groups by discount and price only if they were chosen: each condition takes as long as reading the index. */
async function readCells(
  db: Db,
  where: SQL | undefined,
  { discount }: ChosenFacets,
  isPriced: SQL | undefined,
): Promise<Cell[]> {
  const { facetGroup, finalCents, shownDiscount } = products
  const isDiscountMet = discount === undefined ? undefined : sql`${shownDiscount} >= ${discount}`
  const places = [1, ...(isDiscountMet ? [2] : []), ...(isPriced ? [3] : [])]
  const { rows } = await db.execute<{ cells: ReadCell[] | null }>(sql`
    select json_agg(json_build_array(facet_group, is_discount_met, is_priced, count, low, high)) as cells from (
      select ${facetGroup}, ${isDiscountMet ?? sql`true`} as is_discount_met, ${isPriced ?? sql`true`} as is_priced,
        count(*)::int as count, min(${finalCents}) as low, max(${finalCents}) as high
      from ${products} where ${and(isVisible, where)} group by ${sql.raw(places.join(', '))}
    ) cell
  `)
  return (rows[0]?.cells ?? []).map(([group, isDiscountMet, isPriced, count, low, high]) => {
    return { ...readFacetGroup(group), isDiscountMet, isPriced, count, low, high }
  })
}

/**
 * Decodes the column `facet_group`: its last digits are discounts, rating and availability; the price band is before.
 */
function readFacetGroup(group: number): Pick<Cell, 'rating' | 'discounts' | 'inStock'> {
  const digit = (place: number) => Math.floor(group / place) % 10
  return { inStock: digit(1) === 1, rating: digit(10), discounts: digit(100) }
}
