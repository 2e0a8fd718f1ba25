import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'drizzle-orm'
import { renewDatabaseId } from '#server/db/database-id.ts'
import type { Db, Tx } from '#server/db/types.ts'
import { transact } from '#server/db/transact.ts'
import { linesOf } from '#server/platform/lines.ts'

interface Table {
  name: string
  /** Stored columns, without generated ones. */
  columns: string[]
}

/** Tables that are not backed up, because their rows are valid for minutes only. */
const NOT_BACKED_UP = ['rate_limits', 'socket_io_attachments', 'leases']
const BATCH = 500
const NEWLINE = '\n'

/** All tables of the shop, sorted so that each follows the tables to which it refers. */
async function tablesOf(db: Db | Tx): Promise<Table[]> {
  const { rows } = await db.execute<{ name: string; columns: string[]; needs: string[] }>(sql`
    select relation.relname as name,
      array(
        select attname::text from pg_attribute
        where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
      ) as columns,
      array(
        select other.relname::text from pg_constraint link join pg_class other on other.oid = link.confrelid
        where link.conrelid = relation.oid and link.contype = 'f' and other.oid <> relation.oid
      ) as needs
    from pg_class relation
    where relation.relnamespace = 'public'::regnamespace and relation.relkind = 'r'
    order by relation.relname
  `)
  const waiting = rows.filter(({ name }) => !NOT_BACKED_UP.includes(name))
  const tables: Table[] = []
  while (waiting.length > 0) {
    const at = waiting.findIndex(({ needs }) => needs.every(need => tables.some(({ name }) => name === need)))
    const [next] = waiting.splice(at, 1)
    if (at === -1 || !next) throw new Error('the tables refer to each other in a circle')
    tables.push({ name: next.name, columns: next.columns })
  }
  return tables
}

/** Hash of the latest migration of the database. */
export async function versionOf(db: Db | Tx): Promise<string> {
  const { rows } = await db.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by created_at desc limit 1`,
  )
  return rows[0]?.hash ?? ''
}

/**
 * Writes each table to its own file in `folder`, one row of JSON per line, all as of one moment. Returns the number of
 * rows.
 */
export function writeRows(db: Db, folder: string, signal: AbortSignal): Promise<number> {
  return transact(
    db,
    async tx => {
      // Writing to a slow disk may leave the transaction idle for long.
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
      let count = 0
      for (const table of await tablesOf(tx)) count += await writeTable(tx, table, folder, signal)
      return count
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function writeTable(tx: Tx, { name, columns }: Table, folder: string, signal: AbortSignal): Promise<number> {
  await tx.execute(sql`declare rows no scroll cursor for select to_jsonb(each)::text as text from (
    select ${named(columns)} from ${sql.identifier(name)}
  ) each`)
  let count = 0
  async function* written() {
    let isMore = true
    while (isMore) {
      const { rows } = await tx.execute<{ text: string }>(sql`fetch ${sql.raw(String(BATCH))} from rows`)
      yield rows.map(row => row.text + NEWLINE).join('')
      count += rows.length
      isMore = rows.length === BATCH
    }
  }
  await pipeline(written, createWriteStream(join(folder, name), { mode: 0o600 }), { signal })
  await tx.execute(sql`close rows`)
  return count
}

/** Whether the database has customers, sellers, products or audit events. */
export async function isInUse(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(sql`
    select exists (select from users) or exists (select from sellers) or exists (select from products)
      or exists (select from audit_events) as found
  `)
  return rows[0]?.found ?? true
}

/** Replaces the rows of all tables by those that `writeRows` wrote: all of them, or none. Returns their number. */
export function readRows(db: Db, folder: string): Promise<number> {
  return transact(db, async tx => {
    const tables = await tablesOf(tx)
    let count = 0
    for (const { name } of tables.toReversed()) await tx.execute(sql`delete from ${sql.identifier(name)}`)
    for (const table of tables) count += await readTable(tx, table, folder)
    await renewDatabaseId(tx)
    return count
  })
}

/** Reads one table, with its triggers disabled: the rows already contain what the triggers once derived. */
async function readTable(tx: Tx, { name, columns }: Table, folder: string): Promise<number> {
  const table = sql.identifier(name)
  await tx.execute(sql`alter table ${table} disable trigger user`)
  let count = 0
  const insert = async (lines: string[]) => {
    if (lines.length === 0) return
    count += lines.length
    await tx.execute(sql`
      insert into ${table} (${named(columns)}) overriding system value
      select ${named(columns)} from jsonb_populate_recordset(null::${table}, ${`[${lines.join(',')}]`}::jsonb)
    `)
  }
  let lines: string[] = []
  for await (const line of linesOf(createReadStream(join(folder, name)))) {
    lines.push(line)
    if (lines.length === BATCH) await insert(lines.splice(0))
  }
  await insert(lines)
  await tx.execute(sql`alter table ${table} enable trigger user`)
  await countOn(tx, name)
  return count
}

/** Makes identity columns continue after the highest number in use. */
async function countOn(tx: Tx, name: string): Promise<void> {
  const { rows } = await tx.execute<{ column: string }>(sql`
    select attname as column from pg_attribute
    where attrelid = ${`public.${name}`}::regclass and attidentity <> ''
  `)
  for (const { column } of rows)
    await tx.execute(sql`
      select setval(pg_get_serial_sequence(${`public.${name}`}, ${column}),
        (select coalesce(max(${sql.identifier(column)}), 0) + 1 from ${sql.identifier(name)}), false)
    `)
}

function named(columns: string[]) {
  return sql.join(
    columns.map(column => sql.identifier(column)),
    sql`, `,
  )
}
