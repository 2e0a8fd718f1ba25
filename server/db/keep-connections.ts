import type { ClientBase, Pool, PoolClient } from 'pg'
import { isInDoubt } from './errors.ts'

type Query = (...args: unknown[]) => Promise<unknown>

/**
 * A pool drops the connection of each statement that fails. That costs PostgreSQL a reconnect and the embedded database,
 * whose connection is the database, a restart. Here it stays, and leaves the transaction that a failed script began.
 */
export function keepConnections(connect: () => Promise<PoolClient>): Pool['query'] {
  return (async (...args: unknown[]) => {
    const client = await connect()
    try {
      return await (client.query as Query)(...args)
    } catch (error) {
      await leaveTransaction(client)
      throw error
    } finally {
      release(client)
    }
  }) as Pool['query']
}

/** Gives a connection back to its pool, which drops it when it is broken or may still be in a transaction. */
export function release(client: PoolClient): void {
  client.release(client.getTransactionStatus() !== 'I')
}

/**
 * Ends a connection at the first statement whose error leaves it in doubt: every further one, such as a ROLLBACK, then
 * fails at once instead of waiting for a response as well. Calls `onResponse` whenever the database responds.
 */
export function endInDoubt(client: ClientBase & { end(): Promise<void> }, onResponse: () => void): void {
  const query = client.query.bind(client) as Query
  client.query = (async (...args: unknown[]) => {
    try {
      const result = await query(...args)
      onResponse()
      return result
    } catch (error) {
      if (isInDoubt(error)) void client.end()
      throw error
    }
  }) as typeof client.query
}

async function leaveTransaction(client: PoolClient): Promise<void> {
  // PostgreSQL sends the error ahead of what state it leaves: the answer to nothing comes after both.
  await client.query('').catch(ignore)
  const status = client.getTransactionStatus()
  if (status === 'T' || status === 'E') await client.query('ROLLBACK').catch(ignore)
}

// A connection that cannot even do that is broken.
function ignore(): void {}
