import { and, eq, gte, lt, lte, sql, type SQL } from 'drizzle-orm'
import type { Product, ProductQuery } from '#contract/catalog.ts'
import { MAX_PRICE_CENTS, PRODUCTS_PER_PAGE } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products } from '../db/schema.ts'
import type { ProductCache } from './product-cache.ts'
import type { QueryCache } from './query-cache.ts'
import { isVisible, ORDERS, selectIds, selectProducts, toProduct } from './products.ts'
import { corrected, type Terms, termsOf, toTextQuery, unjoined } from './search.ts'

/** This many best-selling results of a search are ranked by relevance; the others follow by units sold. */
const RANKED = 50 * PRODUCTS_PER_PAGE
/** Up to this many results are sorted; with more, walking along the top-selling index finds the best-selling sooner. */
const SORTED = 10_000

interface Found {
  total: number
  terms: Terms
}

/**
 * One page of the products that match a listing's filters. Without `sort`, a search is ordered by relevance and other
 * listings by units sold. `kept` caches products for pages of this process.
 */
export async function queryProducts(
  db: Db,
  totals: QueryCache,
  { page = 1, sort, search = '', ...filters }: ProductQuery,
  kept?: ProductCache,
): Promise<{ products: Product[]; total: number; pageSize: number }> {
  const where = whereOf(filters)
  const { total, terms } = await totals.of(['query', filters, search], () => find(db, where, search))
  const offset = (page - 1) * PRODUCTS_PER_PAGE
  const shown = { total, pageSize: PRODUCTS_PER_PAGE }
  if (offset >= total) return { products: [], ...shown }

  const slice = { limit: PRODUCTS_PER_PAGE, offset }
  const isRanked = search !== '' && !sort && offset < RANKED
  const matching = and(where, search === '' ? undefined : matches(terms))
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

/** Counts the matching products. If the search as typed finds none, tries split and then corrected words. */
async function find(db: Db, where: SQL | undefined, search: string): Promise<Found> {
  if (search === '') return { total: await count(db, where), terms: [] }
  const typed = termsOf(search)
  const parts = unjoined(typed)
  for (const terms of parts ? [typed, parts] : [typed]) {
    const total = await count(db, and(where, matches(terms)))
    if (total > 0) return { total, terms }
  }
  const meant = await corrected(db, parts ?? typed)
  return meant ? { total: await count(db, and(where, matches(meant))), terms: meant } : { total: 0, terms: typed }
}

function count(db: Db, where: SQL | undefined): Promise<number> {
  return db.$count(products, and(isVisible, where))
}

function matches(terms: Terms): SQL {
  return sql`${products.search} @@ ${toTextQuery(terms)}`
}

function whereOf({ category, rating, lowPrice, highPrice }: Omit<ProductQuery, 'page' | 'sort' | 'search'>) {
  return and(
    category === undefined ? undefined : eq(products.category, category),
    rating === undefined ? undefined : and(gte(products.rating, rating), lt(products.rating, rating + 1)),
    lowPrice === undefined ? undefined : gte(products.finalCents, cents(lowPrice)),
    highPrice === undefined ? undefined : lte(products.finalCents, cents(highPrice)),
  )
}

/** Capped just above the highest possible price, so that the amount fits the database's integer. */
function cents(dollars: number): number {
  return Math.min(Math.round(dollars * 100), MAX_PRICE_CENTS + 1)
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
