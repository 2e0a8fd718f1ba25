import { and, eq, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Product } from '#contract/catalog.ts'
import type { Database } from '../db/open.ts'
import { prepared } from '../db/prepared.ts'
import { products, sellers } from '../db/schema.ts'
import { isVisible, productColumns, toProduct } from './products.ts'

/** Products for pages of this process: what a page shows of them is as it is now; their stock is that of the last change. */
export interface KeptProducts {
  /** Those of the ids that are visible, in the same order, without their variants. */
  of(ids: string[]): Promise<Product[]>
}

const MAX_CHARACTERS = 8_000_000
/** Of a product, but for its description. */
const OWN_CHARACTERS = 1000
const none = Promise.resolve(new Map<string, Product>())

const byIds = prepared(db =>
  db
    .select(productColumns)
    .from(products)
    .innerJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(isVisible, sql`${products.id} = any(${sql.placeholder('ids')})`))
    .prepare('products_by_ids'),
)

/** Keeps each product until the database tells that it, or its shop, has changed. */
export function keepProducts({ db, onChange }: Pick<Database, 'db' | 'onChange'>): KeptProducts {
  // Promises: those who ask at once share one read, and one that began before a change goes with it.
  const kept = new LRUCache<string, Promise<Product | undefined>>({ maxSize: MAX_CHARACTERS })
  let isHearing = false
  onChange(tag => {
    if (tag === null || tag.startsWith('seller:')) kept.clear()
    else if (tag.startsWith('product:')) kept.delete(tag.slice('product:'.length))
  }).then(
    () => (isHearing = true),
    // Without news nothing can be kept.
    () => undefined,
  )

  function keep(id: string, read: Promise<Product | undefined>): Promise<Product | undefined> {
    if (!isHearing) return read
    kept.set(id, read, { size: 1 })
    read.then(
      product => kept.peek(id) === read && kept.set(id, read, { size: charactersOf(product) }),
      () => kept.peek(id) === read && kept.delete(id),
    )
    return read
  }

  return {
    async of(ids) {
      const known = ids.map(id => kept.get(id))
      const missing = ids.filter((_, at) => !known[at])
      const found = missing.length > 0 ? readAll(missing) : none
      const all = ids.map(
        (id, at) =>
          known[at] ??
          keep(
            id,
            found.then(read => read.get(id)),
          ),
      )
      return (await Promise.all(all)).filter(product => product !== undefined)
    },
  }

  async function readAll(ids: string[]): Promise<Map<string, Product>> {
    const rows = await byIds(db).execute({ ids })
    return new Map(rows.map(row => [row.id, toProduct(row)]))
  }
}

/** Roughly what a product takes in memory. */
export function charactersOf(product: Product | undefined): number {
  return OWN_CHARACTERS + (product?.description.length ?? 0)
}
