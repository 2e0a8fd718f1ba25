import { drizzle } from 'drizzle-orm/node-postgres'
import type { PoolClient } from 'pg'
import { release } from './keep-connections.ts'
import type { Db } from './types.ts'
import * as schema from './schema.ts'

/**
 * Makes transactions always release their connection. drizzle leaks it when BEGIN fails, as it does when the database
 * becomes unreachable, until the pool is empty: https://github.com/drizzle-team/drizzle-orm/issues/6023
 */
export function releaseAlways(db: Db, connect: () => Promise<PoolClient>): void {
  const onConnection = new WeakMap<PoolClient, Db>()
  const dbOn = (client: PoolClient): Db => {
    const known = onConnection.get(client)
    if (known) return known
    const own = drizzle(client, { schema }) as unknown as Db
    onConnection.set(client, own)
    return own
  }
  db.transaction = async (work, config) => {
    const client = await connect()
    try {
      return await dbOn(client).transaction(work, config)
    } finally {
      release(client)
    }
  }
}
