import { and, asc, inArray } from 'drizzle-orm'
import { type ChosenFilter, optionFilter, valueKey, writeFilters } from '#contract/filters.ts'
import type { Product } from '#contract/product.ts'
import type { Db } from '../db/types.ts'
import { variants } from '../db/schema.ts'
import { wordsOf } from './search/plain.ts'

interface Wanted {
  filters?: ChosenFilter[] | undefined
  search?: string | undefined
}

type Options = [name: string, value: string][]

/**
 * Sets the `variantId` of the listed products: the first variant that can be bought and has most of the options that
 * the filters or the search name, such as size 43. Not for products whose page begins with such a variant anyway.
 */
export async function nameVariants(db: Db, listed: Product[], wanted: Wanted): Promise<Product[]> {
  const countMatches = matchCounterOf(wanted)
  const ids = listed.filter(({ variantCount }) => variantCount > 1).map(({ _id }) => _id)
  if (!countMatches || ids.length === 0) return listed
  const rows = await db
    .select({ id: variants.id, productId: variants.productId, options: variants.options })
    .from(variants)
    .where(and(inArray(variants.productId, ids), variants.canBeBought))
    .orderBy(asc(variants.productId), asc(variants.position))
  const byProduct = Map.groupBy(rows, ({ productId }) => productId)
  return listed.map(product => {
    const [first, ...others] = byProduct.get(product._id) ?? []
    if (!first) return product
    const best = others.reduce(
      (held, each) => (countMatches(each.options) > countMatches(held.options) ? each : held),
      first,
    )
    return best === first ? product : { ...product, variantId: best.id }
  })
}

/** Counts the options of a variant that are wanted; undefined if none can be. */
function matchCounterOf({ filters, search = '' }: Wanted): ((options: Options) => number) | undefined {
  const chosen = new Set(writeFilters(filters).map(([name, value]) => `${name}=${valueKey(value)}`))
  const words = new Set(wordsOf(search).map(({ word }) => word))
  if (chosen.size + words.size === 0) return undefined
  const isNamed = (value: string) => {
    const parts = wordsOf(value)
    return parts.length > 0 && parts.every(({ word }) => words.has(word))
  }
  return options =>
    options.filter(([name, value]) => chosen.has(`${optionFilter(name)}=${valueKey(value)}`) || isNamed(value)).length
}
