import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import { isConflict } from './errors.ts'
import { release } from './keep-connections.ts'
import type { Db, Tx } from './types.ts'

const RETRIES = 3
const FIRST_WAIT_MS = 20
const READ_COMMITTED: PgTransactionConfig = { isolationLevel: 'read committed' }

/**
 * Runs `work` in one transaction, READ COMMITTED unless `config` says otherwise. If PostgreSQL rolls the transaction
 * back because it conflicts with another one, runs `work` again, up to three times. So `work` must have no effects
 * outside the database.
 */
export async function transact<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  config: PgTransactionConfig = READ_COMMITTED,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await transactOnce(db, work, config)
    } catch (error) {
      if (failures >= RETRIES || !isConflict(error)) throw error
      await sleep(Math.random() * FIRST_WAIT_MS * 2 ** failures)
    }
  }
}

/**
 * Does not use drizzle's own `transaction`, which never returns the connection when BEGIN fails: while the database is
 * unreachable, that would empty the pool. https://github.com/drizzle-team/drizzle-orm/issues/6023
 */
async function transactOnce<Result>(db: Db, work: (tx: Tx) => Promise<Result>, config: PgTransactionConfig) {
  const client = await db.$client.connect()
  try {
    return await drizzle(client).transaction(tx => work(Object.assign(tx, { $client: client })), config)
  } finally {
    release(client)
  }
}
