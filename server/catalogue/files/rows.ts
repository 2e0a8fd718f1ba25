import { getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../db/types.ts'
import { products, variants } from '../../db/schema.ts'
import { FACTS, type Plan } from './plans.ts'

const VARIANTS_AT_ONCE = 5000

/** Inserts new products and updates the `FACTS` of stored ones. */
export async function writeProducts(tx: Tx, plans: Plan[]): Promise<void> {
  if (plans.length === 0) return
  const columns = getTableColumns(products)
  const excluded = FACTS.map(name => [name, sql.raw(`excluded."${columns[name].name}"`)])
  await tx
    .insert(products)
    .values(plans.map(({ row, draft }) => ({ ...row, createdAt: draft.createdAt ?? sql`now()` })))
    .onConflictDoUpdate({ target: products.id, set: { ...Object.fromEntries(excluded), updatedAt: sql`now()` } })
}

/** Replaces the stored variants of these products. */
export async function writeVariants(tx: Tx, plans: Plan[]): Promise<void> {
  if (plans.length === 0) return
  await tx.delete(variants).where(
    inArray(
      variants.productId,
      plans.map(({ row }) => row.id),
    ),
  )
  const rows = plans.flatMap(({ row, parts }) =>
    parts.map((part, position) => ({ productId: row.id, position, ...part })),
  )
  for (let at = 0; at < rows.length; at += VARIANTS_AT_ONCE) {
    await tx.insert(variants).values(rows.slice(at, at + VARIANTS_AT_ONCE))
  }
}
