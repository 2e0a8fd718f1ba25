import { and, gte, isNotNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { products, type VariantSnapshot, variants } from '../db/schema.ts'
import type { Group } from './filter-counts.ts'
import { numbersAsText, readNumbers, type OptionIndex } from './option-sets.ts'
import { isVisible } from './products.ts'

/** In cents, after discounts. */
export interface PriceRange {
  low?: number | undefined
  high?: number | undefined
}

/** Products whose matching variants (they can be bought, and their price is in the range) have the same options. */
export type ProductGroup = Group & ({ setId: number } | { productIds: string[] })
type DividedGroup = Extract<ProductGroup, { productIds: string[] }>

export type Counts = [value: string, count: number][]

/**
 * The products that match `where` and whose variants all cost what `prices` allow, grouped by their options. `brands`
 * and `shops` are the numbers of all matching products by brand and seller, counted only for `by` 'all'.
 */
export async function readGroups(
  db: Db,
  optionIndex: OptionIndex,
  { where, prices, by }: { where: SQL | undefined; prices: PriceRange; by: 'options' | 'all' },
): Promise<{ groups: ProductGroup[]; brands: Counts; shops: Counts }> {
  const { setIds, counts, brands, shops } = await (by === 'all'
    ? countAll(db, and(where, isPriced(prices)), isAllPriced(prices))
    : countSets(db, and(where, isAllPriced(prices))))
  await optionIndex.load(setIds)
  const groups: ProductGroup[] = []
  for (const [at, setId] of setIds.entries()) {
    const set = optionIndex.setOf(setId)
    if (set) groups.push({ setId, set, count: counts[at]! })
  }
  return { groups, brands, shops }
}

interface SetCounts {
  setIds: number[]
  /** Number of products of each set. */
  counts: number[]
  brands: Counts
  shops: Counts
}

function countSets(db: Db, where: SQL | undefined): Promise<SetCounts> {
  return readCounts(
    db,
    sql`
      select ${products.optionSet}, null::text as brand, null::text as seller_id, 0 as count, count(*)::int as priced
      from ${products} where ${and(isVisible, where)} group by 1
    `,
  )
}

/**
 * Counts products by brand, by seller and by option set in one pass; by option set only those that fulfil `isCounted`.
 */
function countAll(db: Db, where: SQL | undefined, isCounted: SQL = sql`true`): Promise<SetCounts> {
  const { optionSet, brand, sellerId } = products
  return readCounts(
    db,
    sql`
      select ${optionSet}, ${brand}, ${sellerId}, count(*)::int as count,
        (count(*) filter (where ${isCounted}))::int as priced
      from ${products} where ${and(isVisible, where)}
      group by grouping sets ((${optionSet}), (${brand}), (${sellerId}))
    `,
  )
}

/** Reads all counts as one row, because there may be tens of thousands. */
async function readCounts(db: Db, counted: SQL): Promise<SetCounts> {
  const isOf = (column: string) => sql`filter (where ${sql.raw(column)} is not null)`
  const ofSet = sql`filter (where option_set is not null and priced > 0)`
  const { rows } = await db.execute<{
    setIds: string | null
    counts: string | null
    brands: Counts | null
    shops: Counts | null
  }>(sql`
    select ${numbersAsText(sql`option_set`)} ${ofSet} as "setIds", ${numbersAsText(sql`priced`)} ${ofSet} as counts,
      json_agg(json_build_array(brand, count)) ${isOf('brand')} as brands,
      json_agg(json_build_array(seller_id, count)) ${isOf('seller_id')} as shops
    from (${counted}) counted
  `)
  const { setIds, counts, brands, shops } = rows[0] ?? {}
  return { setIds: readNumbers(setIds), counts: readNumbers(counts), brands: brands ?? [], shops: shops ?? [] }
}

/** Counts products by brand and by seller in one pass, each under the other's filter: `ofShops` and `ofBrands`. */
export async function countBrandsAndShops(
  db: Db,
  where: SQL | undefined,
  { ofBrands, ofShops }: { ofBrands: SQL | undefined; ofShops: SQL | undefined },
): Promise<{ brands: Counts; shops: Counts }> {
  const { brand, sellerId } = products
  const isRead = ofBrands && ofShops && or(ofBrands, ofShops)
  const { rows } = await db.execute<{ brand: string | null; shop: string | null; ofBrand: number; ofShop: number }>(sql`
    select ${brand}, ${sellerId} as shop, (count(*) filter (where ${ofShops ?? sql`true`}))::int as "ofBrand",
      (count(*) filter (where ${ofBrands ?? sql`true`}))::int as "ofShop"
    from ${products} where ${and(isVisible, where, isRead)} group by grouping sets ((${brand}), (${sellerId}))
  `)
  return {
    brands: rows.flatMap((row): Counts => (row.brand !== null && row.ofBrand > 0 ? [[row.brand, row.ofBrand]] : [])),
    shops: rows.flatMap((row): Counts => (row.shop !== null && row.ofShop > 0 ? [[row.shop, row.ofShop]] : [])),
  }
}

/**
 * Products with only some variants in the price range, grouped by the options of those variants. Each group's count is
 * the number of its products that fulfil `isCounted`. None if no price was chosen.
 */
export async function readDivided(
  db: Db,
  { readSet }: OptionIndex,
  { where, prices, isCounted = sql`true` }: { where: SQL | undefined; prices: PriceRange; isCounted: SQL | undefined },
): Promise<DividedGroup[]> {
  if (!isLimited(prices)) return []
  const divided = await findDivided(db, where, prices, isCounted)
  if (divided.length === 0) return []
  const countedIds = new Set(divided.flatMap(each => (each.isCounted ? each.id : [])))
  const groups = await groupByOptions(
    db,
    divided.map(({ id }) => id),
    prices,
  )
  return groups.map(({ options, ids }) => ({
    productIds: ids,
    set: readSet(options),
    count: ids.filter(id => countedIds.has(id)).length,
  }))
}

function findDivided(db: Db, where: SQL | undefined, prices: PriceRange, isCounted: SQL) {
  const isDivided = and(
    isVisible,
    where,
    isNotNull(products.optionSet),
    ne(products.finalCents, products.highestCents),
    mayBePriced(prices),
    sql`not (${isAllPriced(prices)})`,
  )
  return db
    .select({ id: products.id, isCounted: sql<boolean>`${isCounted}` })
    .from(products)
    .where(isDivided)
}

/** Groups products by the options of their variants that can be bought for a price in the range. */
async function groupByOptions(db: Db, productIds: string[], { low = 0, high }: PriceRange) {
  const isPriceWanted = and(
    gte(variants.finalCents, low),
    high === undefined ? undefined : lte(variants.finalCents, high),
  )
  const { rows } = await db.execute<{ options: VariantSnapshot['options'][]; ids: string[] }>(sql`
    select options, array_agg(product_id) as ids
    from (
      select ${variants.productId}, jsonb_agg(distinct ${variants.options} order by ${variants.options}) as options
      from ${variants}
      where ${variants.productId} = any(${sql.param(productIds)}::text[])
        and ${variants.canBeBought} and ${variants.options} <> '[]' and ${isPriceWanted}
      group by 1
    ) each
    group by options
  `)
  return rows
}

export function isLimited({ low, high }: PriceRange): boolean {
  return low !== undefined || high !== undefined
}

/** A condition: the product's own price (its cheapest variant's) is in the range. */
export function isPriced({ low, high }: PriceRange): SQL | undefined {
  return and(
    low === undefined ? undefined : gte(products.finalCents, low),
    high === undefined ? undefined : lte(products.finalCents, high),
  )
}

/** A condition: the prices of all variants that can be bought are in the range. */
export function isAllPriced({ low, high }: PriceRange): SQL | undefined {
  return and(isPriced({ low }), high === undefined ? undefined : lte(products.highestCents, high))
}

/** A condition: the prices of some variants may be in the range. */
export function mayBePriced({ low, high }: PriceRange): SQL | undefined {
  return and(isPriced({ high }), low === undefined ? undefined : gte(products.highestCents, low))
}
