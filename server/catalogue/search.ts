import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../db/types.ts'
import { searchWords } from '../db/schema.ts'

/** The words of a search, each as typed, followed by possible corrections. */
export type Terms = string[][]

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Shorter words resemble too many others, and numbers are never corrected. */
const CORRECTABLE = /^\p{L}{4,40}$/u
const PREFIX = /^[\p{L}\p{N}]{3,}$/u
const MOST_CORRECTIONS = 4
const MOST_MEANINGS = 3
/** Minimum trigram similarity of corrections that differ from the typed word by more than one slip. */
const ALIKE = 0.45

/** Splits at angle brackets too: PostgreSQL would skip the text between them as markup. */
const BETWEEN_WORDS = /[\s<>]+/
const BETWEEN_LETTERS = /(?<=\p{L})-(?=\p{L})/u

/** Splits a search into words. */
export function termsOf(search: string): Terms {
  const words = search.split(BETWEEN_WORDS).filter(Boolean)
  return words.map(word => [word])
}

/** The same search with hyphenated words split into their parts; null if there are none. */
export function unjoined(terms: Terms): Terms | null {
  const parts = terms.flat().flatMap(word => word.split(BETWEEN_LETTERS))
  return parts.length > terms.length ? parts.map(word => [word]) : null
}

/** The search as PostgreSQL's tsquery: all words must match; the last one also matches as a prefix. */
export function toTextQuery(terms: Terms): SQL {
  const words = terms.map((alternatives, at) => {
    const wholes = alternatives.map(word => sql`plainto_tsquery('english', ${word.replaceAll('-', '')})`)
    const [typed = ''] = alternatives
    const isLast = at === terms.length - 1
    if (isLast && PREFIX.test(typed)) wholes.push(sql`to_tsquery('simple', ${`${typed}:*`})`)
    return sql`(${sql.join(wholes, sql` || `)})`
  })
  return words.length === 0 ? sql`''::tsquery` : sql`(${sql.join(words, sql` && `)})`
}

/** The same search, with similar words added to those that no product has; null if there are none to add. */
export async function corrected(db: Db, terms: Terms): Promise<Terms | null> {
  const typed = [...new Set(terms.flat().map(word => word.toLowerCase()))].filter(word => CORRECTABLE.test(word))
  if (typed.length === 0) return null
  const words = typed.slice(0, MOST_CORRECTIONS)
  const slips = words.map(word => oneSlipFrom(word).join(' '))
  const { rows } = await db.execute<{ typed: string; meant: string }>(sql`
    select typed.word as typed, near.word as meant
    from unnest(${sql.param(words)}::text[], ${sql.param(slips)}::text[]) as typed (word, slips)
    cross join lateral (
      select word from (
        select known.word, 1 as likeness
        from unnest(string_to_array(typed.slips, ' ')) as slip join ${searchWords} known on known.word = slip
        union all
        select known.word, similarity(known.word, typed.word) from ${searchWords} known where known.word % typed.word
      ) known
      where likeness >= ${ALIKE}
      group by word
      order by max(likeness) desc, word
      limit ${MOST_MEANINGS}
    ) near
    where not exists (select from ${searchWords} known where known.word = typed.word)
  `)
  if (rows.length === 0) return null
  const meant = Map.groupBy(rows, row => row.typed)
  return terms.map(([word = '']) => [word, ...(meant.get(word.toLowerCase()) ?? []).map(row => row.meant)])
}

/** All words that differ by one typing error: a missing, extra or wrong letter, or two swapped letters. */
function oneSlipFrom(word: string): string[] {
  const splits = Array.from({ length: word.length + 1 }, (_, at) => [word.slice(0, at), word.slice(at)] as const)
  return splits.flatMap(([before, after]) => [
    before + after.slice(1),
    before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2),
    ...Array.from(LETTERS, letter => before + letter + after.slice(1)),
    ...Array.from(LETTERS, letter => before + letter + after),
  ])
}
