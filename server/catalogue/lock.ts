import { sql } from 'drizzle-orm'
import type { Tx } from '../db/types.ts'

/** Locks the catalogue until the end of the transaction: imports and changes of shops run one at a time. */
export async function lockCatalogue(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('catalogue import'))`)
}
