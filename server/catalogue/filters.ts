import { and, or, type SQL, sql } from 'drizzle-orm'
import {
  type ChosenFilter,
  type Facets,
  type OfferedFilter,
  readFilters,
  valueKey,
  writeFilters,
} from '#contract/filters.ts'
import { MAX_OFFERED_VALUES } from '#contract/rules.ts'
import type { Db } from '../db/types.ts'
import { products, sellers } from '../db/schema.ts'
import { MalformedError } from '../platform/errors.ts'
import { sumBy } from '../platform/sum.ts'
import { type ChosenFacets, countFacets, fulfils } from './facets.ts'
import {
  addBrands,
  type ChosenKeys,
  type CountedShop,
  countOptions,
  keysOf,
  matcherOf,
  offerFilters,
  offerShops,
} from './filter-counts.ts'
import { currentOptionIndex, type OptionIndex } from './option-sets.ts'
import {
  type Counts,
  countBrandsAndShops,
  isAllPriced,
  isLimited,
  isPriced,
  mayBePriced,
  type PriceRange,
  type ProductGroup,
  readDivided,
  readGroups,
} from './product-groups.ts'
import { isVisible } from './products.ts'

export interface Filtered {
  total: number
  offered: OfferedFilter[]
  facets: Facets
  /** The condition that products must fulfil in addition to `where`. */
  condition: SQL | undefined
  /** Whether any product matches `where` and the prices, ignoring brands and options. */
  isAny: boolean
  /** Estimated size of the condition in memory, in characters. */
  size: number
}

/** Memory that a string and the number of an option set take, in characters. */
const STRING_CHARACTERS = 30
const SET_CHARACTERS = 8

/** Filters as `readFilters` returns them. Throws a `MalformedError` for malformed ones. */
export function checkFilters(given: ChosenFilter[] | undefined): ChosenFilter[] | undefined {
  const { filters, problem } = readFilters(writeFilters(given))
  if (problem) throw new MalformedError(problem.message, { [problem.name]: problem.message })
  return filters
}

/**
 * Applies a listing's facets, price range and filters to the visible products that match `where`, and counts the
 * products for each value of each filter. If options are chosen, one variant that can be bought must have a chosen
 * value of each and a price in the range. Otherwise the price of the product's cheapest variant must be in the range.
 */
export async function filterProducts(
  db: Db,
  where: SQL | undefined,
  { prices, facets }: { prices: PriceRange; facets: ChosenFacets },
  filters: ChosenFilter[] | undefined,
): Promise<Filtered> {
  const { options, brands, shops } = keysOf(filters)
  const ofBrands = brands && sql`${products.brand} = any(${sql.param(await findSpellings(db, brands))}::text[])`
  const ofShops = shops && sql`${products.sellerId} = any(${sql.param(shops)}::text[])`
  const choice = { where, prices, options, facets, ofFacets: fulfils(facets), ofBrands, ofShops }
  const optionIndex = currentOptionIndex(db)()
  const chosen = and(choice.ofFacets, ofBrands, ofShops)
  // Chosen options narrow the counts of facets, too: for those, products are read whatever their facets.
  const divided = readDivided(db, optionIndex, {
    where: options.size > 0 ? where : and(where, chosen),
    prices,
    isCounted: chosen,
  })
  const [optionCounts, ofOthers] = await Promise.all([
    countOptionValues(db, optionIndex, choice, divided),
    countOthers(db, optionIndex, choice, divided),
  ])
  const { matching, ofOptions, brandsAndShops = optionCounts } = ofOthers
  const { brands: brandCounts, shops: shopCounts } = brandsAndShops
  addBrands(optionCounts.counts, brandCounts)

  const chosenBrands = brands ? brandCounts.filter(([brand]) => brands.has(valueKey(brand))) : brandCounts
  const total = sumBy(chosenBrands, ([, count]) => count)
  return {
    total,
    offered: [
      ...offerFilters(optionCounts.counts, filters, total),
      ...offerShops(await nameShops(db, shopCounts, shops), shops),
    ],
    facets: ofOthers.facets,
    condition: and(choice.ofFacets, ofOptions, ofBrands, ofShops),
    isAny: brandCounts.length > 0 || (matching !== undefined && (await hasAny(db, and(where, mayBePriced(prices))))),
    size: sumBy(matching ?? [], sizeOf),
  }
}

/** What was chosen. The conditions are undefined where nothing was. */
interface Choice {
  where: SQL | undefined
  prices: PriceRange
  options: ChosenKeys
  facets: ChosenFacets
  ofFacets: SQL | undefined
  ofBrands: SQL | undefined
  ofShops: SQL | undefined
}

/** Counts the values of options; brands and shops, too, if neither they nor options are chosen. */
async function countOptionValues(db: Db, optionIndex: OptionIndex, choice: Choice, divided: Promise<ProductGroup[]>) {
  const { where, prices, options, ofFacets, ofBrands, ofShops } = choice
  const conditions = and(where, ofFacets, ofBrands, ofShops)
  const [{ groups, brands, shops }, dividedGroups] = await Promise.all([
    readGroups(db, optionIndex, { where: conditions, prices, by: hasOnlyFacets(choice) ? 'all' : 'options' }),
    divided,
  ])
  return { counts: countOptions(optionIndex.values, [...groups, ...dividedGroups], options), brands, shops }
}

/** Counts brands, shops and facets, each regardless of its own choice. */
async function countOthers(db: Db, optionIndex: OptionIndex, choice: Choice, divided: Promise<ProductGroup[]>) {
  const { where, prices, options, facets, ofFacets, ofBrands, ofShops } = choice
  const matching = options.size > 0 ? await findMatching(optionIndex, options, divided) : undefined
  const ofOptions = matching ? isOneOf(matching, prices) : isPriced(prices)
  const ofSets = matching?.filter(group => 'setId' in group)
  // PostgreSQL checks conditions of the same estimated cost in the given order. Options cost less than `shipsTo`.
  const [brandsAndShops, facetCounts] = await Promise.all([
    hasOnlyFacets(choice) ? undefined : countBrandsAndShops(db, and(ofOptions, where, ofFacets), { ofBrands, ofShops }),
    countFacets(
      db,
      and(ofSets && isOneOf(ofSets, {}), where, ofBrands, ofShops),
      facets,
      isLimited(prices) ? ofOptions : undefined,
    ),
  ])
  return { matching, ofOptions, brandsAndShops, facets: facetCounts }
}

/** Whether neither options nor brands nor shops are chosen. */
function hasOnlyFacets({ options, ofBrands, ofShops }: Choice): boolean {
  return options.size === 0 && !ofBrands && !ofShops
}

/**
 * Finds the groups of products that have the chosen options: all such option sets, which are few and cached, and those
 * of `divided`, the products with only some of their variants in the price range.
 */
async function findMatching(
  optionIndex: OptionIndex,
  options: ChosenKeys,
  divided: Promise<ProductGroup[]>,
): Promise<ProductGroup[]> {
  const [setIds, dividedGroups] = await Promise.all([optionIndex.loadAll(), divided])
  const matches = matcherOf(optionIndex.values, options)
  const matching: ProductGroup[] = dividedGroups.filter(({ set }) => matches(set))
  for (const setId of setIds) {
    const set = optionIndex.setOf(setId)
    if (set && matches(set)) matching.push({ setId, set, count: 0 })
  }
  return matching
}

async function hasAny(db: Db, where: SQL | undefined): Promise<boolean> {
  // Ordered like an index, so that PostgreSQL reads the index instead of all products.
  const rows = await db
    .select({ id: products.id })
    .from(products)
    .where(and(isVisible, where))
    .orderBy(products.category, products.rating)
    .limit(1)
  return rows.length > 0
}

function isOneOf(groups: ProductGroup[], prices: PriceRange): SQL | undefined {
  const setIds = groups.flatMap(group => ('setId' in group ? group.setId : []))
  const productIds = groups.flatMap(group => ('productIds' in group ? group.productIds : []))
  const ofSets = and(isAllPriced(prices), sql`${products.optionSet} = any(${sql.param(setIds)}::int[])`)
  if (productIds.length === 0) return ofSets
  return or(ofSets, sql`${products.id} = any(${sql.param(productIds)}::text[])`)
}

function sizeOf(group: ProductGroup): number {
  return 'productIds' in group ? sumBy(group.productIds, id => STRING_CHARACTERS + id.length) : SET_CHARACTERS
}

/** The shops with most products of a list, and the chosen shops, with their names. */
async function nameShops(db: Db, counts: Counts, chosen: string[] = []): Promise<CountedShop[]> {
  const missing = chosen.filter(each => counts.every(([id]) => id !== each)).map((id): Counts[number] => [id, 0])
  const most = [...counts, ...missing]
    .toSorted(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
    .filter(([id], at) => at < MAX_OFFERED_VALUES || chosen.includes(id))
  const ids = most.map(([id]) => id)
  const rows = await db
    .select({ id: sellers.id, name: sellers.shopName })
    .from(sellers)
    .where(sql`${sellers.id} = any(${sql.param(ids)}::text[])`)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return most.map(([id, count]) => ({ id, name: names.get(id) ?? id, count }))
}

/**
 * All spellings of the brands with these keys. Steps from brand to brand in an index instead of reading all products.
 */
async function findSpellings(db: Db, keys: Set<string>): Promise<string[]> {
  const { rows } = await db.execute<{ brand: string }>(sql`
    with recursive known as (
      (select brand from ${products} where ${isVisible} order by brand limit 1)
      union all
      select (select brand from ${products} where ${isVisible} and brand > known.brand order by brand limit 1)
      from known where known.brand is not null
    )
    select brand from known where brand is not null
  `)
  return rows.map(({ brand }) => brand).filter(brand => keys.has(valueKey(brand)))
}
