import { wordsOf } from './plain.ts'
import { DESCRIPTIONS } from './synonym-lists/descriptions.ts'
import { ELECTRONICS } from './synonym-lists/electronics.ts'
import { FASHION } from './synonym-lists/fashion.ts'
import { HOME } from './synonym-lists/home.ts'
import { KNOWN } from './synonym-lists/known.ts'
import { LEISURE } from './synonym-lists/leisure.ts'
import { USUAL } from './synonym-lists/usual.ts'

/** Other meanings of the words of a search. */
export interface Synonyms {
  /** Synonyms of an expression such as 'running shoe', keyed by its words. */
  meanings: Map<string, string[][]>
  /** Similar goods for an expression, such as jeans for trousers. Used only if a search finds next to nothing. */
  near: Map<string, string[][]>
  /** Audience and purpose words ('mens', 'gift'); products need not have them. */
  optional: Set<string>
  /** Materials and the like: they describe a product, but do not say what it is. */
  minor: Set<string>
  colours: Set<string>
  /** The colours and words in `minor` that name goods at the end of a search ('face cream'). */
  things: Set<string>
  /** All single words of the expressions; misspelt words are corrected to them. */
  words: Set<string>
  /** More words that are spelt correctly: 'pedal' is not corrected to 'petal', even if no product has it. */
  known: Set<string>
}

/** The lines of all built-in synonyms. Operators add theirs with `market search synonyms`. */
export const BUILT_IN_LINES = [USUAL, DESCRIPTIONS, FASHION, ELECTRONICS, HOME, KNOWN, LEISURE]
  .flatMap(list => list.split('\n'))
  .filter(line => line !== '')

const MAX_EXPRESSION_WORDS = 4
const MAX_IN_LINE = 30
const MAX_LINES = 5000
const MAX_LINE_LETTERS = 1000
const NEAR = /^near:/
const LIST = /^(optional|minor|colours|things|known):/

/** A word without the usual endings of English plurals, so that 'sneakers' has the synonyms of 'sneaker'. */
export function singular(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || word.endsWith('ss')) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:[sx]|ch|sh)es$/.test(word) && word !== 'shoes') return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

export function keyOf(words: string[]): string {
  return words.map(singular).join(' ')
}

/** Lines of a file of synonyms that cannot be used, each with its number. */
export function problemsOf(lines: string[]): string[] {
  if (lines.length > MAX_LINES) return [`a file has at most ${MAX_LINES} lines`]
  return lines.flatMap((line, at) => {
    const problem = problemOf(line)
    return problem === null ? [] : [`line ${at + 1}: ${problem}`]
  })
}

function problemOf(line: string): string | null {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return null
  if (text.length > MAX_LINE_LETTERS) return `is longer than ${MAX_LINE_LETTERS} characters`
  const list = LIST.test(text)
  const sides = list ? [text.slice(text.indexOf(':') + 1)] : text.replace(NEAR, '').split('=>')
  if (sides.length > 2) return "has '=>' more than once"
  if (NEAR.test(text) && sides.length < 2) return "has no '=>' after 'near:'"
  const expressions = sides.flatMap(side => side.split(','))
  if (expressions.length > MAX_IN_LINE && !list) return `has more than ${MAX_IN_LINE} expressions`
  const wrong = expressions.find(each => {
    const count = wordsOf(each).length
    return count === 0 || count > (list ? 1 : MAX_EXPRESSION_WORDS)
  })
  if (wrong !== undefined)
    return `'${wrong.trim()}' is not one to ${list ? 'one word' : `${MAX_EXPRESSION_WORDS} words`}`
  if (!list && expressions.length < 2) return 'has only one expression: separate synonyms by commas'
  return null
}

const toWords = (text: string) => wordsOf(text).map(({ word }) => word)

/**
 * Reads lines of synonyms, after the built-in ones: 'sofa, couch' are alternatives, 'pan => skillet' finds skillets for
 * pans but not the reverse, 'near: trousers => jeans' finds jeans if there are no trousers. 'optional: gift',
 * 'minor: velvet' and 'colours: blue' list words; 'things: cream' lists those that name goods at the end of a search,
 * and 'known: pedal' those that are spelt correctly. Lines with a problem are skipped.
 */
export function readSynonyms(lines: string[]): Synonyms {
  const [meanings, near] = [new Map<string, string[][]>(), new Map<string, string[][]>()]
  const synonyms = {
    meanings,
    near,
    optional: new Set<string>(),
    minor: new Set<string>(),
    colours: new Set<string>(),
    things: new Set<string>(),
    words: new Set<string>(),
    known: new Set<string>(),
  }
  for (const line of [...BUILT_IN_LINES, ...lines]) if (problemOf(line) === null) addLine(synonyms, line.trim())
  return synonyms
}

/** An expression of two words also has the key of both as one word: 'rainboots' are rain boots. */
function keysOf(expression: string[]): string[] {
  const joined = expression.join('')
  return [keyOf(expression), ...(expression.length === 2 && joined.length > 5 ? [singular(joined)] : [])]
}

function addLine(synonyms: Synonyms, text: string): void {
  if (text === '' || text.startsWith('#')) return
  const [, list] = LIST.exec(text) ?? []
  if (list) {
    const words = synonyms[list as 'optional' | 'minor' | 'colours' | 'things' | 'known']
    for (const each of text.slice(text.indexOf(':') + 1).split(',')) words.add(keyOf(toWords(each)))
    return
  }
  const meanings = NEAR.test(text) ? synonyms.near : synonyms.meanings
  const [from = '', to] = text.replace(NEAR, '').split('=>')
  const typed = from.split(',').map(toWords)
  const meant = to === undefined ? typed : to.split(',').map(toWords)
  for (const word of [...typed, ...meant].flat()) if (word.length > 3) synonyms.words.add(word)
  for (const expression of typed) {
    const others = meant.filter(each => keyOf(each) !== keyOf(expression))
    for (const key of keysOf(expression)) {
      const known = meanings.get(key) ?? []
      meanings.set(key, [...known, ...others.filter(each => !known.some(other => keyOf(other) === keyOf(each)))])
    }
  }
}
