import { desc, sql } from 'drizzle-orm'
import type { Db } from '#server/db/types.ts'
import { searchMisses } from '#server/db/schema.ts'
import { wordsOf } from './plain.ts'

/** Further searches of the same second are not counted. */
const MAX_AT_ONCE = 100
const MAX_STORED = 2000
const MAX_LETTERS = 80
const PAUSE_MS = 1000
/** Searches that may contain an email address, a telephone number or a card number. */
const PERSONAL = /@|(?:\d[ .-]?){7}/

/**
 * Counts searches for which no product has all words. Stores at most `MAX_STORED` searches, as words and numbers only.
 */
export function countMisses(db: Db): { add(search: string): void } {
  const counts = new Map<string, number>()
  const store = () => {
    const added = [...counts]
    counts.clear()
    // A count that cannot be stored is lost: a search must not fail for it.
    storeMisses(db, added).catch(() => undefined)
  }
  return {
    add(search) {
      if (PERSONAL.test(search)) return
      const words = wordsOf(search)
        .map(({ word }) => word.replaceAll('\u0000', ''))
        .join(' ')
      if (words === '' || words.length > MAX_LETTERS) return
      if (counts.size >= MAX_AT_ONCE && !counts.has(words)) return
      if (counts.size === 0) setTimeout(store, PAUSE_MS).unref()
      counts.set(words, (counts.get(words) ?? 0) + 1)
    },
  }
}

async function storeMisses(db: Db, counts: [words: string, count: number][]): Promise<void> {
  // Always in the same order, so that two processes wait for each other instead of causing a deadlock.
  const sorted = counts.toSorted(([one], [other]) => (one < other ? -1 : 1))
  await db
    .insert(searchMisses)
    .values(sorted.map(([words, count]) => ({ words, count })))
    .onConflictDoUpdate({
      target: searchMisses.words,
      set: { count: sql`least(${searchMisses.count}::bigint + excluded.count, 2147483647)::int` },
    })
  await db.execute(sql`
    delete from ${searchMisses} where words in (
      select words from ${searchMisses} order by count desc, words offset ${MAX_STORED}
    )
  `)
}

/** The most frequent of these searches, in their normalised form. */
export function listMisses(db: Db, limit: number) {
  return db.select().from(searchMisses).orderBy(desc(searchMisses.count), searchMisses.words).limit(limit)
}
