import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/types.ts'
import { categories, products, type SellerRow, sellers } from '#server/db/schema.ts'
import type { StoredVariant } from './drafts.ts'
import { type StoredProduct, variantsOf } from './lookup.ts'

export interface StoredWhole {
  product: StoredProduct
  /** In the seller's order. */
  variants: StoredVariant[]
}

const BATCH = 200

export function readShops(db: Db): Promise<SellerRow[]> {
  return db.select().from(sellers).orderBy(asc(sellers.key))
}

export function readCategories(db: Db): Promise<(typeof categories.$inferSelect)[]> {
  return db.select().from(categories).orderBy(asc(categories.name))
}

/** Every product of a shop with its variants, by handle, in batches: the catalogue may be larger than memory. */
export async function* productsOf(db: Db, shop: SellerRow): AsyncGenerator<StoredWhole[]> {
  let last = ''
  for (;;) {
    const rows = await db
      .select()
      .from(products)
      .where(and(eq(products.sellerId, shop.id), gt(products.handle, last)))
      .orderBy(asc(products.handle))
      .limit(BATCH)
    const parts = await variantsOf(
      db,
      rows.map(({ id }) => id),
    )
    if (rows.length > 0) yield rows.map(product => ({ product, variants: parts.get(product.id) ?? [] }))
    if (rows.length < BATCH) return
    last = rows.at(-1)?.handle ?? last
  }
}

/** The names of all columns in sellers' files that Piazza does not use. */
export async function extraColumns(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select distinct jsonb_object_keys(extra) collate "C" as name from variants order by 1`,
  )
  return rows.map(({ name }) => name)
}
