import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { getHealth } from '#contract/health.ts'
import { WRITE_NOTHING } from '../db/changes.ts'
import { isBusy, isReadOnly } from '../db/errors.ts'
import type { Database } from '../db/types.ts'
import { UnavailableError } from '../platform/errors.ts'
import { singleFlight } from '../platform/single-flight.ts'
import type { Env } from './env.ts'
import { mount } from './mount.ts'

const DURABILITY = {
  embedded: 'survives a process crash, not a power loss',
  postgresql: 'survives a process crash and a power loss, as PostgreSQL is set up',
}
/** How long to wait for the database; only `USUAL_MS` if other statements have succeeded recently. */
const MAX_MS = 700
const USUAL_MS = 100

interface Health {
  status: 'ok'
  database: Database['kind']
  durability: string
}

export function healthRoutes(app: Hono<Env>, database: Database): void {
  mount(app, getHealth, openHealth(database))
}

/**
 * Returns the health check. It throws an `UnavailableError` within a second when the database is unreachable or
 * read-only, or has responded to nothing for ten seconds. Concurrent calls share one statement.
 */
function openHealth(database: Pick<Database, 'db' | 'kind' | 'isAlive'>): () => Promise<Health> {
  const { db, kind } = database
  const probe = singleFlight<'ok' | 'read-only' | 'away' | 'busy'>()

  async function tryToWrite() {
    try {
      await db.execute(sql.raw(WRITE_NOTHING))
      return 'ok'
    } catch (error) {
      return isReadOnly(error) ? 'read-only' : isBusy(error) ? 'busy' : 'away'
    }
  }

  return async () => {
    const patienceMs = database.isAlive() ? USUAL_MS : MAX_MS
    const result = await Promise.race([
      probe.share('write', tryToWrite),
      sleep(patienceMs, 'busy' as const, { ref: false }),
    ])
    if (result === 'read-only') throw new UnavailableError('The database is read-only')
    if (result === 'away' || (result === 'busy' && !database.isAlive()))
      throw new UnavailableError('The database does not respond')
    return { status: 'ok', database: kind, durability: DURABILITY[kind] }
  }
}
