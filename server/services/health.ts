import { sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'

const DURABILITY = {
  embedded: 'survives a process crash, not a power loss',
  postgresql: 'survives a process crash and a power loss, as PostgreSQL is set up',
}

/** Asks the database for a sign of life, and says what it promises. */
export async function readHealth({ db, kind }: Pick<Database, 'db' | 'kind'>) {
  await db.execute(sql`select 1`)
  return { status: 'ok' as const, database: kind, durability: DURABILITY[kind] }
}
