import { eq, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/types.ts'
import { prepared } from '../db/prepared.ts'
import { sessions, users } from '../db/schema.ts'
import type { SignedIn } from '../platform/signed-in.ts'

export interface SessionCache {
  /** The customer of a session, cached for up to 5 s; null when it has ended or never existed. */
  find(sessionId: string): Promise<SignedIn | null>
  /** Marks a session as ended, even for reads that are still running. */
  forget(sessionId: string): void
  /** Any session may have ended: the next `find` of each reads the database. */
  forgetAll(): void
  /** Calls `listener` with the id of each session that is forgotten; null when all are. */
  onEnd(listener: (sessionId: string | null) => void): void
}

const FRESH_MS = 5000
/** How long ended sessions are remembered: longer than any running read takes. */
const ENDED_MS = 60_000
const REMEMBERED = 10_000

const sessionById = prepared(db =>
  db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      revokedAt: sessions.revokedAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, sql.placeholder('id')))
    .prepare('session_by_id'),
)

/**
 * Caches which sessions are valid, because every request of a customer checks it. That saves a quarter of the time for
 * an empty cart (bench/README.md, 'caches').
 */
export function openSessionCache(db: Db, now: () => number): SessionCache {
  const fresh = new LRUCache<string, SignedIn>({ max: REMEMBERED, ttl: FRESH_MS, perf: { now } })
  const listeners: ((sessionId: string | null) => void)[] = []
  let generation = 0
  const ended = new LRUCache<string, true>({ max: REMEMBERED, ttl: ENDED_MS, perf: { now } })

  return {
    async find(sessionId) {
      if (ended.has(sessionId)) return null
      const known = fresh.get(sessionId)
      if (known) return known
      const begun = generation
      const [row] = await sessionById(db).execute({ id: sessionId })
      if (!row || row.revokedAt || row.expiresAt.getTime() <= now() || ended.has(sessionId)) return null
      const { id, name, email } = row
      const customer = { id, name, email, sessionId }
      if (begun === generation) fresh.set(sessionId, customer)
      return customer
    },

    forget(sessionId) {
      ended.set(sessionId, true)
      fresh.delete(sessionId)
      for (const listener of listeners) listener(sessionId)
    },

    forgetAll() {
      generation += 1
      fresh.clear()
      for (const listener of listeners) listener(null)
    },

    onEnd: listener => void listeners.push(listener),
  }
}
