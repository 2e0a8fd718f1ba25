import { setTimeout as sleep } from 'node:timers/promises'
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
/**
 * Each commit that notifies takes a lock of the whole PostgreSQL server and wakes every process, so events that follow
 * each other within this time share one.
 */
const GROUP_MS = 20
/** The statement by which Socket.IO's adapter announces an event to the other processes. */
const NOTIFY = 'SELECT pg_notify($1, $2)'
const NOTIFY_ALL = 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as event (channel, payload)'
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

  const announce = groupEvents(events =>
    sending.query(NOTIFY_ALL, [events.map(([channel]) => channel), events.map(([, payload]) => payload)]),
  )
  let announced: Promise<unknown> = Promise.resolve()
  const query = (text: string, values: [string, string]) =>
    text === NOTIFY ? (announced = announce(values)) : sending.query(text, values)
  const pool = { connect: listen, query } as unknown as Pool
  return {
    pool,
    async close() {
      isClosed = true
      clearTimeout(heartbeat)
      await announced.catch(onError)
      // An ending pool drops the queries that still wait for its connection. This one waits behind them.
      if (sending.waitingCount > 0) await sending.query('select 1').catch(onError)
      await Promise.all([sending.end(), listening?.end().catch(onError)])
    },
  }
}

/**
 * Sends an event at once, and those of the next `GROUP_MS` together. PostgreSQL delivers equal events of a group once,
 * which is as often as clients need them.
 */
function groupEvents(send: (events: [string, string][]) => Promise<unknown>) {
  let waiting: [string, string][] = []
  let sent: Promise<unknown> | undefined
  let sentAt = -Infinity
  return (event: [string, string]): Promise<unknown> => {
    waiting.push(event)
    sent ??= sleep(Math.max(0, sentAt + GROUP_MS - performance.now())).then(() => {
      const events = waiting
      waiting = []
      sent = undefined
      sentAt = performance.now()
      return send(events)
    })
    return sent
  }
}
