import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { OnChange } from './changes.ts'
import type * as schema from './schema.ts'

export type Db = NodePgDatabase<typeof schema>
/** A transaction; what takes a `Db` to read or write takes one of these too. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export interface Database {
  db: Db
  kind: 'embedded' | 'postgresql'
  /**
   * Calls `listener` with the tags (migration 0001, private-tags.ts) of what committed transactions changed; with `null`
   * when something may have been missed. Rejects for every listener when the database cannot be listened to.
   */
  onChange(listener: OnChange): Promise<void>
  /** Does what may take longer than a shopper waits: upkeep of the whole catalogue. */
  unhurried<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  /** Runs `work` alone among all processes of this database: waits until no other one runs such work. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether it has opened a connection or completed a statement within the last ten seconds. */
  isAlive(): boolean
  /** Resolves once every listener has heard what was committed before. */
  settled(): Promise<void>
  close(): Promise<void>
}
