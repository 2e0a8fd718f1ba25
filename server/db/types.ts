import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'
import type { OnChange } from './changes.ts'

/** A database without drizzle's `transaction`: use `transact`. */
export type Db = Omit<NodePgDatabase, 'transaction'> & { $client: Connections }
/** A transaction; has the same queries as a `Db`. `$client` is its connection. */
export type Tx = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0] & { $client: PoolClient }
/** The methods of a pool that the server uses. */
export interface Connections {
  connect(): Promise<PoolClient>
  query: Pool['query']
}

export interface Database {
  db: Db
  kind: 'embedded' | 'postgresql'
  /** PostgreSQL's URL for connections that need a session of their own; null for the embedded database. */
  listenUrl: string | null
  /**
   * Calls `listener` with the tags (migration 0001, process-events.ts) of committed changes, or with `null` when
   * changes may have been missed. Rejects for every listener if listening to the database fails.
   */
  onChange(listener: OnChange): Promise<void>
  /** Runs `work` without the usual statement timeout, for maintenance of the whole catalogue. */
  unhurried<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  /** Runs `work` in one process at a time: waits until no other process of this database runs any. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  /** How many connections of the pool are open and idle, and how many requests wait for one. */
  connections(): { open: number; idle: number; waiting: number }
  /** Whether a connection was opened or a statement completed within the last ten seconds. */
  isAlive(): boolean
  /** Resolves once every listener has been called for all changes committed so far, or after 2 s. Never rejects. */
  settled(): Promise<void>
  close(): Promise<void>
}
