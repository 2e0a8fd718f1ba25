import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** Any number that nobody else locks. */
const LOCK = 8_150_615
const POLL_MS = 200
const RESPONSE_MS = 5000

/**
 * Runs `work` while no other process of the PostgreSQL at `url` runs one. Polls instead of waiting in PostgreSQL, whose
 * operator may limit how long a statement takes. The lock is the session's: it ends with its process, however that ends.
 */
export async function exclusively<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: RESPONSE_MS,
    query_timeout: RESPONSE_MS,
    keepAlive: true,
  })
  // A connection that breaks gives the lock up; the work has its own.
  client.on('error', () => undefined)
  await client.connect()
  try {
    while (!(await isLocked(client))) await sleep(POLL_MS)
    return await work()
  } finally {
    // Not awaited: a connection that has died silently does not even close.
    void client.end()
  }
}

async function isLocked(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK])
  return rows[0]?.locked ?? false
}
