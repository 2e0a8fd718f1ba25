import { drizzle } from 'drizzle-orm/node-postgres'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { isInDoubt } from './errors.ts'
import type { Connections, Db } from './types.ts'

type Query = (...args: unknown[]) => Promise<unknown>

/**
 * A database that returns the connection of a failed statement to the pool, after rolling back a transaction that the
 * statement left open. The pool's own `query` drops the connection instead: PostgreSQL would have to be reconnected,
 * and the embedded database restarted.
 */
export function databaseOver(connect: () => Promise<PoolClient>): Db {
  const connections = { connect, query: keepingConnections(connect) }
  // drizzle uses nothing else of a pool for single statements; `transact` runs the transactions.
  return drizzle(connections as Pool)
}

function keepingConnections(connect: () => Promise<PoolClient>): Connections['query'] {
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
  }) as Connections['query']
}

/** Returns a connection to its pool, which drops it if it is broken or may still be in a transaction. */
export function release(client: PoolClient): void {
  client.release(client.getTransactionStatus() !== 'I')
}

/**
 * Ends a connection after the first error that `isInDoubt`: further statements, such as a ROLLBACK, then fail at once
 * instead of also waiting for a response. Calls `onResponse` after each successful statement, with its milliseconds.
 */
export function endInDoubt(client: ClientBase & { end(): Promise<void> }, onResponse: (ms: number) => void): void {
  const query = client.query.bind(client) as Query
  client.query = (async (...args: unknown[]) => {
    const startedAt = performance.now()
    try {
      const result = await query(...args)
      onResponse(performance.now() - startedAt)
      return result
    } catch (error) {
      if (isInDoubt(error)) void client.end()
      throw error
    }
  }) as typeof client.query
}

/**
 * Makes a connection send named statements without their names: behind a pooler in transaction mode, the next statement
 * may run on another connection, which does not know the name.
 */
export function forgetNames(client: ClientBase): void {
  const query = client.query.bind(client) as Query
  client.query = ((first: unknown, ...others: unknown[]) => {
    const isNamed = typeof first === 'object' && first !== null && 'name' in first
    return query(isNamed ? { ...first, name: undefined } : first, ...others)
  }) as typeof client.query
}

async function leaveTransaction(client: PoolClient): Promise<void> {
  // PostgreSQL sends the error before the transaction's status. The response to an empty query comes after both.
  await client.query('').catch(ignore)
  const status = client.getTransactionStatus()
  if (status === 'T' || status === 'E') await client.query('ROLLBACK').catch(ignore)
}

// On failure the connection is broken, and `release` drops it.
function ignore(): void {}
