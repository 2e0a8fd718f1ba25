import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { transact } from './transact.ts'
import type { Db } from './types.ts'

const POLL_MS = 200
/** Longer than `work` takes: its transaction is idle meanwhile, and PostgreSQL would end it sooner. */
const MAX_MS = 60_000

/**
 * Runs `work` while no other process of this database runs any for the same key. The lock belongs to a transaction, so
 * it also ends if the process dies. Polls, so that those who wait hold no connection.
 */
export async function exclusivelyByKey(db: Db, key: string, work: () => Promise<void>): Promise<void> {
  let isDone = false
  while (!isDone) {
    isDone = await transact(db, async tx => {
      const { rows } = await tx.execute<{ isLocked: boolean }>(sql`
        select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as "isLocked",
          set_config('idle_in_transaction_session_timeout', ${String(MAX_MS)}, true)`)
      if (!rows[0]?.isLocked) return false
      await work()
      return true
    })
    if (!isDone) await sleep(POLL_MS)
  }
}
