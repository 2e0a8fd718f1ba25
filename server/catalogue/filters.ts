import { and, gte, isNotNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { type ChosenFilter, type OfferedFilter, readFilters, valueKey, writeFilters } from '#contract/filters.ts'
import type { Db } from '../db/types.ts'
import { products, type VariantSnapshot, variants } from '../db/schema.ts'
import { MalformedError } from '../platform/errors.ts'
import { addBrands, countOptions, type Group, keysOf, offer } from './filter-counts.ts'
import { currentVocabulary, type Vocabulary } from './option-sets.ts'
import { isVisible } from './products.ts'

/** In cents, after discounts. */
export interface PriceRange {
  low?: number | undefined
  high?: number | undefined
}

export interface Filtered {
  total: number
  offered: OfferedFilter[]
  /** What a product must fulfil beside the conditions that were given. */
  condition: SQL | undefined
  /** Whether the given conditions and prices leave any product, whatever its brand and options. */
  isAny: boolean
  /** Estimated size of the condition in memory, in characters. */
  size: number
}

/** What a string and the number of a set take in memory, in characters. */
const STRING_CHARACTERS = 30
const SET_CHARACTERS = 8

/** Filters as `readFilters` returns them. Throws a `MalformedError` for malformed ones. */
export function checkFilters(given: ChosenFilter[] | undefined): ChosenFilter[] | undefined {
  const { filters, problem } = readFilters(writeFilters(given))
  if (problem) throw new MalformedError(problem.message, { [problem.name]: problem.message })
  return filters
}

/** Products whose variants that can be bought have the same options, and cost what was asked for. */
type ProductGroup = Group & ({ setId: number } | { productIds: string[] })

/**
 * Applies a listing's price range and filters to the visible products of `where`, and counts its products for each value
 * of each filter. One variant that can be bought must have a value of each chosen option, for a price in the range.
 * Without a chosen option, the range is for the price of the product, that of its cheapest variant.
 */
export async function filterProducts(
  db: Db,
  where: SQL | undefined,
  prices: PriceRange,
  filters: ChosenFilter[] | undefined,
): Promise<Filtered> {
  const { options, brands } = keysOf(filters)
  const hasOptions = options.size > 0
  const vocabulary = currentVocabulary(db)()
  const countIn = async (conditions: SQL | undefined, by: 'options' | 'both' = 'options') => {
    const { groups, ...found } = await readGroups(db, vocabulary, conditions, prices, by)
    return { ...found, ...countOptions(vocabulary.values, groups, options) }
  }

  const ofBrands = brands && sql`${products.brand} = any(${sql.param(await findSpellings(db, brands))}::text[])`
  const ofChosenBrands = await countIn(and(where, ofBrands), hasOptions || ofBrands ? 'options' : 'both')
  const ofAnyBrand = ofBrands && hasOptions ? await countIn(where) : ofChosenBrands
  const ofOptions = hasOptions ? isOneOf(ofAnyBrand.matching, prices) : isPriced(prices)
  const brandCounts = hasOptions || ofBrands ? await countBrands(db, and(where, ofOptions)) : ofChosenBrands.brands
  const { counts } = ofChosenBrands
  addBrands(counts, brandCounts)

  const chosenBrands = brands ? brandCounts.filter(([brand]) => brands.has(valueKey(brand))) : brandCounts
  const total = sum(chosenBrands.map(([, count]) => count))
  return {
    total,
    offered: offer(counts, filters, total),
    condition: and(ofOptions, ofBrands),
    isAny: hasOptions ? ofAnyBrand.isAny : brandCounts.length > 0,
    size: hasOptions ? sum(ofAnyBrand.matching.map(sizeOf)) : 0,
  }
}

/** The product's own price, that of its cheapest variant, is in the range. */
function isPriced({ low, high }: PriceRange): SQL | undefined {
  return and(
    low === undefined ? undefined : gte(products.finalCents, low),
    high === undefined ? undefined : lte(products.finalCents, high),
  )
}

/** The prices of all variants that can be bought are in the range. */
function isAllPriced({ low, high }: PriceRange): SQL | undefined {
  return and(isPriced({ low }), high === undefined ? undefined : lte(products.highestCents, high))
}

/** The prices of some variants may be in the range. */
function mayBePriced({ low, high }: PriceRange): SQL | undefined {
  return and(isPriced({ high }), low === undefined ? undefined : gte(products.highestCents, low))
}

function isOneOf(groups: ProductGroup[], prices: PriceRange): SQL | undefined {
  const setIds = groups.flatMap(group => ('setId' in group ? group.setId : []))
  const productIds = groups.flatMap(group => ('productIds' in group ? group.productIds : []))
  const ofSets = and(isAllPriced(prices), sql`${products.optionSet} = any(${sql.param(setIds)}::int[])`)
  if (productIds.length === 0) return ofSets
  return or(ofSets, sql`${products.id} = any(${sql.param(productIds)}::text[])`)
}

function sizeOf(group: ProductGroup): number {
  return 'productIds' in group ? sum(group.productIds.map(id => STRING_CHARACTERS + id.length)) : SET_CHARACTERS
}

type BrandCounts = [brand: string, count: number][]

/**
 * The products of `where` by their options. `isAny` is also true for products without options. `brands` is their number
 * by brand, if asked for.
 */
async function readGroups(
  db: Db,
  vocabulary: Vocabulary,
  where: SQL | undefined,
  prices: PriceRange,
  by: 'options' | 'both',
): Promise<{ groups: ProductGroup[]; isAny: boolean; brands: BrandCounts }> {
  const { setIds, counts, brands, isAny } = await (by === 'both'
    ? countBoth(db, and(where, isPriced(prices)), isAllPriced(prices))
    : countSets(db, and(where, isAllPriced(prices))))
  await vocabulary.load(setIds)
  const groups: ProductGroup[] = []
  for (const [at, setId] of setIds.entries()) {
    const set = vocabulary.setOf(setId)
    if (set) groups.push({ setId, set, count: counts[at]! })
  }
  if (prices.low === undefined && prices.high === undefined) return { groups, brands, isAny }
  const divided = await readDivided(db, vocabulary, where, prices)
  return { groups: [...groups, ...divided], brands, isAny: isAny || divided.length > 0 }
}

interface SetCounts {
  setIds: number[]
  /** Number of products of each. */
  counts: number[]
  brands: BrandCounts
  isAny: boolean
}

function countSets(db: Db, where: SQL | undefined): Promise<SetCounts> {
  return readCounts(
    db,
    sql`
      select ${products.optionSet}, null::text as brand, 0 as count, count(*)::int as priced
      from ${products} where ${and(isVisible, where)} group by 1
    `,
  )
}

/** Counts products by brand and, those that fulfil `isCounted`, by option set: in one pass. */
function countBoth(db: Db, where: SQL | undefined, isCounted: SQL = sql`true`): Promise<SetCounts> {
  const { optionSet, brand } = products
  return readCounts(
    db,
    sql`
      select ${optionSet}, ${brand}, count(*)::int as count, (count(*) filter (where ${isCounted}))::int as priced
      from ${products} where ${and(isVisible, where)} group by grouping sets ((${optionSet}), (${brand}))
    `,
  )
}

/** Reads all counts as one row, because there may be ten thousands. */
async function readCounts(db: Db, counted: SQL): Promise<SetCounts> {
  const ofSet = sql`filter (where option_set is not null and priced > 0)`
  const ofBrand = sql`filter (where brand is not null)`
  const { rows } = await db.execute<{
    setIds: number[] | null
    counts: number[] | null
    brands: string[] | null
    brandCounts: number[] | null
    isAny: boolean
  }>(sql`
    select json_agg(option_set) ${ofSet} as "setIds", json_agg(priced) ${ofSet} as counts,
      json_agg(brand) ${ofBrand} as brands, json_agg(count) ${ofBrand} as "brandCounts", count(*) > 0 as "isAny"
    from (${counted}) counted
  `)
  const { setIds, counts, brands, brandCounts, isAny = false } = rows[0] ?? {}
  const byBrand = (brands ?? []).map((brand, at): BrandCounts[number] => [brand, brandCounts?.[at] ?? 0])
  return { setIds: setIds ?? [], counts: counts ?? [], brands: byBrand, isAny }
}

async function countBrands(db: Db, where: SQL | undefined): Promise<BrandCounts> {
  const { rows } = await db.execute<{ brand: string; count: number }>(sql`
    select ${products.brand}, count(*)::int as count from ${products} where ${and(isVisible, where)} group by 1
  `)
  return rows.map(({ brand, count }) => [brand, count])
}

/** The brands with one of these keys, as sellers write them. Goes from brand to brand in an index. */
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

/** The products of which only some variants cost what was asked for, by the options of these variants. */
async function readDivided(
  db: Db,
  { readSet }: Vocabulary,
  where: SQL | undefined,
  prices: PriceRange,
): Promise<ProductGroup[]> {
  const { low = 0, high } = prices
  const isDivided = and(
    isVisible,
    where,
    isNotNull(products.optionSet),
    ne(products.finalCents, products.highestCents),
    mayBePriced(prices),
    sql`not (${isAllPriced({ low, high })})`,
  )
  const divided = await db.select({ id: products.id }).from(products).where(isDivided)
  if (divided.length === 0) return []
  const ids = divided.map(({ id }) => id)
  const isVariantPriced = and(
    gte(variants.finalCents, low),
    high === undefined ? undefined : lte(variants.finalCents, high),
  )
  const { rows } = await db.execute<{ options: VariantSnapshot['options'][]; ids: string[] }>(sql`
    select options, array_agg(product_id) as ids
    from (
      select ${variants.productId}, jsonb_agg(distinct ${variants.options} order by ${variants.options}) as options
      from ${variants}
      where ${variants.productId} = any(${sql.param(ids)}::text[])
        and ${variants.canBeBought} and ${variants.options} <> '[]' and ${isVariantPriced}
      group by 1
    ) each
    group by options
  `)
  return rows.map(row => ({ productIds: row.ids, set: readSet(row.options), count: row.ids.length }))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
