import { fillPlaceholders, sql, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'
import type { Db, Tx } from './types.ts'

/** Builds a statement once for each database: a read that every page makes costs neither building nor planning again. */
export function prepared<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const statements = new WeakMap<Db, Statement>()
  return db => {
    const known = statements.get(db)
    if (known) return known
    const statement = build(db)
    statements.set(db, statement)
    return statement
  }
}

/** Makes SQL of a statement; `given` is what stands for the value of that name. */
type Build = (given: (name: string) => unknown) => SQL

/**
 * A statement in SQL that each connection reads and plans once: on the embedded database, planning costs more than a
 * small statement does. A transaction sends it anew each time.
 */
export function named<Row>(name: string, build: Build) {
  const { sql: text, params } = new PgDialect().sqlToQuery(build(each => sql.placeholder(each)))
  return async (db: Db | Tx, values: Record<string, unknown>): Promise<Row[]> => {
    const { rows } =
      '$client' in db
        ? await (db as Db & { $client: Pool }).$client.query({ name, text, values: fillPlaceholders(params, values) })
        : await db.execute(build(each => values[each]))
    return rows as Row[]
  }
}
