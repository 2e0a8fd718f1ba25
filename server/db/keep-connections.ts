import type { Pool, PoolClient } from 'pg'

type Query = (...args: unknown[]) => Promise<unknown>

/**
 * A pool drops the connection of each statement that fails. That costs PostgreSQL a reconnect and the embedded database,
 * whose connection is the database, a restart. Here it stays, and leaves the transaction that a failed script began.
 */
export function keepConnections(pool: Pool): void {
  pool.query = (async (...args: unknown[]) => {
    const client = await pool.connect()
    try {
      return await (client.query as Query)(...args)
    } catch (error) {
      await leaveTransaction(client)
      throw error
    } finally {
      // One that is broken is dropped all the same.
      client.release()
    }
  }) as Pool['query']
}

async function leaveTransaction(client: PoolClient): Promise<void> {
  // PostgreSQL sends the error ahead of what state it leaves: the answer to nothing comes after both.
  await client.query('').catch(ignore)
  const status = client.getTransactionStatus()
  if (status === 'T' || status === 'E') await client.query('ROLLBACK').catch(ignore)
}

// A connection that cannot even do that is broken.
function ignore(): void {}
