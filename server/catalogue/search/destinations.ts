import { COUNTRIES } from '#contract/countries.ts'
import { type TypedWord, wordsOf } from './plain.ts'

const SHIPS = new Set(['ship', 'ships', 'shipped', 'shipping', 'deliver', 'delivers', 'delivered', 'delivery'])
const LINKS = new Set(['that', 'which'])
const SHORT_NAMES = { usa: 'United States', us: 'United States', uk: 'United Kingdom' }
const NAMES = [...COUNTRIES.map(name => [name, name] as const), ...Object.entries(SHORT_NAMES)].map(
  ([name, country]) => ({ country, words: wordsOf(name).map(({ word }) => word) }),
)

/** Takes the country out of a search such as 'dress that ships to Kenya'. */
export function splitDestination(typed: TypedWord[]): { words: TypedWord[]; destination?: string } {
  const wordAt = (at: number) => typed[at]?.word ?? ''
  const at = typed.findIndex(({ word }, at) => SHIPS.has(word) && wordAt(at + 1) === 'to')
  if (at < 0) return { words: typed }
  const first = at + (wordAt(at + 2) === 'the' ? 3 : 2)
  const named = NAMES.find(({ words }) => words.every((word, offset) => wordAt(first + offset) === word))
  if (!named) return { words: typed }
  const start = LINKS.has(wordAt(at - 1)) ? at - 1 : at
  return { words: typed.toSpliced(start, first + named.words.length - start), destination: named.country }
}
