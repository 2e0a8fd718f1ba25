import { sql } from 'drizzle-orm'
import { LISTENER } from '#server/db/changes.ts'
import { sumBy } from '#server/platform/sum.ts'
import type { AppContext } from './app-context.ts'
import { many } from './describe.ts'

/** A line that `doctor` prints; what is WAITING needs a decision or a reminder, but nothing is broken. */
export interface Finding {
  mark: 'ok' | 'WAITING' | 'PROBLEM'
  text: string
}

/** Connections of a process besides its pool: one listens for changes, one for socket events, and one sends these. */
const BESIDE_POOL = 3
const WITHOUT_LIMITS =
  'Statements through the pooler have no time limit: ALTER ROLE … SET statement_timeout = 5000, lock_timeout = 3000 and idle_in_transaction_session_timeout = 5000'

/** Whether PostgreSQL has enough connections for all processes, and whether a pooler's connections have time limits. */
export async function checkConnections({
  database,
  config,
}: Pick<AppContext, 'database' | 'config'>): Promise<Finding[]> {
  if (database.kind === 'embedded') return []
  const isPooled = config.listenUrl !== config.databaseUrl
  const { rows } = await database.db.execute<{ pools: number[]; most: number; timeout: string }>(sql`
    select
      array(
        select substr(application_name, ${LISTENER.length + 1}::int)::int from pg_stat_activity
        where datname = current_database() and starts_with(application_name, ${LISTENER})
      ) as pools,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      current_setting('statement_timeout') as timeout
  `)
  const { pools = [], most = 0, timeout } = rows[0] ?? {}
  const needed = sumBy(pools, pool => BESIDE_POOL + (isPooled ? 0 : pool))
  const isShort = needed > most
  const advice = isShort ? ': lower DATABASE_POOL_SIZE, raise max_connections, or put PgBouncer in front' : ''
  return [
    {
      text: `${many(pools.length, 'process', 'processes')} may open ${needed} of PostgreSQL’s ${most} connections${advice}`,
      mark: isShort ? 'PROBLEM' : 'ok',
    },
    ...(isPooled && timeout === '0' ? [{ mark: 'PROBLEM' as const, text: WITHOUT_LIMITS }] : []),
  ]
}
