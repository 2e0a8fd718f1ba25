import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase } from 'pg'

/** A tag of migration 0001, or `null` when something may have been missed. */
export type OnChange = (tag: string | null) => void

export interface Changes {
  /** Resolves once nothing that is committed from now on can be missed. */
  listen(listener: OnChange): Promise<void>
  close(): Promise<void>
}

const RECONNECT_MS = 1000
const HEARTBEAT_MS = 30_000
const ANSWER_MS = 10_000

/** The embedded database has one connection, which hears itself; each one that the pool opens must be `attach`ed. */
export function hearOwnConnection(): Changes & { attach(client: ClientBase): Promise<void> } {
  let tell: OnChange | undefined
  return {
    async attach(client) {
      client.on('notification', ({ payload }) => tell?.(payload ?? null))
      await client.query('LISTEN changed')
      tell?.(null)
    },
    listen: async listener => void (tell = listener),
    close: async () => undefined,
  }
}

/** PostgreSQL: a connection of its own, that comes back by itself and is asked now and then whether it still lives. */
export function hearPostgres(url: string, onError: (error: Error) => void): Changes {
  let current: Client | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let isClosed = false

  async function connect(listener: OnChange): Promise<void> {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    })
    current = client
    client.on('error', onError)
    client.on('notification', ({ payload }) => listener(payload ?? null))
    try {
      await client.connect()
      await client.query('LISTEN changed')
    } catch (error) {
      await client.end().catch(onError)
      throw error
    }
    client.once('end', () => void reconnect(listener))
    heartbeat = setInterval(() => client.query('SELECT 1').catch(() => client.end().catch(onError)), HEARTBEAT_MS)
    heartbeat.unref()
  }

  async function reconnect(listener: OnChange): Promise<void> {
    clearInterval(heartbeat)
    if (!isClosed) await sleep(RECONNECT_MS)
    if (isClosed) return
    try {
      await connect(listener)
      listener(null)
    } catch (error) {
      onError(error as Error)
      await reconnect(listener)
    }
  }

  return {
    listen: connect,
    async close() {
      isClosed = true
      clearInterval(heartbeat)
      await current?.end()
    },
  }
}
