import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** An arbitrary advisory lock key. */
const LOCK = 8_150_615
const POLL_MS = 200
const RESPONSE_MS = 5000

/**
 * Runs `work` while no other process that uses the PostgreSQL at `url` runs any. Polls instead of waiting in
 * PostgreSQL, whose operator may have set a statement timeout. The lock belongs to the session, so it also ends if the
 * process dies.
 */
export async function exclusively<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: RESPONSE_MS,
    query_timeout: RESPONSE_MS,
    keepAlive: true,
  })
  // If this connection breaks, the lock is lost, but `work` continues on a connection of its own.
  client.on('error', () => undefined)
  await client.connect()
  try {
    while (!(await isLocked(client))) await sleep(POLL_MS)
    return await work()
  } finally {
    // Not awaited: a connection that has died silently never closes.
    void client.end()
  }
}

async function isLocked(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK])
  return rows[0]?.locked ?? false
}
