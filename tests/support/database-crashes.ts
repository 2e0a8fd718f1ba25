import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Pool, PoolClient } from 'pg'
import { inject } from 'vitest'
import { startPostgres } from './postgres.ts'
import { startProvider } from './provider.ts'
import { layInto } from './snapshot.ts'

const LIMITS = 'placeOrder=100000/1m,api=100000/1m'

/** A shop whose database crashes, and comes back by itself. */
interface Crashing {
  provider: Awaited<ReturnType<typeof startProvider>>
  /** Resolves when the database can be asked again. */
  crash(): Promise<void>
  /** The database does not come back. */
  end(): Promise<void>
}

/** With a server of its own: nobody else's tests may run on it, and it keeps what is committed. */
export async function crashPostgres(): Promise<Crashing> {
  const cluster = await startPostgres({ fsync: true })
  const provider = await startProvider({ cluster: cluster.url, limits: LIMITS })
  return { provider, crash: cluster.crash, end: cluster.stop }
}

/** The thread that the embedded database lives in is ended, as the watchdog ends one that hangs. */
export async function crashEmbedded(): Promise<Crashing> {
  const folder = await mkdtemp(join(tmpdir(), 'piazza-crash-'))
  const snapshot = inject('snapshot')
  if (snapshot) await layInto(folder, snapshot)
  const provider = await startProvider({ cluster: null, folder, limits: LIMITS })
  let current: PoolClient | undefined
  const { $client: pool } = provider.db as typeof provider.db & { $client: Pool }
  pool.on('acquire', client => (current = client))
  return {
    provider,
    async crash() {
      const { connection } = current as unknown as { connection: { stream: Duplex } }
      const closed = new Promise(resolve => connection.stream.once('close', resolve))
      connection.stream.destroy()
      await closed
    },
    end: () => rm(folder, { recursive: true }),
  }
}
