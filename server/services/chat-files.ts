import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { attachments } from '../db/schema.ts'
import type { StoredAttachment } from './chat-view.ts'

/** A file of a message by its id; null for one that is unknown, or whose message was deleted. */
export async function readFile(db: Db, id: string): Promise<StoredAttachment | null> {
  const [file] = await db.select().from(attachments).where(eq(attachments.id, id))
  return file ?? null
}

/** Those of `keys` under which a message has a file. */
export async function namedKeys(db: Db, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db.select({ key: attachments.key }).from(attachments).where(inArray(attachments.key, keys))
  return new Set(rows.map(row => row.key))
}
