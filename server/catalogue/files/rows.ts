import { and, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/types.ts'
import { products, variants } from '#server/db/schema.ts'
import { FACTS, type Plan } from './plans.ts'

/** Keeps each statement below PostgreSQL's limit of 65,535 parameters. */
const VARIANTS_AT_ONCE = 4000

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

/** Replaces the stored variants of these products by those of the plans. */
export async function writeVariants(tx: Tx, plans: Plan[]): Promise<void> {
  if (plans.length === 0) return
  const rows = plans.flatMap(({ row, parts }) =>
    parts.map((part, position) => ({ productId: row.id, position, ...part })),
  )
  const productIds = plans.map(({ row }) => row.id)
  const keptIds = sql.param(rows.map(({ id }) => id))
  await tx
    .delete(variants)
    .where(and(inArray(variants.productId, productIds), sql`${variants.id} <> all (${keptIds}::text[])`))
  const columns = getTableColumns(variants)
  const { id, productId, finalCents, canBeBought, ...changing } = columns
  const set = Object.fromEntries(
    Object.entries(changing).map(([name, column]) => [name, sql.raw(`excluded."${column.name}"`)]),
  )
  for (let at = 0; at < rows.length; at += VARIANTS_AT_ONCE) {
    await tx
      .insert(variants)
      .values(rows.slice(at, at + VARIANTS_AT_ONCE))
      .onConflictDoUpdate({ target: variants.id, set })
  }
}
