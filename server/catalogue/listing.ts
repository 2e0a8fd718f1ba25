import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { ProductQuery } from '#contract/catalogue.ts'
import type { Product } from '#contract/product.ts'
import type { Facets, OfferedFilter } from '#contract/filters.ts'
import { MAX_PRICE_CENTS, PRODUCTS_PER_PAGE } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products } from '../db/schema.ts'
import type { ProductCache } from './product-cache.ts'
import { nameVariants } from './matching-variants.ts'
import type { QueryCache } from './query-cache.ts'
import { shipsTo } from './facets.ts'
import { checkFilters, type Filtered, filterProducts } from './filters.ts'
import { isVisible, ORDERS, selectIds, selectProducts, toProduct } from './products.ts'
import { scoreOf } from './search/relevance.ts'
import { stagesOf } from './search/stages.ts'
import { currentSynonyms } from './search/current-synonyms.ts'
import { type Term, understand } from './search/terms.ts'

/** This many best-selling results of a search are ranked by relevance; the others follow by units sold. */
const RANKED = 50 * PRODUCTS_PER_PAGE
/** Up to this many results are sorted. For more, reading along the top-selling index finds the best-selling sooner. */
const SORTED = 10_000

/** A listing's query; `sellerId` restricts it to one shop. */
export type ListingQuery = ProductQuery & { sellerId?: string }

/** The part of a listing's result that is the same on all its pages. */
export interface Found extends Filtered {
  terms: Term[]
  /** A condition: products that fulfil it precede the others in the order of relevance. */
  first?: SQL | undefined
  /** Products that cost at most this precede others that are as relevant. */
  mostCents?: number | undefined
  /** The condition for the words of the search. */
  matching?: SQL | undefined
  /** No product has all words of the search: the found products have most of them. */
  isPartial: boolean
  /** A few products have all words of the search; others, which have most of them or are similar, were added. */
  hasOthers?: boolean | undefined
  /** No product has any of the words, so all products are listed. */
  isUnrelated: boolean
  correctedSearch: string | null
}

export interface ListedPage {
  products: Product[]
  total: number
  pageSize: number
  filters: OfferedFilter[]
  facets: Facets
  isPartial: boolean
  hasOthers?: boolean | undefined
  isUnrelated: boolean
  correctedSearch?: string | undefined
  mostCents?: number | undefined
}

/**
 * One page of the products that match a listing's filters, and the filters that it offers. Without `sort`, a search is
 * ordered by relevance and other listings by units sold. `cache` holds products for pages of this process.
 */
export async function queryProducts(
  db: Db,
  foundCache: QueryCache<Found>,
  { page = 1, sort, ...given }: ListingQuery,
  cache?: ProductCache,
): Promise<ListedPage> {
  const { search = '' } = given
  const { where, found } = await findProducts(db, foundCache, given)
  const { total, terms, offered, facets, condition, isPartial, hasOthers, isUnrelated, mostCents } = found
  const offset = (page - 1) * PRODUCTS_PER_PAGE
  const shown = {
    total,
    pageSize: PRODUCTS_PER_PAGE,
    filters: offered,
    facets,
    isPartial,
    hasOthers,
    isUnrelated,
    correctedSearch: found.correctedSearch ?? undefined,
    mostCents,
  }
  if (offset >= total) return { products: [], ...shown }

  const slice = { limit: PRODUCTS_PER_PAGE, offset }
  const isRanked = search !== '' && !sort && offset < RANKED
  const matching = and(where, condition, found.matching)
  const ordered = { where: matching, order: ORDERS[sort ?? 'topSelling'], ...slice }
  const listed = await readListed()
  return { products: await nameVariants(db, listed, given), ...shown }

  async function readListed(): Promise<Product[]> {
    if (cache && !isRanked) {
      const ids = await selectIds(db, ordered)
      return cache.of(ids.map(({ pageId }) => pageId))
    }
    const ranking = { where: matching, score: scoreOf(terms, found), isWalked: total > SORTED, ...slice }
    const rows = isRanked ? await selectRanked(db, ranking) : await selectProducts(db, ordered)
    return rows.map(row => toProduct(row))
  }
}

/** The number of products that match a listing's filters. */
export async function countProducts(db: Db, foundCache: QueryCache<Found>, query: ListingQuery): Promise<number> {
  const { found } = await findProducts(db, foundCache, query)
  return found.total
}

type Filters = Omit<ListingQuery, 'page' | 'sort' | 'search' | 'literal'>

async function findProducts(
  db: Db,
  foundCache: QueryCache<Found>,
  { page: _, sort: __, search = '', literal = false, filters, ...rest }: ListingQuery,
) {
  const query = { ...rest, filters: checkFilters(filters) }
  const where = whereOf(query)
  const found = await foundCache.of(['query', query, search, literal], () =>
    findMatches(db, where, { search, literal }, query),
  )
  return { where, found }
}

/** Finds the products with all words of the search or, if there are none, those with most of them. */
async function findMatches(
  db: Db,
  where: SQL | undefined,
  { search, literal }: { search: string; literal: boolean },
  query: Filters,
): Promise<Found> {
  const prices = { low: cents(query.lowPrice), high: cents(query.highPrice) }
  const findBy = async (matching?: SQL) => {
    const chosen = { prices, facets: query }
    return { ...(await filterProducts(db, and(where, matching), chosen, query.filters)), matching }
  }
  const complete = { isPartial: false, isUnrelated: false }
  if (search === '') return { ...(await findBy()), ...complete, terms: [], correctedSearch: null }
  const understood = await understand(db, search, await currentSynonyms(db), literal)
  const { corrected: correctedSearch, mostCents } = understood
  const counted = { named: 0, all: 0, near: 0 }
  let ofAllWords: SQL | undefined
  for (const stage of stagesOf(understood, literal)) {
    const { matching, terms, first, isPartial = false, isUnrelated = false, counts, atLeast = 0, isNeeded } = stage
    if (isNeeded && !isNeeded(counted)) continue
    if (counts) counted[counts] = await db.$count(products, and(isVisible, where, matching))
    if (counts === 'all') ofAllWords = matching
    if (counts && counted[counts] < atLeast) continue
    const found = await findBy(matching)
    if (!found.isAny) continue
    const completeCount = isPartial && counted.all > 0 ? (await findBy(ofAllWords)).total : 0
    const hasOthers = (completeCount > 0 && found.total > completeCount) || undefined
    const answer = { terms, first, mostCents, correctedSearch, isUnrelated, hasOthers }
    return { ...found, ...answer, isPartial: isPartial && counted.all === 0 }
  }
  return { ...(await findBy(sql`false`)), ...complete, terms: understood.terms, correctedSearch }
}

/** The conditions that have no counts: category, country and shop. */
function whereOf({ category, shipsTo: country, sellerId }: Filters): SQL | undefined {
  return and(
    category === undefined ? undefined : eq(products.category, category),
    sellerId === undefined ? undefined : eq(products.sellerId, sellerId),
    country === undefined ? undefined : shipsTo(country),
  )
}

/** Capped just above the highest possible price, so that the amount fits the database's integer. */
function cents(dollars: number | undefined): number | undefined {
  return dollars === undefined ? undefined : Math.min(Math.round(dollars * 100), MAX_PRICE_CENTS + 1)
}

interface Ranked {
  where: SQL | undefined
  score: SQL
  isWalked: boolean
  limit: number
  offset: number
}

function selectRanked(db: Db, { where, score, isWalked, limit, offset }: Ranked) {
  // `not` keeps PostgreSQL from using the index: it underestimates how many products it would read for each match.
  const order = isWalked ? ORDERS.topSelling : [sql`not ${products.isAvailable}`, ...ORDERS.topSelling]
  const best = db
    .select({
      bestId: products.id,
      place: sql<number>`row_number() over (order by ${sql.join(order, sql`, `)})`.as('place'),
    })
    .from(products)
    .where(and(isVisible, where))
    .orderBy(...order)
    .limit(RANKED)
    .as('best')
  const ids = db
    .select({ pageId: products.id })
    .from(best)
    .innerJoin(products, eq(products.id, best.bestId))
    .orderBy(sql`${score} desc`, best.place)
    .limit(limit)
    .offset(offset)
    .as('page')
  const shown = [sql`${score} desc`, ...ORDERS.topSelling]
  return selectProducts(db, { order: shown, limit }, ids)
}
