import { createHash } from 'node:crypto'
import { asc, gt, sql } from 'drizzle-orm'
import { named } from '../db/prepared.ts'
import type { Db, Tx } from '../db/types.ts'
import { auditEvents, auditHead } from '../db/schema.ts'
import { openLog } from './log.ts'

/** Where a request came from; empty for jobs and commands. */
export interface RequestOrigin {
  ip?: string | undefined
  requestId?: string | undefined
}

interface AuditEntry extends RequestOrigin {
  /** The kind of event, such as `login` or `password_reset`. */
  event: string
  outcome: 'ok' | 'refused'
  actorId?: string | undefined
  /** Never a password, a token or another credential. */
  details?: Record<string, unknown>
}

type Row = Pick<
  typeof auditEvents.$inferSelect,
  'at' | 'event' | 'outcome' | 'actorId' | 'ip' | 'requestId' | 'details'
>

const MAX_TEXT_LENGTH = 500
const BATCH = 1000

/** Logs the events that could not be stored. */
const lost = openLog({ name: 'audit' }, process.stderr)

/**
 * Appends an event to the audit. Pass the `tx` of the change that it records: the event is stored only if the
 * transaction commits, and a failure rejects. Call it last in the transaction, because all other events wait until the
 * transaction ends. With a `db` it never rejects: if the database fails, it logs the event.
 */
export async function recordAudit(db: Db | Tx, entry: AuditEntry): Promise<void> {
  const { event, outcome, actorId = null, ip = null, requestId = null, details = {} } = entry
  const row: Row = { at: new Date(), event, outcome, actorId, ip, requestId, details: storable(details) }
  try {
    await append(db, row)
  } catch (error) {
    if (isTransaction(db)) throw error
    lost.error({ err: error, audit: row }, 'an audit event could not be stored')
  }
}

function isTransaction(db: Db | Tx): db is Tx {
  return 'rollback' in db
}

/**
 * A single statement, to hold the lock on the row of `audit_head` only briefly: all other events wait for it, and with
 * them customers who wait for the products that an order has locked. It computes the same hash as `hashOf`.
 */
async function append(db: Db | Tx, row: Row): Promise<void> {
  const { at, details, ...columns } = row
  const values = { ...columns, at: at.toISOString(), details: JSON.stringify(details), tail: hashedTail(row) }
  const rows = await insertEvent(db, values)
  if (rows.length === 0) throw new Error('the row of audit_head is missing')
}

const insertEvent = named<{ id: number }>(
  'append_audit',
  given => sql`
    with head as (
      update audit_head
      set count = count + 1, hash = encode(sha256(convert_to('["' || last.hash || '",' || ${given('tail')}, 'UTF8')), 'hex')
      from (select hash from audit_head for update) as last
      returning last.hash as previous_hash, audit_head.hash
    )
    insert into audit_events (at, event, outcome, actor_id, ip, request_id, details, previous_hash, hash)
    select
      ${given('at')}::timestamptz, ${given('event')}, ${given('outcome')}, ${given('actorId')}, ${given('ip')},
      ${given('requestId')}, ${given('details')}::jsonb, previous_hash, hash
    from head
    returning id
  `,
)

/**
 * Checks the hash chain from its first event. `count` is the number of intact events, `brokenAt` the id of the first
 * event that was changed or follows a gap, `missing` the number of events deleted at the end. Cannot detect a careful
 * forger: someone who can write both tables can forge a whole chain.
 */
export async function verifyAudit(db: Db): Promise<{ count: number; brokenAt: number | null; missing: number }> {
  // Read first, so that events added during the check do not count as missing.
  const [head] = await db.select().from(auditHead)
  let previous = { id: 0, hash: '' }
  let count = 0
  let isHeadSeen = head?.hash === ''
  let isMore = true
  while (isMore) {
    const rows = await eventsAfter(db, previous.id)
    for (const row of rows) {
      if (row.previousHash !== previous.hash || row.hash !== hashOf(previous.hash, row))
        return { count, brokenAt: row.id, missing: 0 }
      previous = row
      count += 1
      if (row.hash === head?.hash) isHeadSeen = true
    }
    isMore = rows.length === BATCH
  }
  return { count, brokenAt: null, missing: isHeadSeen ? 0 : Math.max(1, (head?.count ?? 0) - count) }
}

function eventsAfter(db: Db, id: number) {
  return db.select().from(auditEvents).where(gt(auditEvents.id, id)).orderBy(asc(auditEvents.id)).limit(BATCH)
}

function hashOf(previousHash: string, row: Row): string {
  return createHash('sha256')
    .update(`["${previousHash}",${hashedTail(row)}`)
    .digest('hex')
}

/** The JSON array that is hashed, without its first element: the previous hash, and the comma after it. */
function hashedTail({ at, event, outcome, actorId, ip, requestId, details }: Row): string {
  return JSON.stringify([at.toISOString(), event, outcome, actorId, ip, requestId, sorted(details)]).slice(1)
}

/** Sorts the keys of objects, because jsonb does not keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!value || typeof value !== 'object') return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

/** Cuts long texts, and replaces characters that PostgreSQL cannot store, in details that come from clients. */
function storable(details: Record<string, unknown>): Record<string, unknown> {
  const clean = (_: string, value: unknown) =>
    typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\0', '\uFFFD') : value
  return JSON.parse(JSON.stringify(details, clean)) as Record<string, unknown>
}
