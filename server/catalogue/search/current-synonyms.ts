import { asc } from 'drizzle-orm'
import type { Db } from '#server/db/types.ts'
import { transact } from '#server/db/transact.ts'
import { InvalidInputError } from '#server/platform/errors.ts'
import { searchSynonyms } from '#server/db/schema.ts'
import { problemsOf, readSynonyms, type Synonyms } from './synonyms.ts'

const ROWS_AT_ONCE = 500

let latest: { text: string; synonyms: Synonyms } | undefined

/**
 * The built-in synonyms and the operators' own. Parsed again only when they have changed: parsing them takes longer
 * than a search (bench/README.md, 'caches').
 */
export async function currentSynonyms(db: Db): Promise<Synonyms> {
  const lines = await listSynonyms(db)
  const text = lines.join('\n')
  if (latest?.text !== text) latest = { text, synonyms: readSynonyms(lines) }
  return latest.synonyms
}

/** The lines of the operators' synonyms. */
export async function listSynonyms(db: Db): Promise<string[]> {
  const rows = await db.select({ line: searchSynonyms.line }).from(searchSynonyms).orderBy(asc(searchSynonyms.position))
  return rows.map(({ line }) => line)
}

/** Replaces the operators' synonyms. Throws an `InvalidInputError` that names the lines which cannot be used. */
export async function replaceSynonyms(db: Db, lines: string[]): Promise<number> {
  const problems = problemsOf(lines)
  if (problems.length > 0) throw new InvalidInputError(problems.join('\n'))
  const used = lines.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'))
  await transact(db, async tx => {
    await tx.delete(searchSynonyms)
    const rows = used.map((line, position) => ({ position, line }))
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await tx.insert(searchSynonyms).values(rows.slice(at, at + ROWS_AT_ONCE))
    }
  })
  return used.length
}
