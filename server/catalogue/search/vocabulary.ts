import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/types.ts'
import { products, searchWords } from '#server/db/schema.ts'

/** The words of a search compared with the words that the shop's products use. */
export interface Vocabulary {
  /** Whether products have the word, in any form. */
  isKnown(word: string): boolean
  /** Whether products have the word as it is typed: 'ear' does not count for 'earings', which has the same stem. */
  isVerbatim(word: string): boolean
  /** Whether names have the word's stem only in words in -er or -ic: 'recorders' but not 'records'. */
  isOnlyDerived(word: string): boolean
  /** The ways to split a compound into known words: 'stepladder' into step and ladder. */
  splitsOf(word: string): string[][]
  /** Known words that begin with the last word of the search. */
  completions: string[]
  /** Known compounds that end with a word: 'football' for 'ball', but not 'clock' for 'lock'. */
  endingsOf(word: string): string[]
}

const LETTERS = /^\p{L}+$/u
const PLAIN = /^[\p{L}\p{N}]+$/u
const DERIVED = /(?:er|ic)s?$/
const MIN_PART_LENGTH = 3
const MIN_ENDING_LENGTH = 4
const MAX_PARTS = 5

/**
 * False if one of the joined words is Chinese or Japanese: products have each of its characters as a word, and
 * PostgreSQL rejects the NULs between them.
 */
export const isJoinable = (joined: string) => !joined.includes('\u0000')

/** Looks up the words of a search, each pair of neighbours as one word, parts of words, and `wholes`. */
export async function readVocabulary(db: Db, words: string[], wholes: string[]): Promise<Vocabulary> {
  const plain = words.filter(word => PLAIN.test(word))
  const pairs = words.slice(1).map((word, at) => words[at]! + word)
  const splits = new Map(plain.filter(word => LETTERS.test(word)).map(word => [word, splitsOf(word)]))
  const candidates = new Set([...plain, ...pairs.filter(isJoinable), ...wholes, ...[...splits.values()].flat(2)])
  const found = await findWords(db, { words, plain, candidates: [...candidates] })
  const rowsOf = (kind: string) => found.filter(row => row.kind === kind)
  const known = new Map(rowsOf('known').map(({ given, word }) => [given, word.split(' ')]))
  const described = new Set(rowsOf('described').map(({ given }) => given))
  const endings = Map.groupBy(rowsOf('end'), ({ given }) => given)
  return {
    isKnown: word => known.has(word) || described.has(word) || !LETTERS.test(word),
    isVerbatim: word => known.get(word)?.includes(word) ?? false,
    isOnlyDerived: word => !DERIVED.test(word) && (known.get(word)?.every(form => DERIVED.test(form)) ?? false),
    splitsOf: word =>
      known.has(word) ? [] : (splits.get(word) ?? []).filter(parts => parts.every(each => known.has(each))),
    completions: rowsOf('begin').map(({ word }) => word),
    endingsOf: word => endings.get(word)?.map(row => row.word) ?? [],
  }
}

interface SearchedWords {
  words: string[]
  /** Those of `words` that consist of letters and digits. */
  plain: string[]
  /** Words that products may have in any form. */
  candidates: string[]
}

/** One query: each row has its `kind`, the `given` word and a word of the shop (for `known`, all forms of the word). */
async function findWords(db: Db, { words, plain, candidates }: SearchedWords) {
  const last = plain.at(-1) ?? ''
  const begin = last === words.at(-1) && LETTERS.test(last) && last.length >= MIN_PART_LENGTH ? last : null
  // Too many words end with 'king' or 'ring'.
  const endings = plain.filter(word => /^\p{L}+(?<!ing)$/u.test(word) && word.length >= MIN_ENDING_LENGTH)
  const { rows } = await db.execute<{ kind: string; given: string; word: string }>(sql`
    select 'known' as kind, given, forms as word from unnest(${sql.param(candidates)}::text[]) as given
    cross join lateral (
      select string_agg(word, ' ') as forms from ${searchWords} where ${searchWords.stem} = search_stem(given)
    ) alike
    where forms is not null
    union all
    select 'described', given, '' from unnest(${sql.param(plain)}::text[]) as given
    where exists (select from ${products} where ${products.search} @@ plainto_tsquery('russian', given))
    union all
    select * from (
      select 'begin', '', word from ${searchWords}
      where ${begin === null ? sql`false` : sql`word like ${`${begin}%`} and word <> ${begin}`}
      order by length(word), word limit ${MAX_PARTS}
    ) completed
    union all
    select 'end', given, longer.word from unnest(${sql.param(endings)}::text[]) as given
    cross join lateral (
      select word from ${searchWords} where word like '___%' || given order by length(word), word limit ${MAX_PARTS}
    ) longer
  `)
  return rows
}

function splitsOf(word: string): string[][] {
  const splits: string[][] = []
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at += 1)
    splits.push([word.slice(0, at), word.slice(at)])
  return splits
}
