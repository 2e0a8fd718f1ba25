import { fillPlaceholders, sql, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Db, Tx } from './types.ts'

/** Builds a statement once per database, so that frequent reads cost neither building nor planning again. */
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

/** Builds a statement's SQL; `given` returns the placeholder or value of that name. */
type Build = (given: (name: string) => unknown) => SQL

/**
 * A named prepared statement, which each connection parses and plans once: on the embedded database, planning costs
 * more than running a small statement. In a transaction, it is parsed and planned each time.
 */
export function named<Row>(name: string, build: Build) {
  const { sql: text, params } = new PgDialect().sqlToQuery(build(each => sql.placeholder(each)))
  return async (db: Db | Tx, values: Record<string, unknown>): Promise<Row[]> => {
    const { rows } =
      '$client' in db
        ? await db.$client.query({ name, text, values: fillPlaceholders(params, values) })
        : await db.execute(build(each => values[each]))
    return rows as Row[]
  }
}
