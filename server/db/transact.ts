import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict } from './errors.ts'
import type { Db, Tx } from './types.ts'

const RETRIES = 3
const FIRST_WAIT_MS = 20

/**
 * Runs `work` in one READ COMMITTED transaction. If PostgreSQL rolls it back because of a conflict with another
 * transaction, runs it again, up to three times: so `work` must have no effects outside the database.
 */
export async function transact<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await db.transaction(work, { isolationLevel: 'read committed' })
    } catch (error) {
      if (failures >= RETRIES || !isConflict(error)) throw error
      await sleep(Math.random() * FIRST_WAIT_MS * 2 ** failures)
    }
  }
}
