import { and, eq, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { Product, ProductQuery } from '#contract/catalog.ts'
import type { OfferedFilter } from '#contract/filters.ts'
import { MAX_PRICE_CENTS, PRODUCTS_PER_PAGE } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products } from '../db/schema.ts'
import type { ProductCache } from './product-cache.ts'
import type { QueryCache } from './query-cache.ts'
import { checkFilters, type Filtered, filterProducts } from './filters.ts'
import { isVisible, ORDERS, selectIds, selectProducts, toProduct } from './products.ts'
import { corrected, type Terms, termsOf, toTextQuery, unjoined } from './search.ts'

/** This many best-selling results of a search are ranked by relevance; the others follow by units sold. */
const RANKED = 50 * PRODUCTS_PER_PAGE
/** Up to this many results are sorted; with more, walking along the top-selling index finds the best-selling sooner. */
const SORTED = 10_000

/** A listing's query; with `sellerId`, of one shop. */
export type ListingQuery = ProductQuery & { sellerId?: string }

/** What a listing finds, on whichever page. */
export interface Found extends Filtered {
  terms: Terms
}

/**
 * One page of the products that match a listing's filters, and the filters that it offers. Without `sort`, a search is
 * ordered by relevance and other listings by units sold. `kept` caches products for pages of this process.
 */
export async function queryProducts(
  db: Db,
  totals: QueryCache<Found>,
  { page = 1, sort, search = '', filters: given, ...rest }: ListingQuery,
  kept?: ProductCache,
): Promise<{ products: Product[]; total: number; pageSize: number; filters: OfferedFilter[] }> {
  const query = { ...rest, filters: checkFilters(given) }
  const where = whereOf(query)
  const found = await totals.of(['query', query, search], () => find(db, where, search, query))
  const { total, terms, offered, condition } = found
  const offset = (page - 1) * PRODUCTS_PER_PAGE
  const shown = { total, pageSize: PRODUCTS_PER_PAGE, filters: offered }
  if (offset >= total) return { products: [], ...shown }

  const slice = { limit: PRODUCTS_PER_PAGE, offset }
  const isRanked = search !== '' && !sort && offset < RANKED
  const matching = and(where, condition, search === '' ? undefined : matches(terms))
  const ordered = { where: matching, order: ORDERS[sort ?? 'topSelling'], ...slice }
  if (kept && !isRanked) {
    const ids = await selectIds(db, ordered)
    return { products: await kept.of(ids.map(({ pageId }) => pageId)), ...shown }
  }
  const rows = isRanked
    ? await selectRanked(db, { where: matching, text: toTextQuery(terms), isWalked: total > SORTED, ...slice })
    : await selectProducts(db, ordered)
  return { products: rows.map(row => toProduct(row)), ...shown }
}

type Filters = Omit<ListingQuery, 'page' | 'sort' | 'search'>

/** Finds the matching products. If the search as typed finds none, tries split and then corrected words. */
async function find(db: Db, where: SQL | undefined, search: string, query: Filters): Promise<Found> {
  const prices = { low: cents(query.lowPrice), high: cents(query.highPrice) }
  const findBy = async (terms: Terms, condition?: SQL): Promise<Found> => {
    return { ...(await filterProducts(db, and(where, condition), prices, query.filters)), terms }
  }
  if (search === '') return findBy([])
  const typed = termsOf(search)
  const parts = unjoined(typed)
  const asTyped = await findBy(typed, matches(typed))
  if (asTyped.isAny) return asTyped
  const split = parts && (await findBy(parts, matches(parts)))
  if (split?.isAny) return split
  const meant = await corrected(db, parts ?? typed)
  return meant ? findBy(meant, matches(meant)) : asTyped
}

function matches(terms: Terms): SQL {
  return sql`${products.search} @@ ${toTextQuery(terms)}`
}

/** All conditions but prices and filters. */
function whereOf({ category, rating, sellerId }: Filters): SQL | undefined {
  return and(
    category === undefined ? undefined : eq(products.category, category),
    sellerId === undefined ? undefined : eq(products.sellerId, sellerId),
    rating === undefined ? undefined : and(gte(products.rating, rating), lt(products.rating, rating + 1)),
  )
}

/** Capped just above the highest possible price, so that the amount fits the database's integer. */
function cents(dollars: number | undefined): number | undefined {
  return dollars === undefined ? undefined : Math.min(Math.round(dollars * 100), MAX_PRICE_CENTS + 1)
}

interface Ranked {
  where: SQL | undefined
  text: SQL
  isWalked: boolean
  limit: number
  offset: number
}

function selectRanked(db: Db, { where, text, isWalked, limit, offset }: Ranked) {
  // `+ 0` rules the index out: PostgreSQL underestimates the walk, which passes a hundred products for each match.
  const order = isWalked ? ORDERS.topSelling : [sql`${products.unitsSold} + 0 desc nulls last`, ...ORDERS.topSelling]
  const best = db
    .select({
      bestId: products.id,
      words: products.search,
      place: sql<number>`row_number() over (order by ${sql.join(order, sql`, `)})`.as('place'),
    })
    .from(products)
    .where(and(isVisible, where))
    .orderBy(...order)
    .limit(RANKED)
    .as('best')
  const ids = db
    .select({ pageId: best.bestId })
    .from(best)
    .orderBy(sql`ts_rank(${best.words}, ${text}) desc`, best.place)
    .limit(limit)
    .offset(offset)
    .as('page')
  const shown = [sql`ts_rank(${products.search}, ${text}) desc`, ...ORDERS.topSelling]
  return selectProducts(db, { order: shown, limit }, ids)
}
