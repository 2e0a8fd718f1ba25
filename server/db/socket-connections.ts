import { Client, Pool } from 'pg'

interface Options {
  /** Without a pooler in between, because one of the connections listens. */
  url: string
  onError: (error: Error) => void
  /**
   * Called once a connection listens. `again`: it replaces a lost one, so other processes' events may have been missed.
   */
  onListening: (again: boolean) => void
}

const RESPONSE_MS = 5000
const HEARTBEAT_MS = 5000
const CHECKED = { connectionTimeoutMillis: RESPONSE_MS, query_timeout: RESPONSE_MS, keepAlive: true }

/**
 * The connections through which the socket servers of several processes exchange events: one that listens, and one that
 * sends, so that events keep their order. The object only looks like a pool: Socket.IO's adapter never returns a lost
 * connection, so a real pool would run out.
 */
export function openSocketConnections({ url, onError, onListening }: Options): { pool: Pool; close(): Promise<void> } {
  const sending = new Pool({ connectionString: url, max: 1, ...CHECKED })
  sending.on('error', onError)
  let listening: Client | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let isClosed = false

  async function listen(): Promise<Client & { release(): void }> {
    if (isClosed) throw new Error('the sockets are closed')
    const client = new Client({ connectionString: url, ...CHECKED })
    client.on('error', onError)
    await client.connect()
    const again = listening !== undefined
    listening = client
    client.once('end', () => clearTimeout(heartbeat))
    // The adapter's LISTEN follows at once. A connection carries out its queries in order, so this one ends after it.
    setImmediate(() => void beat(client, () => onListening(again)))
    return Object.assign(client, { release: () => void client.end().catch(onError) })
  }

  /** Ends a connection that has died silently, so that it is replaced. */
  async function beat(client: Client, onAnswer?: () => void): Promise<void> {
    try {
      await client.query('select 1')
    } catch {
      void client.end().catch(onError)
      return
    }
    onAnswer?.()
    heartbeat = setTimeout(() => void beat(client), HEARTBEAT_MS).unref()
  }

  const pool = { connect: listen, query: sending.query.bind(sending) } as unknown as Pool
  return {
    pool,
    async close() {
      isClosed = true
      clearTimeout(heartbeat)
      // An ending pool drops the queries that still wait for its connection. This one waits behind them.
      if (sending.waitingCount > 0) await sending.query('select 1').catch(onError)
      await Promise.all([sending.end(), listening?.end().catch(onError)])
    },
  }
}
