import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase } from 'pg'

/** Called with a change's tag (see migration 0001), or with `null` when changes may have been missed. */
export type OnChange = (tag: string | null) => void

export interface Changes {
  /** Resolves once the listener receives all changes that are committed from then on. */
  listen(listener: OnChange): Promise<void>
  close(): Promise<void>
}

/** Fails if the database is not writable; changes nothing and waits for no lock. */
export const WRITE_NOTHING = 'delete from rate_limits where false'

/** Application name of each process's listening connection, followed by its pool size. `doctor` adds the sizes up. */
export const LISTENER = 'piazza process, pool of '

interface ListenOptions {
  onError: (error: Error) => void
  poolSize: number
}

const RECONNECT_MS = 1000
const HEARTBEAT_MS = 5000
const RESPONSE_MS = 5000
const CLOSE_MS = 2000

/**
 * The embedded database has one connection, which receives its own notifications. `attach` each one that the pool
 * opens.
 */
export function listenToOwnConnection(): Changes & { attach(client: ClientBase): Promise<void> } {
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

/**
 * Listens to PostgreSQL on a separate connection. If the connection dies or its server becomes read-only, it is
 * replaced within ten seconds and the listener is called with `null`.
 */
export function listenToPostgres(url: string, { onError, poolSize }: ListenOptions): Changes {
  let current: Client | undefined
  let heartbeat: NodeJS.Timeout | undefined
  const closing = new AbortController()

  async function connect(listener: OnChange): Promise<void> {
    const client = new Client({
      connectionString: url,
      application_name: `${LISTENER}${poolSize}`,
      keepAlive: true,
      connectionTimeoutMillis: RESPONSE_MS,
      query_timeout: RESPONSE_MS,
    })
    current = client
    client.on('error', onError)
    client.on('notification', ({ payload }) => listener(payload ?? null))
    try {
      await client.connect()
      await client.query('LISTEN changed')
      await client.query(WRITE_NOTHING)
    } catch (error) {
      void client.end().catch(onError)
      throw error
    }
    client.once('end', () => void reconnect(listener))
    beat(client)
  }

  function beat(client: Client): void {
    heartbeat = setTimeout(async () => {
      try {
        await client.query(WRITE_NOTHING)
        beat(client)
      } catch {
        void client.end().catch(onError)
      }
    }, HEARTBEAT_MS)
    heartbeat.unref()
  }

  async function reconnect(listener: OnChange): Promise<void> {
    clearTimeout(heartbeat)
    while (!closing.signal.aborted) {
      await sleep(RECONNECT_MS)
      if (closing.signal.aborted) return
      try {
        await connect(listener)
        listener(null)
        return
      } catch (error) {
        onError(error as Error)
      }
    }
  }

  return {
    listen: connect,
    async close() {
      closing.abort()
      clearTimeout(heartbeat)
      // A connection that has died silently never closes.
      await Promise.race([current?.end(), sleep(CLOSE_MS, undefined, { ref: false })])
    },
  }
}
