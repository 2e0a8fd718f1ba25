import { and, eq, sql } from 'drizzle-orm'
import type { Product } from '#contract/product.ts'
import type { Database } from '../db/types.ts'
import { prepared } from '../db/prepared.ts'
import { products, sellers } from '../db/schema.ts'
import { cacheUntilChanged } from './query-cache.ts'
import { isVisible, productColumns, toProduct } from './products.ts'

/** Caches products for pages of this process, up to date except for the number in `stock`, which pages do not show. */
export interface ProductCache {
  /** The visible products of these ids, in the same order, without their variants. */
  of(ids: string[]): Promise<Product[]>
}

const MAX_CHARACTERS = 8_000_000
/** Estimated size of a product without its description. */
const OWN_CHARACTERS = 1000

const byIds = prepared(db =>
  db
    .select(productColumns)
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(isVisible, sql`${products.id} = any(${sql.placeholder('ids')})`))
    .prepare('products_by_ids'),
)

/**
 * Caches each product until the database reports that it or any shop has changed. That saves 45 % of the time
 * for the data of a listing's page (bench/README.md, 'caches').
 */
export function openProductCache(database: Pick<Database, 'db' | 'onChange'>): ProductCache {
  const cache = cacheUntilChanged<Product | undefined>(database, {
    max: MAX_CHARACTERS,
    sizeOf: charactersOf,
    changedBy: tag => tag.startsWith('seller:') || (tag.startsWith('product:') && tag.slice('product:'.length)),
  })

  async function readAll(ids: string[]): Promise<Map<string, Product>> {
    if (ids.length === 0) return new Map()
    const rows = await byIds(database.db).execute({ ids })
    return new Map(rows.map(row => [row.id, toProduct(row)]))
  }

  return {
    async of(ids) {
      const known = new Map(ids.map(id => [id, cache.get(id)]))
      const found = readAll(ids.filter(id => !known.get(id)))
      const read = async (id: string) => (await found).get(id)
      const all = await Promise.all(ids.map(id => known.get(id) ?? cache.store(id, read(id))))
      return all.filter(product => product !== undefined)
    },
  }
}

/** Estimated size of a product in memory, in characters. */
export function charactersOf(product: Product | undefined): number {
  return OWN_CHARACTERS + (product?.description.length ?? 0)
}
