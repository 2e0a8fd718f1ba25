import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/types.ts'
import { products, searchWords } from '#server/db/schema.ts'
import { isVisible } from '../products.ts'
import { hasSynonym, isEverydayWord } from './phrases.ts'
import { singular, type Synonyms } from './synonyms.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Shorter words resemble too many others, and numbers are never corrected. */
const CORRECTABLE = /^\p{L}{3,40}$/u
const MAX_CORRECTIONS = 4
const MAX_MEANINGS = 4
/** Minimum trigram similarity of corrections that differ from the typed word by more than one typing error. */
const ALIKE = 0.42
/** Stops counting the products of a correction here. */
const MAX_COUNTED = 100

/** Maps words that no product has to the most likely correction, by similarity and then by sales of its products. */
export async function correctWords(db: Db, unknown: string[], synonyms: Synonyms): Promise<Map<string, string>> {
  const words = [...new Set(unknown)].filter(word => CORRECTABLE.test(word)).slice(0, MAX_CORRECTIONS)
  if (words.length === 0) return new Map()
  const slipsOf = words.map(oneSlipFrom)
  const { rows } = await db.execute<{ typed: string; meant: string; likeness: number; sold: number }>(sql`
    select typed.word as typed, near.word as meant, near.likeness, sales.sold::int as sold
    from unnest(${sql.param(words)}::text[], ${sql.param(slipsOf.map(slips => slips.join(' ')))}::text[]) as typed (word, slips)
    cross join lateral (
      select word, max(likeness) as likeness from (
        select known.word, 1 as likeness
        from unnest(string_to_array(typed.slips, ' ')) as slip join ${searchWords} known on known.word = slip
        union all
        select known.word, similarity(known.word, typed.word) from ${searchWords} known
        where length(typed.word) > 3 and known.word % typed.word
      ) known
      where likeness >= ${ALIKE}
      group by word
      order by max(likeness) desc, (left(word, 1) = left(typed.word, 1)) desc, similarity(word, typed.word) desc, word
      limit ${MAX_MEANINGS}
    ) near
    cross join lateral (
      select coalesce(sum(units_sold), 0) + count(*) as sold from (
        select ${products.unitsSold} from ${products}
        where ${isVisible} and ${products.named} @@ plainto_tsquery('russian', near.word) limit ${MAX_COUNTED}
      ) counted
    ) sales
  `)
  const isLikely = ({ typed, meant, sold }: (typeof rows)[number]) =>
    sold > 0 && hasLikelyStart(typed, meant) && slipsBetween(typed, singular(meant)) <= (typed.length < 9 ? 2 : 3)
  const meant = Map.groupBy(rows.filter(isLikely), row => row.typed)
  return new Map(
    words.flatMap((word, at): [string, string][] => {
      const candidates = (meant.get(word) ?? []).toSorted(
        (one, other) =>
          other.likeness - one.likeness ||
          startsAlike(word, other.meant) - startsAlike(word, one.meant) ||
          other.sold - one.sold,
      )
      const [best] = candidates
      const synonym = synonymOf(word, slipsOf[at]!, synonyms)
      if (best && (best.likeness === 1 || !synonym)) return [[word, best.meant]]
      return synonym ? [[word, synonym]] : []
    }),
  )
}

/** The word with one of its letters doubled, if that has synonyms: 'earrings' for 'earings'. */
export function doubledWord(typed: string, synonyms: Synonyms): string | undefined {
  if (!CORRECTABLE.test(typed) || isEverydayWord(synonyms, typed)) return undefined
  const doubled = Array.from(typed, (letter, at) => typed.slice(0, at) + letter + typed.slice(at))
  return doubled.find(word => hasSynonym(synonyms, [word], 0))
}

/** A corrected word that has synonyms, preferably as a single word rather than as part of an expression. */
function synonymOf(typed: string, slips: string[], { meanings, words }: Synonyms): string | undefined {
  const known = slips.filter(
    slip => slip.length > 3 && words.has(slip) && hasLikelyStart(typed, slip) && slip !== singular(typed),
  )
  return known.find(slip => meanings.has(singular(slip))) ?? known[0]
}

/** The fewest missing, extra, wrong and swapped letters by which two words differ. */
function slipsBetween(one: string, other: string): number {
  let rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= one.length; at += 1) {
    const [before = [], twoBefore = []] = rows
    const row = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1]
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      const swapped = isSwapped ? twoBefore[to - 2]! + 1 : Infinity
      row.push(Math.min(before[to]! + 1, row[to - 1]! + 1, before[to - 1]! + (isSame ? 0 : 1), swapped))
    }
    rows = [row, before]
  }
  return rows[0]!.at(-1)!
}

/** Short words that differ in their first letter are different words: a pool is not wool. 'Nife' lacks its letter. */
function hasLikelyStart(typed: string, meant: string): boolean {
  return startsAlike(typed, meant) === 1 || typed.length > (meant.endsWith(typed) ? 3 : 4)
}

function startsAlike(word: string, other: string): number {
  return word.slice(0, 1) === other.slice(0, 1) ? 1 : 0
}

/**
 * All words that differ by one typing error: a missing, extra or wrong letter, or two swapped letters, as in 'bycicle';
 * of plurals also the singular.
 */
function oneSlipFrom(word: string): string[] {
  const splits = Array.from({ length: word.length + 1 }, (_, at) => [word.slice(0, at), word.slice(at)] as const)
  const slips = splits.flatMap(([before, after]) => [
    before + after.slice(1),
    before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2),
    before + after.slice(2, 3) + after.slice(1, 2) + after.slice(0, 1) + after.slice(3),
    ...Array.from(LETTERS, letter => before + letter + after.slice(1)),
    ...Array.from(LETTERS, letter => before + letter + after),
  ])
  return [...new Set([...slips, ...slips.map(singular)])]
}
