import type { Db } from '../../db/types.ts'
import { readVocabulary, type Vocabulary } from './vocabulary.ts'
import { correctWords } from './corrections.ts'
import { quantityOf, wordsOf } from './plain.ts'
import { STOP_WORDS } from './stop-words.ts'
import { keyOf, singular, type Synonyms } from './synonyms.ts'

/** One way in which products may write a word of the search. */
export interface Alternative {
  words: string[]
  /** Share of a whole word's relevance, from 0 to 1. */
  factor: number
}

export type TermKind = 'main' | 'minor' | 'optional'

/** A word of the search: products have it if they have one of its alternatives. */
export interface Term {
  kind: TermKind
  alternatives: Alternative[]
}

export interface Understood {
  terms: Term[]
  /** The search with corrected words; null if none was corrected. */
  corrected: string | null
}

const JOINED = 0.95
const SYNONYM = 0.8
const PART = 0.4
const SPAN = 4
const MOST_ALTERNATIVES = 14

/** What a search means for this shop. A literal one is taken as typed. */
export async function understand(db: Db, search: string, synonyms: Synonyms, isLiteral: boolean): Promise<Understood> {
  const all = wordsOf(search)
  const typed = all.map(({ word }) => word)
  const chunks = all.map(({ chunk }) => chunk)
  const vocabulary = await readVocabulary(db, typed, wholesOf(typed, chunks))
  const isUnknown = (word: string) => {
    const at = typed.indexOf(word)
    return (
      !STOP_WORDS.has(word) &&
      !synonyms.optional.has(singular(word)) &&
      !isMeant(synonyms, typed, at) &&
      !vocabulary.isKnown(word) &&
      !isJoinedKnown(vocabulary, typed, at) &&
      vocabulary.splitsOf(word).length === 0 &&
      !(at === typed.length - 1 && typed.length === 1 && vocabulary.completions.length > 0)
    )
  }
  const corrections = isLiteral ? new Map<string, string>() : await correctWords(db, typed.filter(isUnknown), synonyms)
  const meant = typed.map(word => corrections.get(word) ?? word)
  const known = corrections.size > 0 ? await readVocabulary(db, meant, wholesOf(meant, chunks)) : vocabulary
  const terms = isLiteral ? literalTerms(all) : termsOf(meant, chunks, known, synonyms)
  return { terms, corrected: corrections.size > 0 ? meant.join(' ') : null }
}

function isMeant(synonyms: Synonyms, words: string[], at: number): boolean {
  return spansAround(words, at).some(span => synonyms.meanings.has(keyOf(span)))
}

/** All runs of words that contain this one. */
function spansAround(words: string[], at: number): string[][] {
  const spans: string[][] = []
  for (let length = 1; length <= SPAN; length += 1)
    for (let start = at - length + 1; start <= at; start += 1)
      if (start >= 0 && start + length <= words.length) spans.push(words.slice(start, start + length))
  return spans
}

function isJoinedKnown(vocabulary: Vocabulary, words: string[], at: number): boolean {
  return joinsOf(words, at).some(joined => vocabulary.isKnown(joined))
}

function joinsOf(words: string[], at: number): string[] {
  const [before, word = '', after] = [words[at - 1], words[at], words[at + 1]]
  return [before && before + word, after && word + after].filter(each => each !== undefined && each !== '') as string[]
}

/** What was typed without a space, such as 't-shirt', as one word. */
function wholesOf(words: string[], chunks: number[]): string[] {
  const parts = Map.groupBy(words.keys(), at => chunks[at])
  return [...parts.values()].filter(({ length }) => length > 1).map(ats => ats.map(at => words[at]).join(''))
}

function literalTerms(all: { word: string; chunk: number }[]): Term[] {
  const words = all.filter(({ word }) => !STOP_WORDS.has(word))
  return words.map(({ word }) => ({ kind: 'main', alternatives: [{ words: word.split('\u0000'), factor: 1 }] }))
}

function termsOf(words: string[], chunks: number[], vocabulary: Vocabulary, synonyms: Synonyms): Term[] {
  return words.flatMap((word, at): Term[] => {
    const joined = joinsOf(words, at).filter(each => vocabulary.isKnown(each) || isCode(each))
    const ofChunk = words.filter((_, other) => chunks[other] === chunks[at])
    if (ofChunk.length > 1) joined.push(ofChunk.join(''))
    const whole = ofChunk.join('')
    // 't-shirt' and 'do-it-yourself' would lose their short words, which products are not found by.
    const isWhole = ofChunk.some(each => STOP_WORDS.has(each)) && ofChunk.length > 1 && vocabulary.isKnown(whole)
    if (isWhole ? chunks[at - 1] === chunks[at] : STOP_WORDS.has(word)) return []
    const meanings = spansAround(words, at).flatMap(span => synonyms.meanings.get(keyOf(span)) ?? [])
    const joinedMeanings = joined.flatMap(each => synonyms.meanings.get(singular(each)) ?? [])
    const quantity = quantityOf(word)
    const kind = isWhole ? 'main' : kindOf(word, synonyms)
    const parts = at === words.length - 1 ? vocabulary.completions : []
    const alternatives: Alternative[] = [
      { words: isWhole ? [whole] : word.split('\u0000'), factor: 1 },
      ...[...new Set(joined)].map(each => ({ words: [each], factor: JOINED })),
      ...vocabulary.splitsOf(word).map(each => ({ words: each, factor: JOINED })),
      ...(quantity ? [{ words: quantity.map(each => each.replace('p', '.')), factor: JOINED }] : []),
      ...[...meanings, ...joinedMeanings].map(each => ({ words: each, factor: SYNONYM })),
      ...(kind === 'main' && !isWhole ? [...parts, ...vocabulary.endingsOf(word)] : []).map(each => ({
        words: [each],
        factor: PART,
      })),
    ]
    return [{ kind, alternatives: alternatives.filter(isFindable).slice(0, MOST_ALTERNATIVES) }]
  })
}

/** The 't' of 't shirt' is a stop word: without it, all shirts would be found. */
const isFindable = ({ words }: Alternative) => words.every(word => word.length > 1 || !STOP_WORDS.has(word))

const isCode = (word: string) => /\d/.test(word) && /[a-z]/.test(word)

function kindOf(word: string, { optional, minor }: Synonyms): TermKind {
  if (optional.has(word) || optional.has(singular(word))) return 'optional'
  return /^\d/.test(word) || minor.has(word) || minor.has(singular(word)) ? 'minor' : 'main'
}
