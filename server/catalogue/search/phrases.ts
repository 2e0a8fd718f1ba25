import type { TypedWord } from './plain.ts'
import { STOP_WORDS } from './stop-words.ts'
import { keyOf, singular, type Synonyms } from './synonyms.ts'

export type TermKind = 'main' | 'minor' | 'colour' | 'optional'

/**
 * A word of a search. `isDetail`: what follows 'for', 'with' or 'that' only describes the goods, such as wine in
 * 'glasses for wine'.
 */
export interface PhraseWord extends TypedWord {
  isDetail?: boolean
}

/** The most words of an expression that has synonyms. */
export const SPAN = 4
const LINKS = new Set(['for', 'with', 'without', 'that', 'which', 'to'])
const BEFORE_PRICES = new Set(['under', 'below', 'than'])
const LESS = new Set(['less', 'cheaper'])
const CURRENCIES = new Set(['usd', 'dollar', 'dollars', 'bucks'])
/** As `wordsOf` writes it: 19p99. */
const PRICE = /^\d{1,7}(?:p\d{1,9})?$/

/** Takes the price out of a search such as 'lamp under $50'. */
export function splitPrice(typed: TypedWord[]): { words: TypedWord[]; mostCents?: number } {
  const wordAt = (at: number) => typed[at]?.word ?? ''
  const at = typed.findIndex(({ word }, at) => PRICE.test(word) && BEFORE_PRICES.has(wordAt(at - 1)))
  if (at < 0) return { words: typed }
  const isLess = LESS.has(wordAt(at - 2))
  const start = at - (isLess ? 2 : 1)
  const end = at + (CURRENCIES.has(wordAt(at + 1)) ? 2 : 1)
  const words = typed.toSpliced(start, end - start)
  // 'More than 50' is no highest price.
  if (wordAt(at - 1) === 'than' && !isLess) return { words }
  return { words, mostCents: Math.round(Number(wordAt(at).replace('p', '.')) * 100) }
}

/**
 * The words of a search with its goods last, where a search usually names them: 'wine glasses' for 'glasses for wine'.
 */
export function goodsLast(all: TypedWord[], synonyms: Synonyms): PhraseWord[] {
  const words = all.map(({ word }) => word)
  const link = words.findIndex(word => LINKS.has(word))
  if (link < 0 || hasSynonym(synonyms, words, link)) return all
  const goods = all.slice(0, link)
  const isGoods = (word: string) => kindOf([word], 0, synonyms) === 'main' || synonyms.things.has(singular(word))
  if (!goods.some(({ word }) => !STOP_WORDS.has(word) && isGoods(word))) return all
  return [...all.slice(link + 1).map(each => ({ ...each, isDetail: true })), ...goods]
}

export function kindOf(words: string[], at: number, { optional, minor, colours, things }: Synonyms): TermKind {
  const is = (list: Set<string>) => list.has(words[at]!) || list.has(singular(words[at]!))
  if (is(optional)) return 'optional'
  // 'Cream sofa' names a colour, 'face cream' does not.
  if (at > 0 && at === words.length - 1 && is(things)) return 'main'
  if (is(colours)) return 'colour'
  return /^\d/.test(words[at]!) || is(minor) ? 'minor' : 'main'
}

/** Whether the word, or a phrase around it, has synonyms. */
export function hasSynonym(synonyms: Synonyms, words: string[], at: number): boolean {
  return spansAround(words, at).some(span => synonyms.meanings.has(keyOf(span)) || synonyms.near.has(keyOf(span)))
}

/** Whether the synonyms have the word: it is spelt correctly and complete, even if no product has it. */
export function isEverydayWord(synonyms: Synonyms, word: string): boolean {
  return synonyms.words.has(word) || synonyms.words.has(singular(word)) || hasSynonym(synonyms, [word], 0)
}

/** Whether the synonyms have the word, so that it need not be corrected. */
export function isSpeltCorrectly(synonyms: Synonyms, word: string): boolean {
  const lists = [synonyms.optional, synonyms.known]
  return isEverydayWord(synonyms, word) || lists.some(list => list.has(singular(word)))
}

/** All runs of words that contain this one. */
export function spansAround(words: string[], at: number): string[][] {
  const spans: string[][] = []
  for (let length = 1; length <= SPAN; length += 1)
    for (let start = at - length + 1; start <= at; start += 1)
      if (start >= 0 && start + length <= words.length) spans.push(words.slice(start, start + length))
  return spans
}
