import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { attachments, returnPictures, reviewPictures } from '../db/schema.ts'

/** A file of a message, return or review. */
export type SentFile = Pick<
  typeof attachments.$inferSelect,
  'id' | 'type' | 'key' | 'mimeType' | 'originalName' | 'size'
>

const PICTURES = [returnPictures, reviewPictures] as const

/** A file of a message, return or review by its id; null if it is unknown or its message was deleted. */
export async function readFile(db: Db, id: string): Promise<SentFile | null> {
  const [file] = await db.select().from(attachments).where(eq(attachments.id, id))
  if (file) return file
  for (const table of PICTURES) {
    const [picture] = await db.select().from(table).where(eq(table.id, id))
    if (picture) return { ...picture, type: 'image' }
  }
  return null
}

/** How many files of messages, returns and reviews there are. */
export async function countFiles(db: Db): Promise<number> {
  let count = 0
  for (const table of [attachments, ...PICTURES]) count += await db.$count(table)
  return count
}

/** Those of the keys that a file of a message, return or review uses. */
export async function namedKeys(db: Db, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const named = new Set<string>()
  for (const table of [attachments, ...PICTURES]) {
    const rows = await db.select({ key: table.key }).from(table).where(inArray(table.key, keys))
    for (const { key } of rows) named.add(key)
  }
  return named
}
