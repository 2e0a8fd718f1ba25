import { type Column, fillPlaceholders, sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'
import type { Db, Tx } from './types.ts'

/**
 * Builds a statement once per database, and for transactions once per connection, so that frequent statements cost
 * neither building nor planning again. An insert needs a placeholder for its id, because the column's default would
 * also be made only once.
 */
export function prepared<Statement>(build: (db: Db) => Statement): (db: Db | Tx) => Statement {
  const statements = new WeakMap<(Db | Tx)['$client'], Statement>()
  return ({ $client }) => {
    const known = statements.get($client)
    if (known) return known
    const statement = build(drizzle({ client: $client as Pool }))
    statements.set($client, statement)
    return statement
  }
}

/** For a prepared statement: whether the column is one of the texts in the placeholder `name`. */
export function isAnyOf(column: Column, name: string): SQL {
  return sql`${column} = any(${sql.placeholder(name)}::text[])`
}

/** Builds a statement's SQL; `given` returns the placeholder of that name. */
type Build = (given: (name: string) => unknown) => SQL

/**
 * A named prepared statement, which each connection parses and plans once: on the embedded database, planning costs
 * more than running a small statement.
 */
export function named<Row>(name: string, build: Build) {
  const { sql: text, params } = new PgDialect().sqlToQuery(build(each => sql.placeholder(each)))
  return async ({ $client }: Db | Tx, values: Record<string, unknown>): Promise<Row[]> => {
    const { rows } = await $client.query({ name, text, values: fillPlaceholders(params, values) })
    return rows as Row[]
  }
}
