import { createHash } from 'node:crypto'
import { asc, desc, gt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { auditEvents } from '../db/schema.ts'
import { openLog } from '../log.ts'

interface AuditEntry {
  /** What happened, such as `login` or `password_reset`. */
  event: string
  outcome: 'ok' | 'refused'
  actorId?: string | undefined
  ip?: string | undefined
  requestId?: string | undefined
  /** Never a password, a token or anything else that opens a door. */
  details?: Record<string, unknown>
}

type Row = Pick<
  typeof auditEvents.$inferSelect,
  'at' | 'event' | 'outcome' | 'actorId' | 'ip' | 'requestId' | 'details'
>

/** Any number, the same in every process: one after the other appends to the chain. */
const CHAIN_LOCK = 7_204_019
const LONGEST_TEXT = 500
const BATCH = 1000

/** An event that could not be stored is at least not lost. */
const lost = openLog({ name: 'audit' }, process.stderr)

/**
 * Appends to the audit. Never rejects: when the database refuses, the event goes to the log. Inside a transaction it
 * needs that transaction, and then holds up every other event until its end: better after it.
 */
export async function recordAudit(db: Db | Tx, entry: AuditEntry): Promise<void> {
  const { event, outcome, actorId = null, ip = null, requestId = null, details = {} } = entry
  const row: Row = { at: new Date(), event, outcome, actorId, ip, requestId, details: storable(details) }
  try {
    await db.transaction(async tx => {
      await tx.execute(sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`)
      const [last] = await tx
        .select({ hash: auditEvents.hash })
        .from(auditEvents)
        .orderBy(desc(auditEvents.id))
        .limit(1)
      const previousHash = last?.hash ?? ''
      await tx.insert(auditEvents).values({ ...row, previousHash, hash: hashOf(previousHash, row) })
    })
  } catch (error) {
    lost.error({ err: error, audit: row }, 'an audit event could not be stored')
  }
}

/** Follows the chain from its first event: how many there are, and the id of the first that was changed or follows a gap. */
export async function verifyAudit(db: Db): Promise<{ count: number; brokenAt: number | null }> {
  let previous = { id: 0, hash: '' }
  for (let count = 0; ;) {
    const rows = await db
      .select()
      .from(auditEvents)
      .where(gt(auditEvents.id, previous.id))
      .orderBy(asc(auditEvents.id))
      .limit(BATCH)
    for (const row of rows) {
      if (row.previousHash !== previous.hash || row.hash !== hashOf(previous.hash, row))
        return { count, brokenAt: row.id }
      previous = row
      count += 1
    }
    if (rows.length < BATCH) return { count, brokenAt: null }
  }
}

function hashOf(previousHash: string, { at, event, outcome, actorId, ip, requestId, details }: Row): string {
  const text = JSON.stringify([previousHash, at.toISOString(), event, outcome, actorId, ip, requestId, sorted(details)])
  return createHash('sha256').update(text).digest('hex')
}

/** The database keeps the keys of an object in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!value || typeof value !== 'object') return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

/** What a browser sent may be longer than a log needs, and hold characters that the database cannot. */
function storable(details: Record<string, unknown>): Record<string, unknown> {
  const clean = (_: string, value: unknown) =>
    typeof value === 'string' ? value.slice(0, LONGEST_TEXT).toWellFormed().replaceAll('\0', '\uFFFD') : value
  return JSON.parse(JSON.stringify(details, clean)) as Record<string, unknown>
}
