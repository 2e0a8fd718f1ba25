import type { Db } from './open.ts'

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
