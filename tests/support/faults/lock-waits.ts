import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { transact } from '#server/db/transact.ts'
import type { Database, Db, Tx } from '#server/db/types.ts'
import { PATIENCE } from '../patience.ts'

/** Runs `work` in a transaction that may be idle for as long as it takes others to wait for its locks. */
export function holdOpen(database: Database, work: (tx: Tx) => Promise<void>): Promise<void> {
  return database.unhurried(unlimitedDb => transact(unlimitedDb, work))
}

/** Waits until `count` statements of this database wait for a lock. */
export async function untilWaiting(db: Db, count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await db.execute<{ count: number }>(
        sql`select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0]?.count
    }, PATIENCE)
    .toBe(count)
}
