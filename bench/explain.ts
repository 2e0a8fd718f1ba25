import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, QueryConfig } from 'pg'
import type { Db } from '#server/db/types.ts'
import { type ListingQuery, queryProducts } from '#server/catalogue/listing.ts'

/** The query plans of a listing: the EXPLAIN output of each statement that the service sends. */
export function plansOf(db: Db, query: ListingQuery, options?: string): Promise<string[]> {
  return plansOfAll(db, observed => queryProducts(observed, { of: (_, count) => count() }, query), options)
}

/** The EXPLAIN output of each statement that `run` sends. */
export async function plansOfAll(
  db: Db,
  run: (db: Db) => Promise<unknown>,
  options = 'ANALYZE, BUFFERS',
): Promise<string[]> {
  const pool = db.$client as Pool
  const sent: { text: string; values: unknown[] }[] = []
  const observer: Pool = Object.create(pool, {
    query: {
      value: (statement: QueryConfig, values = statement.values ?? []) => {
        sent.push({ text: statement.text, values })
        return pool.query(statement, values)
      },
    },
  })
  await run(drizzle({ client: observer }))
  const plans: string[] = []
  for (const { text, values } of sent) {
    const { rows } = await pool.query<Record<string, string>>(`EXPLAIN (${options}) ${text}`, values)
    plans.push(rows.flatMap(row => Object.values(row)).join('\n'))
  }
  return plans
}
