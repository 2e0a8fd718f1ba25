import { fileURLToPath } from 'node:url'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool } from 'pg'
import { type Changes, hearOwnConnection, hearPostgres, type OnChange } from './changes.ts'
import { PGliteStream } from './pglite-stream.ts'
import * as schema from './schema.ts'

export type Db = NodePgDatabase<typeof schema>
/** A transaction; what takes a `Db` to read or write takes one of these too. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export interface Database {
  db: Db
  kind: 'embedded' | 'postgresql'
  /** Tells what committed transactions changed, by the tags of migration 0001; `null` when something may have been missed. */
  onChange(listener: OnChange): Promise<void>
  close(): Promise<void>
}

interface Options {
  /** PostgreSQL's address; without it, PGlite. */
  url?: string | undefined
  /** PGlite's folder; without it, in memory. The caller holds the lock: two processes on one folder destroy it. */
  folder?: string | undefined
  longestStatementMs?: number
  onError?: (error: Error) => void
}

const POOL_SIZE = 10
const CONNECT_MS = 5000
const LOCK_MS = 3000

/** Opens PostgreSQL or the embedded database and brings its tables up to date. */
export async function openDatabase(options: Options): Promise<Database> {
  const { url, onError = ignore } = options
  const { pool, changes } = url ? openPostgres(url, options) : openEmbedded(options)
  pool.on('error', onError)
  const db = drizzle(pool, { schema })
  await migrate(db, { migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)) })
  return {
    db,
    kind: url ? 'postgresql' : 'embedded',
    onChange: listener => changes.listen(listener),
    close: async () => {
      await changes.close()
      await pool.end()
    },
  }
}

interface Opened {
  pool: Pool
  changes: Changes
}

function openPostgres(url: string, { longestStatementMs = 5000, onError = ignore }: Options): Opened {
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: longestStatementMs,
    lock_timeout: LOCK_MS,
  })
  return { pool, changes: hearPostgres(url, onError) }
}

function openEmbedded({ folder, longestStatementMs = 5000 }: Options): Opened {
  const changes = hearOwnConnection()
  const pool = new Pool({
    max: 1,
    idleTimeoutMillis: 0,
    user: 'postgres',
    database: 'postgres',
    // pg passes its own options to the factory; only connect() is left to the stream.
    stream: () => new PGliteStream({ folder, longestStatementMs }),
    // The pool waits for it before it hands the connection out, whatever its type says.
    onConnect: client => changes.attach(client) as unknown as void,
  })
  return { pool, changes }
}

// Each failed request reports the same error by itself.
function ignore(): void {}
