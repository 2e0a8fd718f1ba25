import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { facts } from './schema.ts'
import type { Db, Tx } from './types.ts'

const FACT = 'database id'
const RESTORED = 'restored '

/** A random id of the database, chosen at the first call. A restored one has an id of its own. */
export async function databaseIdOf(db: Db): Promise<string> {
  await db.insert(facts).values({ name: FACT, value: randomUUID() }).onConflictDoNothing()
  const [row] = await db.select({ value: facts.value }).from(facts).where(eq(facts.name, FACT))
  return String(row?.value)
}

/** Call it after filling a database with the rows of another. */
export async function renewDatabaseId(tx: Tx): Promise<void> {
  await tx.delete(facts).where(eq(facts.name, FACT))
  await tx.insert(facts).values({ name: FACT, value: newRestoredId() })
}

export function newRestoredId(): string {
  return RESTORED + randomUUID()
}

/** Whether the database with this id was filled by `market restore`. */
export function isRestored(databaseId: string): boolean {
  return databaseId.startsWith(RESTORED)
}
