import type { Db } from '#server/db/types.ts'
import { isJoinable, readVocabulary, type Vocabulary } from './vocabulary.ts'
import { correctWords, doubledWord } from './corrections.ts'
import { splitDestination } from './destinations.ts'
import {
  goodsLast,
  hasSynonym,
  isEverydayWord,
  isSpeltCorrectly,
  kindOf,
  type PhraseWord,
  SPAN,
  spansAround,
  splitPrice,
  type TermKind,
} from './phrases.ts'
import { quantityOf, wordsOf } from './plain.ts'
import { STOP_WORDS } from './stop-words.ts'
import { keyOf, singular, type Synonyms } from './synonyms.ts'

/** One way to write a word of the search in a product's data. */
export interface Alternative {
  words: string[]
  /** Share of a whole word's relevance, from 0 to 1. */
  factor: number
  /** Whether other words may stand between these words. */
  isLoose?: boolean
}

/**
 * A word or an expression of the search. A product matches if it has one of the alternatives. A term without
 * alternatives matches nothing.
 */
export interface Term {
  kind: TermKind
  alternatives: Alternative[]
}

export interface Understood {
  /** One term for each word. */
  terms: Term[]
  /** The same with each expression, such as 'dressing gown', as one term; null if the search has none. */
  expressions: Term[] | null
  /** The same with similar kinds of goods as alternatives; null if none is known. */
  broader: Term[] | null
  /** The search with corrected words; null if none was corrected. */
  corrected: string | null
  /** The price in a search such as 'lamp under $50'. */
  mostCents?: number | undefined
  /** The country in a search such as 'lamp that ships to Kenya'. */
  destination?: string | undefined
}

const JOINED = 0.95
const SYNONYM = 0.8
const NEAR = 0.5
const PART = 0.4
const MAX_ALTERNATIVES = 14

/** Interprets a search: corrects words and adds alternatives. With `isLiteral`, takes it as typed. */
export async function understand(db: Db, search: string, synonyms: Synonyms, isLiteral: boolean): Promise<Understood> {
  const given = wordsOf(search)
  if (isLiteral) return { terms: literalTerms(given), expressions: null, broader: null, corrected: null }
  const { words: withoutPrice, mostCents } = splitPrice(given)
  const { words, destination } = splitDestination(withoutPrice)
  const typed = goodsLast(words, synonyms)
  const asTyped = await readPhrase(db, typed, synonyms)
  const corrections = await correctionsOf(db, asTyped)
  const isCorrected = corrections.size > 0
  const meantFor = (word: string) => corrections.get(word) ?? word
  const meant = typed.map(each => ({ ...each, word: meantFor(each.word) }))
  const reading = isCorrected ? await readPhrase(db, meant, synonyms) : asTyped
  const corrected = isCorrected ? correctIn(search, corrections) : null
  const terms = termsOf(reading)
  const [expressions, broader] = [expressionsOf(reading), broaderOf(reading, terms)]
  return { terms, expressions, broader, corrected, mostCents, destination }
}

function literalTerms(all: { word: string }[]): Term[] {
  const words = all.filter(({ word }) => !STOP_WORDS.has(word))
  return words.map(({ word }) => ({ kind: 'main', alternatives: asAlternatives([[word]], 1) }))
}

/** The words of a search with their vocabulary and synonyms. */
interface Reading {
  words: string[]
  /** Words that were typed without a space between them have the same number. */
  chunks: number[]
  /** Whether a word only describes the goods: `PhraseWord.isDetail`. */
  details: boolean[]
  vocabulary: Vocabulary
  synonyms: Synonyms
}

async function readPhrase(db: Db, phrase: PhraseWord[], synonyms: Synonyms): Promise<Reading> {
  const words = phrase.map(({ word }) => word)
  const chunks = phrase.map(({ chunk }) => chunk)
  const details = phrase.map(({ isDetail = false }) => isDetail)
  const vocabulary = await readVocabulary(db, words, joinedChunks(words, chunks))
  return { words, chunks, details, vocabulary, synonyms }
}

/** Words that were typed without a space between them, such as 't-shirt', joined to one. */
function joinedChunks(words: string[], chunks: number[]): string[] {
  const parts = Map.groupBy(words.keys(), at => chunks[at])
  return [...parts.values()]
    .filter(({ length }) => length > 1)
    .map(positions => positions.map(at => words[at]).join(''))
}

/** The corrected words by the word that was typed. */
async function correctionsOf(db: Db, reading: Reading): Promise<Map<string, string>> {
  const { words, vocabulary, synonyms } = reading
  const unknown = words.filter(word => isUnknown(word, reading))
  const corrections = await correctWords(db, unknown, synonyms)
  for (const word of words) {
    const doubled = vocabulary.isVerbatim(word) ? undefined : doubledWord(word, synonyms)
    if (doubled) corrections.set(word, doubled)
  }
  return corrections
}

/** The search as it was typed, with corrected words. */
function correctIn(search: string, corrections: Map<string, string>): string {
  return search.replaceAll(/[\p{L}\p{M}'’]+/gu, run => {
    const words = wordsOf(run).map(({ word }) => word)
    if (!words.some(word => corrections.has(word))) return run
    return words.map(word => corrections.get(word) ?? word.replaceAll('\u0000', '')).join(' ')
  })
}

function isUnknown(word: string, { words, vocabulary, synonyms }: Reading): boolean {
  const at = words.indexOf(word)
  if (STOP_WORDS.has(word) || isSpeltCorrectly(synonyms, word) || vocabulary.isKnown(word)) return false
  if (hasSynonym(synonyms, words, at) || vocabulary.splitsOf(word).length > 0) return false
  const isJoinKnown = joinsOf(words, at).some(
    join => isUsed(vocabulary, join) || isSpeltCorrectly(synonyms, join) || synonyms.minor.has(join),
  )
  const isBeginning = words.length === 1 && vocabulary.completions.length > 0
  return !isJoinKnown && !isBeginning
}

/** Whether products have two joined words as one. `isKnown` is true for anything with a digit, such as 'lmap2'. */
function isUsed(vocabulary: Vocabulary, join: string): boolean {
  return vocabulary.isKnown(join) && (!/\d/.test(join) || vocabulary.isVerbatim(join))
}

/** The word at this position, joined to its left and to its right neighbour. */
function joinsOf(words: string[], at: number): string[] {
  const [before, word = '', after] = [words[at - 1], words[at], words[at + 1]]
  const joins = [...(before ? [before + word] : []), ...(after ? [word + after] : [])]
  return joins.filter(isJoinable)
}

function termsOf(reading: Reading): Term[] {
  return reading.words.flatMap((_, at) => termAt(reading, at))
}

function termAt({ words, chunks, details, vocabulary, synonyms }: Reading, at: number): Term[] {
  const word = words[at]!
  const joined = joinsOf(words, at).filter(each => vocabulary.isKnown(each) || isCode(each))
  const ofChunk = words.filter((_, other) => chunks[other] === chunks[at])
  if (ofChunk.length > 1) joined.push(ofChunk.join(''))
  const whole = ofChunk.join('')
  // Otherwise 't-shirt' and 'do-it-yourself' would lose their short words, which are stop words.
  const isMeant = vocabulary.isKnown(whole) || hasSynonym(synonyms, [whole], 0)
  const isWhole = ofChunk.some(each => STOP_WORDS.has(each)) && ofChunk.length > 1 && isMeant
  if (isWhole ? chunks[at - 1] === chunks[at] : STOP_WORDS.has(word)) return []
  const meanings = spansAround(words, at).flatMap(span => meaningsOf(span, synonyms))
  const joinedFrom = [...words.slice(Math.max(0, at - 1), at + 2), ...ofChunk]
  const joinedMeanings = joined.flatMap(each => meaningsOf(joinedFrom, synonyms, singular(each)))
  const quantity = quantityOf(word)
  const ownKind = isWhole ? 'main' : kindOf(words, at, synonyms)
  const kind = ownKind === 'main' && details[at] ? 'minor' : ownKind
  // 'Records' has the stem of 'recorder', but means something else.
  const isAnother = isEverydayWord(synonyms, word) && vocabulary.isOnlyDerived(word)
  const alternatives: Alternative[] = [
    ...asAlternatives(isAnother ? [] : [[isWhole ? whole : word]], 1),
    ...asAlternatives(
      [...new Set(joined)].map(each => [each]),
      JOINED,
    ),
    ...asAlternatives(vocabulary.splitsOf(word), JOINED),
    ...asAlternatives(quantity ? [quantity.map(each => each.replace('p', '.'))] : [], JOINED),
    ...asAlternatives([...meanings, ...joinedMeanings], SYNONYM),
    ...asAlternatives(kind === 'main' && !isWhole ? partsOf(words, at, vocabulary, synonyms) : [], PART),
  ]
  return [{ kind, alternatives: findable(alternatives) }]
}

/** The synonyms of an expression, without those made of its own words: 'chair' must not replace 'dining chair'. */
function meaningsOf(span: string[], { meanings }: Synonyms, key = keyOf(span)): string[][] {
  const own = span.map(singular)
  return (meanings.get(key) ?? []).filter(words => !words.every(word => own.includes(singular(word))))
}

/** Splits Chinese and Japanese words at their NULs: products have each character as a word. */
function asAlternatives(expressions: string[][], factor: number): Alternative[] {
  return expressions.map(words => ({ words: words.flatMap(word => word.split('\u0000')), factor }))
}

/**
 * Longer words that begin or end with this one. In a longer search, 'kit' does not match kites if there are kits; and a
 * word of the synonyms is complete: without a rug in the shop, 'rug' does not find rugby balls.
 */
function partsOf(words: string[], at: number, vocabulary: Vocabulary, synonyms: Synonyms): string[][] {
  const word = words[at]!
  const isComplete = isEverydayWord(synonyms, word) || (at > 0 && vocabulary.isKnown(word))
  const isBeginning = at === words.length - 1 && !isComplete
  return [...(isBeginning ? vocabulary.completions : []), ...vocabulary.endingsOf(word)].map(each => [each])
}

/** The terms, with each expression that has synonyms as a single term: a 'dressing gown' is no dressing and no gown. */
function expressionsOf(reading: Reading): Term[] | null {
  const { words, chunks } = reading
  const terms: Term[] = []
  let isAny = false
  for (let at = 0; at < words.length;) {
    const length = expressionLength(reading, at)
    const isExpression = length > 1 && chunks[at] !== chunks[at + length - 1]
    terms.push(...(isExpression ? [expressionAt(reading, at, length)] : termAt(reading, at)))
    isAny ||= isExpression
    at += isExpression ? length : 1
  }
  return isAny ? terms : null
}

function expressionLength({ words, synonyms }: Reading, at: number): number {
  for (let length = Math.min(SPAN, words.length - at); length > 1; length -= 1) {
    const typed = words.slice(at, at + length)
    if (synonyms.meanings.has(keyOf(typed))) return length
    // 'Make up' has the synonyms of 'makeup'.
    if (length === 2 && synonyms.meanings.has(singular(typed.join('')))) return length
  }
  return 1
}

function expressionAt(reading: Reading, at: number, length: number): Term {
  const { words, vocabulary, synonyms } = reading
  const typed = words.slice(at, at + length)
  const whole = typed.join('')
  const isJoined = vocabulary.isKnown(whole)
  const meanings = [...(synonyms.meanings.get(keyOf(typed)) ?? []), ...(synonyms.meanings.get(singular(whole)) ?? [])]
  const apart = asAlternatives([typed.filter(word => !STOP_WORDS.has(word))], 1)
  const alternatives: Alternative[] = [
    ...apart.map(each => ({ ...each, isLoose: true })),
    ...asAlternatives(isJoined ? [[whole]] : [], JOINED),
    ...asAlternatives(meanings, SYNONYM),
  ]
  return { kind: expressionKind(reading, at, length), alternatives: findable(alternatives) }
}

/** '6 year old' is optional, as its words are. */
function expressionKind({ words, details, synonyms }: Reading, at: number, length: number): TermKind {
  const ats = Array.from({ length }, (_, offset) => at + offset)
  const kinds = ats.filter(each => !/^\d/.test(words[each]!)).map(each => kindOf(words, each, synonyms))
  if (kinds.length > 0 && kinds.every(kind => kind === 'optional')) return 'optional'
  return ats.every(each => details[each]) ? 'minor' : 'main'
}

/** The terms with similar goods as alternatives, such as jeans for trousers; null if none are known. */
function broaderOf(reading: Reading, terms: Term[]): Term[] | null {
  const { words, synonyms } = reading
  const near = words.map((_, at) => spansAround(words, at).flatMap(span => synonyms.near.get(keyOf(span)) ?? []))
  if (near.every(({ length }) => length === 0)) return null
  const kept = words.flatMap((_, at) => termAt(reading, at).map(() => near[at]!))
  return terms.map(({ kind, alternatives }, at) => {
    const added = asAlternatives(kept[at]!.slice(0, MAX_ALTERNATIVES), NEAR)
    return { kind, alternatives: [...alternatives, ...added] }
  })
}

const findable = (alternatives: Alternative[]) => alternatives.filter(isFindable).slice(0, MAX_ALTERNATIVES)

/**
 * False if a word is a one-letter stop word: PostgreSQL would ignore the 't' of 't shirt' and find all shirts. Also
 * false for a single word whose words may stand apart.
 */
const isFindable = ({ words, isLoose }: Alternative) =>
  words.length > (isLoose ? 1 : 0) && words.every(word => word.length > 1 || !STOP_WORDS.has(word))

const isCode = (word: string) => /\d/.test(word) && /[a-z]/.test(word)
