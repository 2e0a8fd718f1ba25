import type { Query } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import type { Db } from '#server/db/types.ts'
import { type ListingQuery, queryProducts } from '#server/catalogue/listing.ts'

/** The query plans of a listing: the EXPLAIN output of each statement that the service sends. */
export async function plansOf(db: Db, query: ListingQuery, options = 'ANALYZE, BUFFERS'): Promise<string[]> {
  const pool = db.$client as Pool
  const sent: Query[] = []
  const logger = { logQuery: (text: string, params: unknown[]) => void sent.push({ sql: text, params }) }
  await queryProducts(drizzle(pool, { logger }), { of: (_, count) => count() }, query)
  const plans: string[] = []
  for (const statement of sent) {
    const { rows } = await pool.query<Record<string, string>>(`EXPLAIN (${options}) ${statement.sql}`, statement.params)
    plans.push(rows.flatMap(row => Object.values(row)).join('\n'))
  }
  return plans
}
