import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { facts } from './schema.ts'
import type { Db, Tx } from './types.ts'

const FACT = 'database id'

/** A random id of the database, chosen at the first call. A restored one has an id of its own. */
export async function databaseIdOf(db: Db): Promise<string> {
  await db.insert(facts).values({ name: FACT, value: randomUUID() }).onConflictDoNothing()
  const [row] = await db.select({ value: facts.value }).from(facts).where(eq(facts.name, FACT))
  return String(row?.value)
}

/** Call it after filling a database with the rows of another. */
export async function forgetDatabaseId(tx: Tx): Promise<void> {
  await tx.delete(facts).where(eq(facts.name, FACT))
}
