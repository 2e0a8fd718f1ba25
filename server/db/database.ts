import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { type ClientBase, Pool } from 'pg'
import { type Changes, listenToOwnConnection, listenToPostgres, type OnChange } from './changes.ts'
import { takeConnection } from './connection-queue.ts'
import { reasonOf } from './errors.ts'
import { exclusively } from './exclusively.ts'
import { databaseOver, endInDoubt, forgetNames, release } from './keep-connections.ts'
import { POOL_SIZE } from './pool-size.ts'
import { PGliteStream } from './pglite-stream.ts'
import { recordRelease, requireKnownRelease } from './release.ts'
import type { Database } from './types.ts'

interface Options {
  /** PostgreSQL's URL; without it, PGlite is used. */
  url?: string | undefined
  /** URL of the same database without a connection pooler, for work that needs a session of its own. */
  listenUrl?: string | undefined
  /** How many connections to PostgreSQL requests and jobs share. */
  poolSize?: number
  /** PGlite's folder; in memory without one. The caller must hold the folder's lock: two processes would destroy it. */
  folder?: string | undefined
  /** Path of a PGlite dump to load into a database in memory. */
  snapshot?: string | undefined
  /** PGlite only: the migrations of an older version of Piazza, instead of the current ones. */
  migrationsFolder?: string
  maxStatementMs?: number
  onError?: (error: Error) => void
  /** Called after each statement that succeeded, with its milliseconds. */
  onQuery?: ((ms: number) => void) | undefined
}

/** drizzle's options for the current migrations. */
export const MIGRATIONS = { migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)) }
const PATIENCE_MS = 3600_000
const STATEMENT_MS = 5000
/** A connection counts as dead this long after PostgreSQL should have cancelled its statement. */
const SILENCE_MS = 2000
const CONNECT_MS = 5000
/** A notification that announces no change: `settled` waits for its own, and other processes ignore it. */
const BARRIER = 'barrier:'
const BARRIER_MS = 2000
const LOCK_MS = 3000
/** Without this limit, an open transaction of a vanished process would keep its locks. */
const IDLE_TRANSACTION_MS = 5000
/** Overrides the time limits that the role may have. */
const UNLIMITED = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
const CLOSE_MS = 2000
const ALIVE_MS = 10_000

/** Opens PostgreSQL or the embedded database and brings its tables up to date. */
export async function openDatabase(options: Options): Promise<Database> {
  const { url, listenUrl = url, onError = ignore, onQuery, maxStatementMs = STATEMENT_MS } = options
  const watchdog = openWatchdog(maxStatementMs)
  const { pool, changes } = url ? await openPostgres(url, options) : openEmbedded(options, watchdog)
  pool.on('error', onError)
  // The pool handles only the errors of idle connections; an error of a busy one would end the process.
  pool.on('connect', client => client.on('error', onError))
  let respondedAt = performance.now()
  const onResponse = () => (respondedAt = performance.now())
  pool.on('connect', client => {
    onResponse()
    endInDoubt(client, ms => {
      onResponse()
      onQuery?.(ms)
    })
  })
  const isClosed = followConnections(pool)
  const db = databaseOver(() => takeConnection(pool))
  const unlimited = (unlimitedPool: Pool) => databaseOver(() => unlimitedPool.connect())
  const end = async () => {
    await pool.end()
    // A connection that has died silently never closes.
    await Promise.race([isClosed(), ...(url ? [sleep(CLOSE_MS, undefined, { ref: false })] : [])])
  }
  if (!url)
    // On failure, closes the connection, which would keep the process running.
    await watchdog
      .waitFor(() => migrateEmbedded(pool, options))
      .catch(async (error: unknown) => {
        await end()
        throw error
      })

  const listeners: OnChange[] = []
  const barriers = new Map<string, () => void>()
  let listening: Promise<void> | undefined
  const onNotification: OnChange = tag => {
    if (tag?.startsWith(BARRIER)) barriers.get(tag)?.()
    else listeners.forEach(tell => tell(tag))
  }
  return {
    db,
    kind: url ? 'postgresql' : 'embedded',
    listenUrl: listenUrl ?? null,
    onChange(listener) {
      listeners.push(listener)
      listening ??= changes.listen(onNotification)
      return listening
    },
    async settled() {
      if (!listening) return
      const barrier = BARRIER + randomUUID()
      const { promise, resolve } = Promise.withResolvers<void>()
      barriers.set(barrier, resolve)
      const passBarrier = async () => {
        await listening
        await db.execute(sql`select pg_notify('changed', ${barrier})`)
        await promise
      }
      await Promise.race([passBarrier().catch(onError), sleep(BARRIER_MS, undefined, { ref: false })])
      barriers.delete(barrier)
    },
    unhurried: url
      ? work => withUnlimitedPool(options, other => work(unlimited(other)))
      : work => watchdog.waitFor(() => work(unlimited(pool))),
    exclusively: work => (listenUrl ? exclusively(listenUrl, work) : work()),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    isAlive: () => performance.now() - respondedAt < ALIVE_MS,
    async close() {
      await changes.close()
      await end()
    },
  }
}

/** Waits until all connections are closed. `pool.end` does not: the embedded database may still be writing. */
function followConnections(pool: Pool): () => Promise<unknown> {
  const open = new Map<ClientBase, Promise<void>>()
  pool.on('connect', client => {
    const { promise, resolve } = Promise.withResolvers<void>()
    open.set(client, promise)
    client.once('end', () => {
      open.delete(client)
      resolve()
    })
  })
  return () => Promise.all(open.values())
}

interface Opened {
  pool: Pool
  changes: Changes
}

async function openPostgres(url: string, options: Options): Promise<Opened> {
  const { listenUrl = url, poolSize = POOL_SIZE, maxStatementMs: statementMs = STATEMENT_MS } = options
  const { onError = ignore } = options
  const prepare = () =>
    withUnlimitedPool(options, async pool => {
      await requireUtf8(pool)
      await requireKnownRelease(pool)
      await migrate(drizzle(pool), MIGRATIONS)
      await recordRelease(pool)
    })
  await exclusively(listenUrl, prepare).catch((error: unknown) => {
    throw new Error(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}`, { cause: error })
  })
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: statementMs + SILENCE_MS,
    ...(listenUrl === url && parametersOf(statementMs)),
    ...KEEP_ALIVE,
  })
  if (listenUrl !== url) pool.on('connect', forgetNames)
  return { pool, changes: listenToPostgres(listenUrl, { onError, poolSize }) }
}

/** Poolers reject these start parameters: behind one, the role must have them. `doctor` checks the time limits. */
function parametersOf(statementMs: number) {
  return {
    statement_timeout: statementMs,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    // No statement runs long enough to repay its compilation: that took 490 of 600 ms for a list of 100,000 chats.
    options: '-c jit=off',
  }
}

/** Requires UTF-8: in other encodings, an apostrophe typed on a phone would fail or be stored as two letters. */
async function requireUtf8(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ encoding: string }>("select current_setting('server_encoding') as encoding")
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8') throw new Error(`its encoding is ${encoding}: create one with ENCODING 'UTF8'`)
}

/** PostgreSQL: runs `work` on a separate connection without a statement timeout. */
async function withUnlimitedPool<Result>(
  { url, listenUrl = url }: Pick<Options, 'url' | 'listenUrl'>,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const pool = new Pool({
    connectionString: listenUrl,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    ...(listenUrl !== url && { options: UNLIMITED }),
    ...KEEP_ALIVE,
  })
  // Without listeners, a broken connection would end the process; its statement rejects anyway.
  pool.on('error', ignore)
  pool.on('connect', client => client.on('error', ignore))
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

async function migrateEmbedded(pool: Pool, { migrationsFolder }: Options): Promise<void> {
  const client = await pool.connect()
  try {
    await requireKnownRelease(client)
    await migrate(drizzle(client), migrationsFolder ? { migrationsFolder } : MIGRATIONS)
    if (!migrationsFolder) await recordRelease(client)
  } finally {
    release(client)
  }
}

/** PGlite's time limit for statements. It is an hour while any work passed to `waitFor` runs. */
function openWatchdog(usualMs: number) {
  let works = 0
  return {
    get statementMs(): number {
      return works > 0 ? PATIENCE_MS : usualMs
    },
    async waitFor<Result>(work: () => Promise<Result>): Promise<Result> {
      works += 1
      try {
        return await work()
      } finally {
        works -= 1
      }
    },
  }
}

function openEmbedded({ folder, snapshot }: Options, limits: { readonly statementMs: number }): Opened {
  const changes = listenToOwnConnection()
  const pool = new Pool({
    max: 1,
    idleTimeoutMillis: 0,
    user: 'postgres',
    database: 'postgres',
    // pg passes its own options to this function; the stream does not need them.
    stream: () => new PGliteStream({ folder, snapshot }, limits),
    // The pool awaits this before it hands out the connection, although the type says void.
    onConnect: client => changes.attach(client) as unknown as void,
  })
  return { pool, changes }
}

// Each failed statement reports the same error.
function ignore(): void {}
