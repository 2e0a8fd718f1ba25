import { sql } from 'drizzle-orm'
import { products, searchWords } from './schema.ts'
import type { Database } from './types.ts'

/** Updates the query planner's statistics. The embedded database never does this automatically. */
export async function refreshStatistics({ unhurried }: Pick<Database, 'unhurried'>): Promise<void> {
  await unhurried(async db => {
    await db.execute(sql`vacuum (analyze) ${products}`)
    await db.execute(sql`vacuum (analyze) ${searchWords}`)
    await db.execute(sql`analyze`)
  })
}
